/** Powers and decimal exponents: the same bits on every engine, which `**` and `Math.log10` do not promise. */

export function squared(x: number): number {
	return x * x;
}

/** x^k for a whole k. */
export function wholePower(x: number, k: number): number {
	let value = 1;
	for (let i = 0; i < Math.abs(k); i++) value *= x;
	return k < 0 ? 1 / value : value;
}

/** The double nearest to 10^k, for a whole k. */
export function tenTo(k: number): number {
	return Number(`1e${k}`);
}

/** The whole k with 10^k <= |x| < 10^(k+1), exactly: no logarithm that is rounded near a power of ten. */
export function decimalExponent(x: number): number {
	const size = Math.abs(x);
	if (size === 0) return Number.NEGATIVE_INFINITY;
	return size < Number.POSITIVE_INFINITY ? Number(size.toExponential().split("e")[1]) : size;
}
