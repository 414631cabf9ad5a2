/**
 * x^n for whole n, and x^y, with proved errors, for x > 0.
 *
 * x^n: x = m·2^e, m^n by squaring and multiplying pairs, kept in [1/2, 4) by powers of two. Each product has
 *   a relative error < 9u², and an error is doubled when its number is squared, so the sum is below 9u²·2n <
 *   2^-67 for n <= 2^34. A reciprocal adds 2^-101.
 * x^y = e^(y·log x): log x has relative error 2^-77 and the product with y 4u²; |y·log x| <= 800, so it is
 *   off by < 2^-67.3, as is, relatively, the power. With 2^-68 of `expPair`: < 2^-66.6.
 * The bounds use 2^-65.
 */
import { exponent, mantissa, pow2 } from "../num/elementary/primitives.ts";
import { divPairs, mulNumber, mulPairs, type Pair } from "./double-double.ts";
import { expPair, type Scaled } from "./exp.ts";
import { logPair } from "./log.ts";
import { type Side, scaleToward } from "./rounding.ts";
import { nearOne, toward } from "./toward.ts";

/** Twice the proved relative error (and more). */
export const POW_ERROR = pow2(-65);
const ONE: Pair = { hi: 1, lo: 0 };
/** Beyond this |n|, x^n is taken as e^(n·log x). */
const MOST_PRODUCTS = pow2(30);

/** x^n for a finite x > 0 and a whole n from -2^30 to 2^30. */
export function powWholePair(x: number, n: number): Scaled {
	const subnormal = x < 2.2250738585072014e-308;
	const normal = subnormal ? x * pow2(54) : x;
	const base = { hi: mantissa(normal), lo: 0, k: exponent(normal) - (subnormal ? 54 : 0) };
	const size = Math.abs(n);
	let result: Scaled = { hi: 1, lo: 0, k: 0 };
	for (let bit = pow2(Math.max(exponent(size), 0)); bit >= 1; bit /= 2) {
		result = mulScaled(result, result);
		if (Math.floor(size / bit) % 2 === 1) result = mulScaled(result, base);
	}
	if (n >= 0) return result;
	const { hi, lo } = divPairs(ONE, result);
	return { hi, lo, k: -result.k };
}

function mulScaled(x: Scaled, y: Scaled): Scaled {
	const { hi, lo } = mulPairs(x, y);
	const k = x.k + y.k;
	return hi >= 2 ? { hi: hi / 2, lo: lo / 2, k: k + 1 } : { hi, lo, k };
}

/** Bound of x^n for 0 <= x <= Inf and a whole n other than 0; Inf for 0 to a negative power. */
export function powWholeToward(x: number, n: number, side: Side): number {
	if (x === 1) return 1;
	if (x === 0 || x === Number.POSITIVE_INFINITY) return (x === 0) === n > 0 ? 0 : Number.POSITIVE_INFINITY;
	if (Math.abs(n) > MOST_PRODUCTS) return powToward(x, n, side);
	const y = powWholePair(x, n);
	return scaleToward(toward(side, y, POW_ERROR), y.k, side);
}

/**
 * Bound of x^y for 0 <= x <= Inf and any y, with the limits that a corner of a rectangle needs: 0 and Inf to
 * the power 0 are 1, as is 1 to the power ±Inf.
 */
export function powToward(x: number, y: number, side: Side): number {
	if (x === 1 || y === 0) return 1;
	if (x === 0 || x === Number.POSITIVE_INFINITY || Math.abs(y) === Number.POSITIVE_INFINITY)
		return x > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
	const logarithm = logPair(x);
	const size = logarithm.hi * y;
	if (Math.abs(size) > 800) return scaleToward(1, size > 0 ? 2000 : -2000, side);
	// On which side of 1, the factors say, as their product may underflow.
	if (Math.abs(size) < pow2(-61)) return nearOne(x > 1 === y > 0, side);
	const { hi, lo } = mulNumber(logarithm, y);
	const power = expPair(hi, lo);
	return scaleToward(toward(side, power, POW_ERROR), power.k, side);
}
