/**
 * What can be said of an interval by numbers, from its bounds. Measures that are bounds themselves are
 * rounded up.
 */
import { addUp } from "./tightest.ts";

/** A number inside, the nearest to the middle that doubles give; finite even where a bound is not. */
export function mid(lo: number, hi: number): number {
	const sum = lo + hi;
	if (Number.isFinite(sum)) return sum / 2;
	if (lo === Number.NEGATIVE_INFINITY) return hi === Number.POSITIVE_INFINITY ? 0 : -Number.MAX_VALUE;
	return hi === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : lo / 2 + hi / 2;
}

/** Upper bound of hi - lo; 0 for a point. */
export function width(lo: number, hi: number): number {
	return lo === hi ? 0 : addUp(hi, -lo);
}

/** Upper bound of the distance from `mid` to any element: mid ± rad holds the interval. */
export function rad(lo: number, hi: number): number {
	const middle = mid(lo, hi);
	return lo === hi ? 0 : Math.max(addUp(hi, -middle), addUp(middle, -lo));
}

/** The greatest |x|. */
export function mag(lo: number, hi: number): number {
	return Math.max(-lo, hi);
}

/** The least |x|. */
export function mig(lo: number, hi: number): number {
	return lo > 0 ? lo : hi < 0 ? -hi : 0;
}
