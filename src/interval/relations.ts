/**
 * What is certain of intervals, and their measures. A relation is true only if it holds for all elements, so
 * `!certainlyLess(a, b)` does not mean that b is less.
 */
import type { Interval } from "./interval.ts";
import * as measure from "./measure.ts";

/** Every x of a is below every y of b. */
export function certainlyLess(a: Interval, b: Interval): boolean {
	return a.hi < b.lo;
}
/** No x of a is above a y of b. */
export function certainlyAtMost(a: Interval, b: Interval): boolean {
	return a.hi <= b.lo;
}
export function certainlyPositive(a: Interval): boolean {
	return a.lo > 0;
}
export function certainlyNegative(a: Interval): boolean {
	return a.hi < 0;
}
/** No number is in both. */
export function disjoint(a: Interval, b: Interval): boolean {
	return a.hi < b.lo || b.hi < a.lo;
}
/** x is an element of a. */
export function contains(a: Interval, x: number): boolean {
	return a.lo <= x && x <= a.hi;
}
/** Every element of a is one of b. */
export function inside(a: Interval, b: Interval): boolean {
	return b.lo <= a.lo && a.hi <= b.hi;
}
/**
 * Every element of a is in the interior of b, as fixed-point proofs need it; never so where b has no bound.
 */
export function strictlyInside(a: Interval, b: Interval): boolean {
	return b.lo < a.lo && a.hi < b.hi;
}
/** The same set. */
export function equal(a: Interval, b: Interval): boolean {
	return a.lo === b.lo && a.hi === b.hi;
}

/** A number inside, near the middle. */
export const mid = (a: Interval): number => measure.mid(a.lo, a.hi);
/** Upper bound of the distance from `mid` to any element. */
export const rad = (a: Interval): number => measure.rad(a.lo, a.hi);
/** Upper bound of hi - lo. */
export const width = (a: Interval): number => measure.width(a.lo, a.hi);
/** The greatest |x|. */
export const mag = (a: Interval): number => measure.mag(a.lo, a.hi);
/** The least |x|. */
export const mig = (a: Interval): number => measure.mig(a.lo, a.hi);
