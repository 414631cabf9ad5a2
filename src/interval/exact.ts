/**
 * Exact numbers read outward: a decimal like 0.1 and a fraction like 1/3 are no doubles, and become the
 * interval between the two doubles next to them. Numbers that are doubles become points.
 */
import { InputError } from "../errors.ts";
import { pow2 } from "../num/elementary/primitives.ts";
import { type Interval, interval } from "./interval.ts";

/** π, between two neighbouring doubles. */
export const pi: Interval = { lo: 3.141592653589793, hi: 3.1415926535897936 };

/** The narrowest interval that holds num/den, den not 0. */
export function fromRational(value: { readonly num: bigint; readonly den: bigint }): Interval {
	const { num, den } = value;
	if (typeof num !== "bigint" || typeof den !== "bigint")
		throw new InputError("fraction", `${num}/${den} is not of whole numbers`, "Write { num: 1n, den: 3n }.");
	if (den === 0n)
		throw new InputError("fraction", `${num}/0 is no number`, "Give a denominator other than 0.");
	if (num === 0n) return interval(0);
	const { lo, hi } = positiveRational(magnitude(num), magnitude(den));
	return num < 0n !== den < 0n ? { lo: 0 - hi, hi: 0 - lo } : { lo, hi };
}

/** The narrowest interval that holds the number that the decimal text writes, like `-1.25e-3`. */
export function fromDecimal(text: string): Interval {
	if (typeof text !== "string")
		throw new InputError("number", `${text} is no text`, 'Write it in quotes:  fromDecimal("0.1").');
	const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\s*$/.exec(text);
	const digits = match ? match[2] + (match[3] ?? "") : "";
	if (!match || digits === "")
		throw new InputError("number", `"${text}" is no decimal number`, "Write it like -1.25e-3.");
	const significant = digits.replace(/^0+/, "");
	const exponent = Number(match[4] ?? 0) - (match[3] ?? "").length;
	if (significant === "") return interval(0);
	// Beyond these the answer is plain, and the power of ten could be too large to form.
	const size = significant.length + exponent;
	const value = size > 400 ? beyond : size < -400 ? below : scaled(BigInt(significant), exponent);
	return match[1] === "-" ? { lo: 0 - value.hi, hi: 0 - value.lo } : value;
}

const beyond: Interval = { lo: Number.MAX_VALUE, hi: Number.POSITIVE_INFINITY };
const below: Interval = { lo: 0, hi: Number.MIN_VALUE };

function scaled(digits: bigint, exponent: number): Interval {
	const power = 10n ** BigInt(Math.abs(exponent));
	return exponent >= 0 ? positiveRational(digits * power, 1n) : positiveRational(digits, power);
}

/** num/den > 0: the integer part of its 53 leading bits (fewer below the normal range), and the next. */
export function positiveRational(num: bigint, den: bigint): Interval {
	// 2^e <= num/den < 2^(e + 2), so num/den·2^-unit has 53 or 54 bits, of which one may be dropped.
	const e = bitLength(num) - bitLength(den) - 1;
	let unit = Math.max(e - 52, -1074);
	if (shiftedQuotient(num, den, unit) >> 53n !== 0n) unit++;
	if (unit > 971) return beyond;
	const quotient = shiftedQuotient(num, den, unit);
	const exact =
		unit >= 0 ? (quotient << BigInt(unit)) * den === num : quotient * den === num << BigInt(-unit);
	return { lo: Number(quotient) * pow2(unit), hi: Number(exact ? quotient : quotient + 1n) * pow2(unit) };
}

/** ⌊num/den·2^-unit⌋. */
function shiftedQuotient(num: bigint, den: bigint, unit: number): bigint {
	return unit >= 0 ? num / (den << BigInt(unit)) : (num << BigInt(-unit)) / den;
}

function magnitude(a: bigint): bigint {
	return a < 0n ? -a : a;
}

function bitLength(a: bigint): number {
	const hex = a.toString(16);
	return 4 * (hex.length - 1) + 32 - Math.clz32(Number.parseInt(hex[0], 16));
}
