/**
 * Exact constants. A literal such as 0.1 is the number one tenth, not the double beside it: constants stay rational
 * while expressions are simplified and are rounded once, when they are lowered (to nearest for floats, outward for
 * intervals).
 */
import { InternalError } from "../errors.ts";
import { pow2 } from "../num/elementary/primitives.ts";

/** num / den in lowest terms, den > 0. */
export interface Rational {
	readonly num: bigint;
	readonly den: bigint;
}

/** Folding stops, and the expression is kept, when a numerator or denominator would pass this many bits. */
const maxBits = 4096;
const small = 1n << 62n;

export const zero: Rational = { num: 0n, den: 1n };
export const one: Rational = { num: 1n, den: 1n };
export const minusOne: Rational = { num: -1n, den: 1n };
export const half: Rational = { num: 1n, den: 2n };

export function rational(num: bigint | number, den: bigint | number = 1n): Rational {
	let n = BigInt(num);
	let d = BigInt(den);
	if (d < 0n) {
		n = -n;
		d = -d;
	}
	if (d === 1n) return { num: n, den: d };
	const divisor = gcd(n < 0n ? -n : n, d);
	return { num: n / divisor, den: d / divisor };
}

/** The exact value of a finite double. */
export function rationalFromDouble(x: number): Rational {
	if (!Number.isFinite(x)) throw new InternalError("only a finite number has an exact value", x);
	let den = 1n;
	let scaled = x;
	while (!Number.isInteger(scaled)) {
		scaled *= 2;
		den *= 2n;
	}
	return rational(BigInt(scaled), den);
}

/** The exact value of a decimal literal like `1.25e-3`; `undefined` when it is beyond what doubles hold. */
export function rationalFromDecimal(text: string): Rational | undefined {
	const match = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
	if (!match) return undefined;
	const [, whole, fraction = "", exponentText = "0"] = match;
	const digits = whole + fraction;
	if (digits === "" || digits.length > 400 || exponentText.length > 6) return undefined;
	const exponent = Number(exponentText) - fraction.length;
	if (!(Math.abs(exponent) <= 800)) return undefined;
	const power = 10n ** BigInt(Math.abs(exponent));
	const value = exponent >= 0 ? rational(BigInt(digits) * power) : rational(BigInt(digits), power);
	const double = toDouble(value);
	return Number.isFinite(double) && (double !== 0 || value.num === 0n) ? value : undefined;
}

export function add(a: Rational, b: Rational): Rational {
	if (a.num === 0n) return b;
	if (b.num === 0n) return a;
	if (a.den === 1n && b.den === 1n) return { num: a.num + b.num, den: 1n };
	return rational(a.num * b.den + b.num * a.den, a.den * b.den);
}
export function multiply(a: Rational, b: Rational): Rational {
	if (a === one) return b;
	if (b === one) return a;
	return rational(a.num * b.num, a.den * b.den);
}
export function negate(a: Rational): Rational {
	return { num: -a.num, den: a.den };
}
export function isInteger(a: Rational): boolean {
	return a.den === 1n;
}
/** The largest whole number up to a. */
export function floor(a: Rational): Rational {
	const down = a.num / a.den;
	return rational(a.num < 0n && down * a.den !== a.num ? down - 1n : down);
}
export function equal(a: Rational, b: Rational): boolean {
	return a.num === b.num && a.den === b.den;
}
export function compare(a: Rational, b: Rational): number {
	const difference = a.num * b.den - b.num * a.den;
	return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** a to a whole power, or `undefined` when that is undefined or too large to keep exactly. */
export function power(a: Rational, exponent: bigint): Rational | undefined {
	if (a.num === 0n) return exponent > 0n ? zero : exponent === 0n ? one : undefined;
	const size = exponent < 0n ? -exponent : exponent;
	if (size > 4096n || BigInt(bits(a)) * size > BigInt(maxBits)) return undefined;
	// biome-ignore lint/plugin: whole numbers of any size are exact
	return exponent >= 0n ? { num: a.num ** size, den: a.den ** size } : rational(a.den ** size, a.num ** size);
}

/** The square root of a, where it is rational. */
export function squareRoot(a: Rational): Rational | undefined {
	if (a.num < 0n || !fits(a)) return undefined;
	const [num, den] = [wholeRoot(a.num), wholeRoot(a.den)];
	return num === undefined || den === undefined ? undefined : { num, den };
}

/** Whether a result is small enough to be kept as a folded constant. */
export function fits(a: Rational): boolean {
	// Nearly all are small: their bits need not be counted.
	return (a.num < small && a.num > -small && a.den < small) || bits(a) <= maxBits;
}

/** The double nearest to a, ties to even, in one rounding. */
export function toDouble(a: Rational): number {
	if (a.num === 0n) return 0;
	const negative = a.num < 0n;
	const num = negative ? -a.num : a.num;
	// Scale so that the quotient has at least 64 bits; a sticky bit then makes Number() round as the true value would.
	const shift = BigInt(64 - (bitLength(num) - bitLength(a.den)));
	const scaledNum = shift > 0n ? num << shift : num;
	const scaledDen = shift < 0n ? a.den << -shift : a.den;
	let quotient = scaledNum / scaledDen;
	if (quotient * scaledDen !== scaledNum) quotient |= 1n;
	const exponent = -Number(shift);
	// Below the normal range the quotient must be rounded at 2^-1074, not at 53 bits: drop the surplus bits here.
	const surplus = -1074 - exponent;
	if (surplus > bitLength(quotient) - 53) {
		const kept = roundHalfEven(quotient, BigInt(Math.max(surplus, 0)));
		const value = Number(kept) * 2 ** -1074;
		return negative ? -value : value;
	}
	const value = scaleByPowerOfTwo(Number(quotient), exponent);
	return negative ? -value : value;
}

/** The shortest decimal text that is exactly a, or `num/den` when a has no finite decimal expansion. */
export function toText(a: Rational): string {
	let den = a.den;
	let twos = 0;
	let fives = 0;
	while (den % 2n === 0n) {
		den /= 2n;
		twos++;
	}
	while (den % 5n === 0n) {
		den /= 5n;
		fives++;
	}
	if (den !== 1n) return `${a.num}/${a.den}`;
	const sign = a.num < 0n ? "-" : "";
	const places = Math.max(twos, fives);
	const digits = ((a.num < 0n ? -a.num : a.num) * 10n ** BigInt(places)) / a.den;
	return sign + decimalText(digits.toString(), places);
}

function decimalText(digits: string, places: number): string {
	const trimmed = digits.replace(/0+$/, "");
	const exponent = digits.length - 1 - places;
	if (trimmed === "") return "0";
	if (exponent >= -5 && exponent < 16) {
		if (places === 0) return digits;
		const padded = digits.padStart(places + 1, "0");
		return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
	}
	const mantissa = trimmed.length > 1 ? `${trimmed[0]}.${trimmed.slice(1)}` : trimmed;
	return `${mantissa}e${exponent}`;
}

function roundHalfEven(value: bigint, dropped: bigint): bigint {
	if (dropped === 0n) return value;
	const kept = value >> dropped;
	const rest = value - (kept << dropped);
	const middle = 1n << (dropped - 1n);
	return rest > middle || (rest === middle && kept % 2n === 1n) ? kept + 1n : kept;
}

/** x·2^e in at most two exact multiplications (x is a normal double of magnitude near 2^64). */
function scaleByPowerOfTwo(x: number, e: number): number {
	if (e > 1023) return x * 2 ** 1023 * pow2(Math.min(e - 1023, 1023));
	if (e < -1022) return x * 2 ** -60 * pow2(e + 60);
	return x * pow2(e);
}

function bits(a: Rational): number {
	return Math.max(bitLength(a.num < 0n ? -a.num : a.num), bitLength(a.den));
}

function bitLength(a: bigint): number {
	if (a === 0n) return 0;
	const hex = a.toString(16);
	return 4 * (hex.length - 1) + 32 - Math.clz32(Number.parseInt(hex[0], 16));
}

/** The root of a perfect square, by Newton's iteration from above. */
function wholeRoot(a: bigint): bigint | undefined {
	if (a < 2n) return a;
	let root = 1n << BigInt((bitLength(a) + 1) >> 1);
	for (;;) {
		const next = (root + a / root) >> 1n;
		if (next >= root) return root * root === a ? root : undefined;
		root = next;
	}
}

function gcd(a: bigint, b: bigint): bigint {
	let x = a;
	let y = b;
	while (y !== 0n) [x, y] = [y, x % y];
	return x === 0n ? 1n : x;
}
