/**
 * Intervals as closed sets of real numbers, the empty set among them, as the set-based flavour of IEEE 1788 has them. The empty set has the bounds
 * Infinity and -Infinity, the only bounds in that order.
 */
import { InputError } from "../../errors.ts";
import { checked, type Interval } from "../interval.ts";

/** An interval, or a number that stands for itself. */
export type Operand = Interval | number;

/** No number at all. */
export const empty: Interval = { lo: Number.POSITIVE_INFINITY, hi: Number.NEGATIVE_INFINITY };

export function isEmpty(a: Interval): boolean {
	return given(a) === empty;
}

/** The operand as an interval; whoever calls from JavaScript may give anything. The empty set becomes `empty` itself. */
export function given(a: Operand): Interval {
	if (typeof a === "number") {
		if (!Number.isFinite(a)) throw new InputError("interval", `cannot hold ${a}`, "Give a finite number.");
		return { lo: a, hi: a };
	}
	if (a !== null && a !== undefined && a.lo === Number.POSITIVE_INFINITY && a.hi === Number.NEGATIVE_INFINITY)
		return empty;
	return checked(a);
}

/** What both hold. */
export function intersection(a: Operand, b: Operand): Interval {
	const x = given(a);
	const y = given(b);
	return between(Math.max(x.lo, y.lo), Math.min(x.hi, y.hi));
}

/** All numbers from lo to hi; none where lo > hi, or where there is no number between them. */
export function between(lo: number, hi: number): Interval {
	return lo <= hi && lo < Number.POSITIVE_INFINITY && hi > Number.NEGATIVE_INFINITY ? { lo, hi } : empty;
}

/** The least interval that holds both. */
export function convexHull(a: Operand, b: Operand): Interval {
	const x = given(a);
	const y = given(b);
	if (x === empty) return y;
	if (y === empty) return x;
	return { lo: Math.min(x.lo, y.lo), hi: Math.max(x.hi, y.hi) };
}
