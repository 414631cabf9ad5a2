/**
 * Boxes: vectors of intervals in one array, side k with its bounds at 2k and 2k + 1, so that the array
 * operations work on them.
 */
import { InputError } from "../errors.ts";
import type { Bounds } from "./arithmetic.ts";
import { hullInto } from "./arithmetic.ts";
import { checked, type Interval, interval } from "./interval.ts";
import * as measure from "./measure.ts";
import { mulUp } from "./tightest.ts";

export type Box = Float64Array;

type Pair = readonly [lo: number, hi: number];

function isPair(side: Interval | Pair): side is Pair {
	return Array.isArray(side);
}

/** The box with these sides. */
export function box(sides: readonly (Interval | Pair)[]): Box {
	const out = new Float64Array(2 * sides.length);
	sides.forEach((side, k) => {
		const { lo, hi } = isPair(side) ? interval(side[0], side[1]) : checked(side);
		out[2 * k] = lo;
		out[2 * k + 1] = hi;
	});
	return out;
}

/** The box that holds one point. */
export function boxOfPoint(point: ArrayLike<number>): Box {
	return box(Array.from(point, (x) => ({ lo: x, hi: x })));
}

export function boxSide(a: Bounds, k: number): Interval {
	return { lo: a[2 * k], hi: a[2 * k + 1] };
}

/** Upper bound of the greatest width of a side. */
export function boxWidth(a: Bounds): number {
	let most = 0;
	for (let i = 0; i < a.length; i += 2) most = Math.max(most, measure.width(a[i], a[i + 1]));
	return most;
}

/**
 * The number of the widest side, each width divided by its scale if scales are given; the first of equals.
 */
export function boxWidestSide(a: Bounds, scales?: ArrayLike<number>): number {
	let best = 0;
	let most = -1;
	for (let k = 0; 2 * k < a.length; k++) {
		const size = measure.width(a[2 * k], a[2 * k + 1]) / (scales ? scales[k] : 1);
		if (size > most) {
			most = size;
			best = k;
		}
	}
	return best;
}

/** Upper bound of the product of the widths. */
export function boxVolume(a: Bounds): number {
	let volume = 1;
	for (let i = 0; i < a.length; i += 2) volume = mulUp(volume, measure.width(a[i], a[i + 1]));
	return volume;
}

/** The point of the middles; it is in the box. */
export function boxMid(a: Bounds): Float64Array {
	const point = new Float64Array(a.length / 2);
	for (let k = 0; k < point.length; k++) point[k] = measure.mid(a[2 * k], a[2 * k + 1]);
	return point;
}

/** The two halves of a box, cut across the given side; nothing where no double is between its bounds. */
export function boxBisect(a: Box, k: number = boxWidestSide(a)): [Box, Box] | undefined {
	const cut = measure.mid(a[2 * k], a[2 * k + 1]);
	if (!(a[2 * k] < cut && cut < a[2 * k + 1])) return undefined;
	const lower = a.slice();
	const upper = a.slice();
	lower[2 * k + 1] = cut;
	upper[2 * k] = cut;
	return [lower, upper];
}

/** What both boxes hold, or nothing. */
export function boxIntersect(a: Box, b: Bounds): Box | undefined {
	sameSize(a, b);
	const out = a.slice();
	for (let i = 0; i < a.length; i += 2) {
		out[i] = Math.max(a[i], b[i]);
		out[i + 1] = Math.min(a[i + 1], b[i + 1]);
		if (!(out[i] <= out[i + 1])) return undefined;
	}
	return out;
}

/** The least box that holds both. */
export function boxHull(a: Box, b: Bounds): Box {
	sameSize(a, b);
	const out = new Float64Array(a.length);
	for (let i = 0; i < a.length; i += 2) hullInto(out, i, a, i, b, i);
	return out;
}

/** The point is in the box. */
export function boxContains(a: Bounds, point: ArrayLike<number>): boolean {
	sameSize(a, { length: 2 * point.length });
	for (let k = 0; k < point.length; k++) {
		if (!(a[2 * k] <= point[k] && point[k] <= a[2 * k + 1])) return false;
	}
	return true;
}

/** Every point of a is one of b. */
export function boxInside(a: Bounds, b: Bounds): boolean {
	sameSize(a, b);
	for (let i = 0; i < a.length; i += 2) {
		if (!(b[i] <= a[i] && a[i + 1] <= b[i + 1])) return false;
	}
	return true;
}

/** Every point of a is in the interior of b, as fixed-point proofs need it. */
export function boxStrictlyInside(a: Bounds, b: Bounds): boolean {
	sameSize(a, b);
	for (let i = 0; i < a.length; i += 2) {
		if (!(b[i] < a[i] && a[i + 1] < b[i + 1])) return false;
	}
	return true;
}

function sameSize(a: { length: number }, b: { length: number }): void {
	if (a.length !== b.length)
		throw new InputError(
			"box",
			`has ${a.length / 2} sides, the other ${b.length / 2}`,
			"Give boxes of one space.",
		);
}
