/**
 * Array forms as functions of intervals that may be empty: any empty operand gives the empty set.
 */
import type { Bounds } from "../arithmetic.ts";
import { domain } from "../domain.ts";
import { areBounds, entire, type Interval } from "../interval.ts";
import type { Side } from "../rounding.ts";
import { between, empty, given, type Operand } from "./set-interval.ts";

type Unary = (out: Float64Array, o: number, a: Bounds, i: number) => void;
type Binary = (out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number) => void;
/** Bound of f(x) on one side. */
export type Toward = (x: number, side: Side) => number;

/** Operands at 0, 2 and 4, the result at 6. */
export const cells = new Float64Array(8);

/** Writes an operand; false where it is empty. What is no interval is told apart only where it is not the common case. */
export function put(i: number, a: Operand): boolean {
	if (typeof a === "object" && a !== null) {
		const lo = a.lo;
		const hi = a.hi;
		if (areBounds(lo, hi)) {
			cells[i] = lo;
			cells[i + 1] = hi;
			return true;
		}
	}
	const x = given(a);
	cells[i] = x.lo;
	cells[i + 1] = x.hi;
	return x !== empty;
}

export function taken(): Interval {
	return { lo: cells[6], hi: cells[7] };
}

/** `within`: where the function is defined; the part of the argument outside counts for nothing. */
export function unary(into: Unary, within: Interval = entire): (a: Operand) => Interval {
	const { lo, hi } = within;
	return (a) => {
		if (!put(0, a)) return empty;
		if (cells[1] < lo || cells[0] > hi) return nowhere();
		into(cells, 6, cells, 0);
		return { lo: cells[6], hi: cells[7] };
	};
}

export function binary(into: Binary): (a: Operand, b: Operand) => Interval {
	return (a, b) => {
		const first = put(0, a);
		if (!put(2, b) || !first) return empty;
		into(cells, 6, cells, 0, cells, 2);
		return { lo: cells[6], hi: cells[7] };
	};
}

/** A function that grows all over its domain, or falls (`sense` -1). An end that gives the wrong infinity is no part of the domain. */
export function monotonic(f: Toward, within: Interval, sense: Side = 1): (a: Operand) => Interval {
	return (a) => {
		const x = given(a);
		const lo = Math.max(x.lo, within.lo);
		const hi = Math.min(x.hi, within.hi);
		if (!(lo <= hi)) return x === empty ? empty : nowhere();
		const [start, end] = sense > 0 ? [f(lo, -1), f(hi, 1)] : [f(hi, -1), f(lo, 1)];
		if (x.lo < lo || x.hi > hi || isPole(f, lo) || isPole(f, hi)) domain.left = true;
		return between(start, end);
	};
}

/** Overflow leaves one of the two bounds. */
function isPole(f: Toward, x: number): boolean {
	return Number.isFinite(x) && !Number.isFinite(f(x, -1)) && !Number.isFinite(f(x, 1));
}

/** What a function makes of numbers where it is not defined. */
export function nowhere(): Interval {
	domain.left = true;
	return empty;
}
