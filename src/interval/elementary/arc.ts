/**
 * atan, asin and acos with proved errors, all from the angle of a point (x, y) of the first quadrant.
 *
 * With y <= x (else π/2 less the mirrored angle), c = j/16 the nearest to y/x and z = (y - cx)/(x + cy), |z|
 * <= 1/32 + 2^-40: angle = atan c + atan z, atan c from a table. atan z = z + z·(-z²/3 + z⁴/5 - …), one pair
 * coefficient, doubles from z⁴/5 to z^14/15, z^16/17 < 2^-84 left out. By `sumSeries` the bracket is off by
 * 2^-50.4·z⁴/5 + 2^-99·z²/3 < 2^-72.6.
 *
 * Error, where x and y have relative errors <= 2^-77: the angle is off by at most half their sum,
 * sin(2·angle)/2·2^-76, a relative 2^-76. For j = 0, z = y/x has relative error 2^-101, so atan z has <
 * 2^-72.5. For j > 0, y - cx is off by < 2^-100·y, so z by < 2^-99; the angle is > 0.03, |z| < 0.0313, so all
 * has relative error < 2^-72. π/2 less an angle up to π/4 adds 2^-102. In all < 2^-71.9. The bounds use
 * 2^-70.
 *
 * asin x is the angle of (√((1-x)(1+x)), x), acos x twice that of (√(1+x), √(1-x)); 1 ± x are exact pairs,
 * roots have 2^-78.
 */
import { exponent, pow2 } from "../../num/elementary/primitives.ts";
import {
	addPairs,
	divPairs,
	mulNumber,
	mulPairs,
	negate,
	type Pair,
	sqrtPair,
	timesPower,
	twoSum,
} from "../double-double.ts";
import type { Side } from "../rounding.ts";
import { NEAR_ZERO, nearQuotient, nearZero, toward } from "../toward.ts";
import { seriesOfReciprocals, sumSeries } from "./series.ts";
import { arcs, entry, HALF_PI } from "./tables.ts";

/** Twice the proved relative error (and more) of the three functions. */
export const ARC_ERROR = pow2(-70);
const PI = timesPower(HALF_PI, 2);
const series = seriesOfReciprocals([-3, 5, -7, 9, -11, 13, -15], 1);

function angleOf(x: Pair, y: Pair): Pair {
	if (y.hi > x.hi) return addPairs(HALF_PI, negate(angleOf(y, x)));
	const j = Math.round((16 * y.hi) / x.hi);
	const c = j / 16;
	const z = j === 0 ? divPairs(y, x) : divPairs(addPairs(y, mulNumber(x, -c)), addPairs(x, mulNumber(y, c)));
	const small = addPairs(z, mulPairs(z, sumSeries(series, mulPairs(z, z))));
	return j === 0 ? small : addPairs(entry(arcs, j), small);
}

/** atan x for 2^-30 <= x <= Inf. Beyond 2^100 it is π/2 but for a relative 2^-100. */
export function atanPair(x: number): Pair {
	return x > 1e30 ? HALF_PI : angleOf({ hi: 1, lo: 0 }, { hi: x, lo: 0 });
}

/** asin x for 2^-30 <= x <= 1. */
export function asinPair(x: number): Pair {
	if (x === 1) return HALF_PI;
	return angleOf(sqrtPair(mulPairs(twoSum(1, -x), twoSum(1, x))), { hi: x, lo: 0 });
}

/** acos x for -1 <= x < 1. */
export function acosPair(x: number): Pair {
	if (x === -1) return timesPower(HALF_PI, 2);
	return timesPower(angleOf(sqrtPair(twoSum(1, x)), sqrtPair(twoSum(1, -x))), 2);
}

/** Bound of atan x; x may be infinite. */
export function atanToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, false, side);
	return odd(atanPair, x, side);
}

/** Bound of asin x, |x| <= 1. */
export function asinToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, true, side);
	return odd(asinPair, x, side);
}

/** Bound of acos x, |x| <= 1. */
export function acosToward(x: number, side: Side): number {
	return x === 1 ? 0 : toward(side, acosPair(x), ARC_ERROR);
}

function odd(pair: (x: number) => Pair, x: number, side: Side): number {
	return x < 0 ? -toward(-side as Side, pair(-x), ARC_ERROR) : toward(side, pair(x), ARC_ERROR);
}

/**
 * Bound of the angle of the point (x, y), from -π to π, for y >= 0, or y < 0 as the mirror image; not both 0 and not both infinite. Both are scaled by one
 * power of two, so that the greater is near 1. Where one is less than 2^-100 of the other, the angle is y/x, π/2 or π but for a relative
 * 2^-99, and where it is y/x, its distance to that is less than a relative 2^-200.
 */
export function angleToward(y: number, x: number, side: Side): number {
	if (y < 0) return 0 - angleToward(-y, x, -side as Side);
	const size = Math.abs(x);
	if (y === 0 || size === Number.POSITIVE_INFINITY) return x > 0 ? 0 : toward(side, PI, ARC_ERROR);
	if (x === 0 || y === Number.POSITIVE_INFINITY) return toward(side, HALF_PI, ARC_ERROR);
	if (y < size * 1e-31) return x > 0 ? nearQuotient(y, x, false, side) : toward(side, PI, ARC_ERROR);
	if (size < y * 1e-31) return toward(side, HALF_PI, ARC_ERROR);
	const up = Math.max(size, y) < pow2(-900) ? pow2(600) : 1;
	const unit = pow2(-exponent(Math.max(size, y) * up));
	const angle = angleOf({ hi: size * up * unit, lo: 0 }, { hi: y * up * unit, lo: 0 });
	return toward(side, x > 0 ? angle : addPairs(PI, negate(angle)), ARC_ERROR);
}
