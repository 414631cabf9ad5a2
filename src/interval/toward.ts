/**
 * From an approximation with a known error to a bound: the last step of every elementary function.
 */
import { pow2 } from "../num/elementary/primitives.ts";
import { fastTwoSum, type Pair } from "./double-double.ts";
import { after, before, type Side } from "./rounding.ts";
import { divDown, divUp } from "./tightest.ts";

/**
 * The bound, on the given side, of a truth that the pair x has with relative error <= error/2, where 2^-80 <=
 * error <= 2^-55 and 2^-300 <= |x| <= 2^300. All roundings here (and relative to x instead of the truth) are
 * below 2^-100·|x|, far less than the other half of `error`. The sum of hi and the shifted lo is exact, so
 * the sign of its low part says whether s itself is a bound; where it is not, the bound is the double next to
 * it, as the low part is at most half an ulp. So the result is the best bound but for the few cases, in
 * number about error·2^53, where the truth is that near to a double.
 */
export function toward(side: Side, x: Pair, error: number): number {
	const { hi, lo } = fastTwoSum(x.hi, x.lo + side * Math.abs(x.hi) * error);
	if (side < 0) return lo < 0 ? before(hi) : hi;
	return lo > 0 ? after(hi) : hi;
}

/**
 * Below this |x|, f(x) = x ± x³/2 at most for the odd functions here, which is nearer to x than the next
 * doubles.
 */
export const NEAR_ZERO = pow2(-30);

/**
 * Bound of f(x) for |x| < 2^-30, where f is odd and |f(x) - x| <= |x|³/2; `outer` says that |f(x)| >= |x|.
 * The difference is at most |x|·2^-61, less than a quarter of the distance to the next double.
 */
export function nearZero(x: number, outer: boolean, side: Side): number {
	if (x === 0) return 0;
	const exact = outer === x > 0 ? -1 : 1;
	if (side === exact) return x;
	return side < 0 ? before(x) : after(x);
}

/** Bound of a number that differs from 1 by less than 2^-60 (but is not 1), above it or below. */
export function nearOne(above: boolean, side: Side): number {
	if (side < 0) return above ? 1 : before(1);
	return above ? after(1) : 1;
}

/**
 * Bound of a number with the sign of x that differs from 1/x by less than a relative 2^-150, but is not 1/x: larger in size, or not. Where 1/x is no
 * double it is further than 2^-106 from one.
 */
export function nearReciprocal(x: number, larger: boolean, side: Side): number {
	return nearQuotient(1, x, larger, side);
}

/** The like of y/x, y > 0. */
export function nearQuotient(y: number, x: number, larger: boolean, side: Side): number {
	if (x < 0) return 0 - nearQuotient(y, -x, larger, -side as Side);
	const lo = divDown(y, x);
	const hi = divUp(y, x);
	if (lo !== hi) return side < 0 ? lo : hi;
	if (side < 0) return larger ? lo : before(lo);
	return larger ? after(lo) : lo;
}
