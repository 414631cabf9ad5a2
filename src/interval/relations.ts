/**
 * What is certain of intervals, and their measures. A relation is true only if it holds for all elements, so
 * `!certainlyLess(a, b)` does not mean that b is less.
 */
import { InputError } from "../errors.ts";
import { checked, type Interval } from "./interval.ts";
import * as measure from "./measure.ts";

/** Every x of a is below every y of b. */
export function certainlyLess(a: Interval, b: Interval): boolean {
	checked(a);
	checked(b);
	return a.hi < b.lo;
}
/** No x of a is above a y of b. */
export function certainlyAtMost(a: Interval, b: Interval): boolean {
	checked(a);
	checked(b);
	return a.hi <= b.lo;
}
export function certainlyPositive(a: Interval): boolean {
	checked(a);
	return a.lo > 0;
}
export function certainlyNegative(a: Interval): boolean {
	checked(a);
	return a.hi < 0;
}
/** No number is in both. */
export function disjoint(a: Interval, b: Interval): boolean {
	checked(a);
	checked(b);
	return a.hi < b.lo || b.hi < a.lo;
}
/** x is an element of a. */
export function contains(a: Interval, x: number): boolean {
	checked(a);
	if (typeof x !== "number") throw new InputError("element", `${x} is no number`, "Give a number.");
	return a.lo <= x && x <= a.hi;
}
/** Every element of a is one of b. */
export function inside(a: Interval, b: Interval): boolean {
	checked(a);
	checked(b);
	return b.lo <= a.lo && a.hi <= b.hi;
}
/**
 * Every element of a is in the interior of b, as fixed-point proofs need it; never so where b has no bound.
 */
export function strictlyInside(a: Interval, b: Interval): boolean {
	checked(a);
	checked(b);
	return b.lo < a.lo && a.hi < b.hi;
}
/** The same set. */
export function equal(a: Interval, b: Interval): boolean {
	checked(a);
	checked(b);
	return a.lo === b.lo && a.hi === b.hi;
}

function measured(of: (lo: number, hi: number) => number, a: Interval): number {
	const { lo, hi } = checked(a);
	return of(lo, hi);
}

/** A number inside, near the middle. */
export const mid = (a: Interval): number => measured(measure.mid, a);
/** Upper bound of the distance from `mid` to any element. */
export const rad = (a: Interval): number => measured(measure.rad, a);
/** Upper bound of hi - lo. */
export const width = (a: Interval): number => measured(measure.width, a);
/** The greatest |x|. */
export const mag = (a: Interval): number => measured(measure.mag, a);
/** The least |x|. */
export const mig = (a: Interval): number => measured(measure.mig, a);
