/** What can be said of a set by numbers; NaN of the empty set. Measures that are bounds themselves are rounded up. */
import type { Interval } from "../interval.ts";
import * as measure from "../measure.ts";
import { empty, given } from "./set-interval.ts";

function measured(of: (lo: number, hi: number) => number, a: Interval): number {
	const x = given(a);
	return x === empty ? Number.NaN : of(x.lo, x.hi) + 0;
}

/** The greatest lower bound, with -0 for 0, so that 1/inf is right. */
export function inf(a: Interval): number {
	const { lo } = given(a);
	return lo === 0 ? -0 : lo;
}

/** The least upper bound, with +0 for 0. */
export function sup(a: Interval): number {
	return given(a).hi + 0;
}

/** A number inside, the double nearest to the middle. */
export const mid = (a: Interval): number => measured(measure.mid, a);
/** The least double r with mid ± r holding all of a. */
export const rad = (a: Interval): number => measured(measure.rad, a);
/** hi - lo, rounded up. */
export const wid = (a: Interval): number => measured(measure.width, a);
/** The greatest |x|. */
export const mag = (a: Interval): number => measured(measure.mag, a);
/** The least |x|. */
export const mig = (a: Interval): number => measured(measure.mig, a);
export { wid as width };

/** Middle and radius. */
export function midRad(a: Interval): { readonly mid: number; readonly rad: number } {
	return { mid: mid(a), rad: rad(a) };
}
