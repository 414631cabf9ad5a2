/**
 * Data narrow the remainder of a set too. What a drifting parameter did since the start is in no unknown, only in e = C·r; an output y = h(P + e)
 * in the bar of a datum says h(P) + G·e is in it, with G all slopes of h over the set. Each r_j and each e_i is then what the others
 * leave of the bar (the contractor of section 4.2.2 of [kletting2011], for the remainder in place of the unknowns), and the set is centred anew.
 */
import type { Interval } from "../../../interval/interval.ts";
import { mag, mid, rad } from "../../../interval/measure.ts";
import { add, div, intersect, mul, sub } from "../../../interval/operations.ts";
import { identity } from "../../../num/linear/dense.ts";
import type { FlowSet } from "../flow/flow-set.ts";

const UP = 1 + 2 ** -40;

/** One datum: slopes of the output by each state (bounds, stride 2), and what G·e has to be in. */
export interface RemainderDatum {
	readonly slopes: Float64Array;
	readonly rest: Interval;
}

/** Narrows the remainder of a set, whose polynomials have M terms; false when nothing is left. */
export function correctRemainder(set: FlowSet, M: number, data: readonly RemainderDatum[]): boolean {
	const n = set.R.length;
	const { C } = set;
	const r = Array.from(set.R, (value): Interval => ({ lo: -value, hi: value }));
	const e: Interval[] = [];
	for (let i = 0; i < n; i++) {
		const turned = sumOf(n, (j) => mul(C[i * n + j], r[j]));
		const both = intersect(turned, { lo: -set.B[i], hi: set.B[i] });
		if (!both) return false;
		e.push(both);
	}
	for (const { slopes, rest } of data) {
		const G = Array.from({ length: n }, (_, i): Interval => ({ lo: slopes[2 * i], hi: slopes[2 * i + 1] }));
		const W = G.map((_, j) => sumOf(n, (i) => mul(G[i], C[i * n + j])));
		if (!contractLinear(r, W, rest) || !contractLinear(e, G, rest)) return false;
	}
	// What the data took from r is no longer in e, either.
	for (let i = 0; i < n; i++) {
		const both = intersect(
			e[i],
			sumOf(n, (j) => mul(C[i * n + j], r[j])),
		);
		if (!both) return false;
		e[i] = both;
	}
	if (volume(e) < volume(r)) standUpright(set, M, e);
	else recentre(set, M, r, e);
	return true;
}

/** C is orthogonal, so volumes of boxes in either basis compare. */
function volume(box: readonly Interval[]): number {
	return box.reduce((product, { lo, hi }) => product * rad(lo, hi), 1);
}

/** The box of all e by itself, without C: after an exact datum the smaller of the two, and its axes are those that the flow turns next. */
function standUpright(set: FlowSet, M: number, e: readonly Interval[]): void {
	const n = e.length;
	set.B = Float64Array.from(e, ({ lo, hi }, i) => {
		const before = set.P[i * M];
		const after = before + mid(lo, hi);
		const left = sub({ lo, hi }, sub(after, before));
		set.P[i * M] = after;
		return mag(left.lo, left.hi);
	});
	set.R = set.B.slice();
	set.C = identity(n);
}

function sumOf(n: number, term: (k: number) => Interval): Interval {
	let sum: Interval = { lo: 0, hi: 0 };
	for (let k = 0; k < n; k++) sum = add(sum, term(k));
	return sum;
}

/** Narrows each v_k, given that Σ_k slope_k·v_k is in `rest`; false when nothing is left. */
export function contractLinear(v: Interval[], slope: readonly Interval[], rest: Interval): boolean {
	for (let k = 0; k < v.length; k++) {
		if (!(slope[k].lo > 0 || slope[k].hi < 0)) continue;
		const others = sumOf(v.length, (j) => (j === k ? { lo: 0, hi: 0 } : mul(slope[j], v[j])));
		const left = intersect(v[k], div(sub(rest, others), slope[k]));
		if (!left) return false;
		v[k] = left;
	}
	return true;
}

/** The same set, with what r and e are off their middles moved into P. */
function recentre(set: FlowSet, M: number, r: readonly Interval[], e: readonly Interval[]): void {
	const n = r.length;
	const { C } = set;
	const middles = r.map(({ lo, hi }) => mid(lo, hi));
	const off = new Float64Array(n);
	const B = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		let shift = 0;
		for (let j = 0; j < n; j++) shift += C[i * n + j] * middles[j];
		const before = set.P[i * M];
		const after = before + shift;
		// What P moved by, exactly, and how far that is from C·middles.
		const moved = sub(after, before);
		const turned = sumOf(n, (j) => mul(C[i * n + j], middles[j]));
		const error = sub(moved, turned);
		off[i] = mag(error.lo, error.hi);
		const left = sub(e[i], moved);
		B[i] = mag(left.lo, left.hi);
		set.P[i * M] = after;
	}
	const largest = off.reduce((most, value) => Math.max(most, value), 0);
	set.R = Float64Array.from(r, ({ lo, hi }, j) => {
		// C is orthogonal but for rounding: its inverse is about its transpose.
		let sum = 0;
		for (let i = 0; i < n; i++) sum += Math.abs(C[i * n + j]) * off[i];
		return (rad(lo, hi) + sum * (1 + 1e-6) + largest * 1e-6) * UP;
	});
	set.B = B;
}
