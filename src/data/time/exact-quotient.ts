/**
 * Quotients of whole numbers, rounded once. A time is a decimal, or a decimal over a rate: rounded on the way, the difference of two that are almost equal
 * would be wrong in its first digits.
 */

/** a/b; the nearest double where both are below 2^53, and within one unit in the last place elsewhere. */
export function exactQuotient(a: bigint, b: bigint): number {
	const isSmall = (x: bigint): boolean => -safe <= x && x <= safe;
	if (isSmall(a) && isSmall(b)) return Number(a) / Number(b);
	const digits = 40 + Math.max(0, b.toString().length - a.toString().length);
	return Number(`${(a * 10n ** BigInt(digits)) / b}e-${digits}`);
}

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** The decimal that a double is written as, over a power of ten. */
export function decimalOf(x: number): { readonly num: bigint; readonly den: bigint } {
	const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
		String(x),
	)!;
	const power = Number(exponent) - fraction.length;
	const digits = BigInt(`${sign}${whole}${fraction}`);
	const scale = 10n ** BigInt(Math.abs(power));
	return power < 0 ? { num: digits, den: scale } : { num: digits * scale, den: 1n };
}
