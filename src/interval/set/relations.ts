/** Relations of sets, as IEEE 1788 defines them, with the empty set; and those that hold for all elements. */
import { InputError } from "../../errors.ts";
import type { Interval } from "../interval.ts";
import { empty, given } from "./set-interval.ts";

type Relation = (a: Interval, b: Interval) => boolean;
type Test = (lo: number, hi: number, otherLo: number, otherHi: number) => boolean;

/** A relation of bounds, with what holds where the first, the second, or both are empty. */
function relation(first: boolean, second: boolean, both: boolean, test: Test): Relation {
	return (a, b) => {
		const [x, y] = [given(a), given(b)];
		if (x === empty) return y === empty ? both : first;
		return y === empty ? second : test(x.lo, x.hi, y.lo, y.hi);
	};
}

/** The same set. */
export const equal = relation(false, false, true, (lo, hi, from, to) => lo === from && hi === to);
/** Every element of a is one of b. */
export const subset = relation(true, false, true, (lo, hi, from, to) => from <= lo && hi <= to);
/** Every element of a is in the interior of b. */
export const interior = relation(true, false, true, (lo, hi, from, to) => below(from, lo) && below(hi, to));
/** For every x of a there is a y >= x in b, and for every y an x <= y. */
export const less = relation(false, false, true, (lo, hi, from, to) => lo <= from && hi <= to);
/** The like with < for bounded ends. */
export const strictLess = relation(
	false,
	false,
	true,
	(lo, hi, from, to) => below(lo, from) && below(hi, to),
);
/** No x of a is above a y of b. */
export const precedes = relation(true, true, true, (_lo, hi, from) => hi <= from);
/** Every x of a is below every y of b. */
export const strictPrecedes = relation(true, true, true, (_lo, hi, from) => hi < from);
/** No number is in both. */
export const disjoint = relation(true, true, true, (lo, hi, from, to) => hi < from || to < lo);
/**
 * Every element of a is in the interior of b, as fixed-point proofs need it; never so where b has no bound.
 */
export const strictlyInside = relation(true, false, true, (lo, hi, from, to) => from < lo && hi < to);
export { precedes as certainlyAtMost, strictPrecedes as certainlyLess, subset as inside };

/** Two ends, the first before the second; two that are the same infinity count too. */
function below(a: number, b: number): boolean {
	return a < b || (a === b && !Number.isFinite(a));
}

export function certainlyPositive(a: Interval): boolean {
	return given(a).lo > 0;
}
export function certainlyNegative(a: Interval): boolean {
	return given(a).hi < 0;
}

export function isEntire(a: Interval): boolean {
	const { lo, hi } = given(a);
	return lo === Number.NEGATIVE_INFINITY && hi === Number.POSITIVE_INFINITY;
}

/** One number. */
export function isSingleton(a: Interval): boolean {
	const { lo, hi } = given(a);
	return lo === hi;
}

/** Bounded, and not empty. */
export function isCommonInterval(a: Interval): boolean {
	const x = given(a);
	return x !== empty && Number.isFinite(x.lo) && Number.isFinite(x.hi);
}

/** x is an element of a; infinities are no elements. */
export function isMember(x: number, a: Interval): boolean {
	const { lo, hi } = given(a);
	if (typeof x !== "number") throw new InputError("element", `${x} is no number`, "Give a number.");
	return lo <= x && x <= hi && Number.isFinite(x);
}

/** x is an element of a; infinities are no elements. */
export function contains(a: Interval, x: number): boolean {
	return isMember(x, a);
}

/** How two intervals lie to one another. */
export type Overlap =
	| "bothEmpty"
	| "firstEmpty"
	| "secondEmpty"
	| "before"
	| "meets"
	| "overlaps"
	| "starts"
	| "containedBy"
	| "finishes"
	| "equals"
	| "finishedBy"
	| "contains"
	| "startedBy"
	| "overlappedBy"
	| "metBy"
	| "after";

/** How a lies to b: one of the sixteen states of IEEE 1788. */
export function overlap(a: Interval, b: Interval): Overlap {
	const [x, y] = [given(a), given(b)];
	if (x === empty) return y === empty ? "bothEmpty" : "firstEmpty";
	if (y === empty) return "secondEmpty";
	if (x.hi < y.lo) return "before";
	if (y.hi < x.lo) return "after";
	if (x.lo === y.lo) return x.hi === y.hi ? "equals" : x.hi < y.hi ? "starts" : "startedBy";
	if (x.hi === y.hi) return x.lo > y.lo ? "finishes" : "finishedBy";
	if (x.hi === y.lo) return "meets";
	if (y.hi === x.lo) return "metBy";
	if (x.lo > y.lo && x.hi < y.hi) return "containedBy";
	if (x.lo < y.lo && x.hi > y.hi) return "contains";
	return x.lo < y.lo ? "overlaps" : "overlappedBy";
}
