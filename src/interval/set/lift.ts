/**
 * Array forms as functions of intervals that may be empty: any empty operand gives the empty set.
 */
import type { Bounds } from "../arithmetic.ts";
import { domain } from "../domain.ts";
import type { Interval } from "../interval.ts";
import type { Side } from "../rounding.ts";
import { between, empty, given, type Operand } from "./set-interval.ts";

type Unary = (out: Float64Array, o: number, a: Bounds, i: number) => void;
type Binary = (out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number) => void;
/** Bound of f(x) on one side. */
export type Toward = (x: number, side: Side) => number;

/** Operands at 0, 2 and 4, the result at 6. */
export const cells = new Float64Array(8);

export function put(i: number, { lo, hi }: Interval): void {
	cells[i] = lo;
	cells[i + 1] = hi;
}

export function taken(): Interval {
	return { lo: cells[6], hi: cells[7] };
}

/** `within`: where the function is defined; the part of the argument outside counts for nothing. */
export function unary(into: Unary, within?: Interval): (a: Operand) => Interval {
	return (a) => {
		const x = given(a);
		if (x === empty) return empty;
		if (within && (x.hi < within.lo || x.lo > within.hi)) return nowhere();
		put(0, x);
		into(cells, 6, cells, 0);
		return taken();
	};
}

export function binary(into: Binary): (a: Operand, b: Operand) => Interval {
	return (a, b) => {
		const x = given(a);
		const y = given(b);
		if (x === empty || y === empty) return empty;
		put(0, x);
		put(2, y);
		into(cells, 6, cells, 0, cells, 2);
		return taken();
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
