/**
 * A parameter that drifts loses its start: what it did since then is a remainder, and once that is larger than what is left open of the start,
 * only both together matter. The terms of the start then join the remainder, so that data narrow the sum. (While they are apart, each has
 * to be allowed for as if the other were the worst, and the data narrow neither.)
 */
import { magnify, midRadMag, midRadMultiply, nearInverse, orthogonal } from "../../../interval/mid-rad.ts";
import type { Monomials } from "../../../interval/taylor/monomials.ts";
import { type FlowSet, remainderOf } from "./flow-set.ts";

const UP = 1 + 2 ** -40;

/** Whether state i has drifted further than unknown v, its start, leaves open. */
export function hasOutgrown(set: FlowSet, table: Monomials, i: number, v: number): boolean {
	if (table.order === 0) return false;
	const open = Math.abs(set.P[i * table.length + table.linear[v]]);
	return open > 0 && remainderOf(set)[i] > open;
}

/** Moves all terms of unknown v from the polynomials into the remainder; the set may only grow by that. */
export function forgetUnknown(set: FlowSet, table: Monomials, v: number): void {
	const n = set.R.length;
	const M = table.length;
	// e = C·r + g·ζ_v + h, with |h| within `bent`.
	const g = new Float64Array(n);
	const bent = new Float64Array(n);
	for (let i = 0; i < n; i++)
		for (let m = 0; m < M; m++) {
			if (table.exponent(m, v) === 0) continue;
			if (m === table.linear[v]) g[i] = set.P[i * M + m];
			else bent[i] = (bent[i] + Math.abs(set.P[i * M + m])) * UP;
		}
	const Q = basisOf(set, g);
	const inverse = nearInverse(Q, n);
	if (!inverse) return;
	const none = new Float64Array(n * n);
	const B = set.B.map((value, i) => (value + Math.abs(g[i]) + bent[i]) * UP);
	const turned = magnify(midRadMag(midRadMultiply(inverse, { mid: set.C, rad: none }, n, n, n)), set.R);
	const along = midRadMag(midRadMultiply(inverse, { mid: g, rad: new Float64Array(n) }, n, n, 1));
	const around = magnify(midRadMag(inverse), bent);
	const upright = magnify(midRadMag(inverse), B);
	set.R = turned.map((value, j) => Math.min((value + along[j] + around[j]) * UP, upright[j]));
	set.B = B;
	set.C = Q;
	for (let i = 0; i < n; i++) for (let m = 0; m < M; m++) if (table.exponent(m, v) > 0) set.P[i * M + m] = 0;
}

/** An orthogonal basis along the longest of the columns of C·R and g. */
function basisOf({ C, R }: FlowSet, g: Float64Array): Float64Array {
	const n = R.length;
	const columns = [...Array.from({ length: n }, (_, j) => g.map((_, i) => C[i * n + j] * R[j])), g];
	const length = (column: Float64Array): number => column.reduce((sum, x) => sum + x * x, 0);
	const longest = columns.sort((a, b) => length(b) - length(a)).slice(0, n);
	const A = new Float64Array(n * n);
	longest.forEach((column, j) => {
		for (let i = 0; i < n; i++) A[i * n + j] = column[i];
	});
	return orthogonal(
		A,
		n,
		longest.map((_, j) => j),
	);
}
