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
import { exponent, mantissa, pow2 } from "../../num/elementary/primitives.ts";
import { divPairs, mulNumber, mulPairs, type Pair, productError } from "../double-double.ts";
import { after, type Side, scaleToward } from "../rounding.ts";
import { nearOne, toward } from "../toward.ts";
import { exactPowerToward } from "./exact-power.ts";
import { expPair, type Scaled } from "./exp.ts";
import { logPair } from "./log.ts";
import { sqrtToward } from "./root.ts";

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

/**
 * The best bound of x^n for 0 <= x <= Inf and a whole n other than 0; Inf for 0 to a negative power. Where the pair cannot tell, as it
 * always is where the power is a double, whole numbers do.
 */
export function powWholeToward(x: number, n: number, side: Side): number {
	if (x === 1) return 1;
	if (x === 0 || x === Number.POSITIVE_INFINITY) return (x === 0) === n > 0 ? 0 : Number.POSITIVE_INFINITY;
	if (Math.abs(n) > MOST_PRODUCTS) return powToward(x, n, side);
	const small = n > 0 && n <= 16 ? exactProduct(x, n) : 0;
	if (small !== 0) return small;
	const y = powWholePair(x, n);
	if (Math.abs(y.k) > 1150) return scaleToward(1, y.k > 0 ? 2000 : -2000, side);
	// Doubles as far as 2^-1021; below, few bits are left, and the error of the pair may be between two of them.
	const inner = toward(-side as Side, y, POW_ERROR);
	const outer = toward(side, y, POW_ERROR);
	const decided = side < 0 ? after(outer) === inner : after(inner) === outer;
	return decided && y.k > -1020 ? scaleToward(outer, y.k, side) : exactPowerToward(x, n, side);
}

/** x^n where all products are exact and of moderate size, else 0. */
function exactProduct(x: number, n: number): number {
	let power = x;
	for (let i = 1; i < n; i++) {
		const next = power * x;
		if (!(next > 1e-270 && next < 1e300) || productError(power, x, next) !== 0) return 0;
		power = next;
	}
	return power;
}

/**
 * Bound of x^y for 0 <= x <= Inf and any y, with the limits that a corner of a rectangle needs: 0 and Inf to
 * the power 0 are 1, as is 1 to the power ±Inf. Where y = n/2^j and x is a 2^j-th power of a double r, x^y = r^n;
 * elsewhere it is irrational.
 */
export function powToward(x: number, y: number, side: Side): number {
	if (x === 1 || y === 0) return 1;
	if (x === 0 || x === Number.POSITIVE_INFINITY || Math.abs(y) === Number.POSITIVE_INFINITY)
		return x > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
	let root = x;
	let n = y;
	while (Math.abs(n) < MOST_PRODUCTS) {
		if (Number.isInteger(n)) return powWholeToward(root, n, side);
		const half = sqrtToward(root, -1);
		if (half !== sqrtToward(root, 1)) break;
		root = half;
		n *= 2;
	}
	const logarithm = logPair(x);
	const size = logarithm.hi * y;
	if (Math.abs(size) > 800) return scaleToward(1, size > 0 ? 2000 : -2000, side);
	// On which side of 1, the factors say, as their product may underflow.
	if (Math.abs(size) < pow2(-61)) return nearOne(x > 1 === y > 0, side);
	const { hi, lo } = mulNumber(logarithm, y);
	const power = expPair(hi, lo);
	return scaleToward(toward(side, power, POW_ERROR), power.k, side);
}
