/**
 * The set of all states at one instant: { P(ζ) + e : ζ in [-1, 1]^d, e = C·r with |r_j| <= R_j, |e_i| <= B_i }, where ζ are the
 * unknowns, scaled to their box. The turned box C·R follows the flow closely; the upright one B keeps apart what does not mix, as the
 * drift of a parameter and the states that it acts on. Constant parameters are affine in ζ, without remainder; only states carry one.
 */
import { identity } from "../../../num/linear/dense.ts";
import type { Status } from "./events/guards.ts";

export interface FlowSet {
	/** The instant. */
	t: number;
	/** Polynomial of state i at i·M. */
	P: Float64Array;
	/** Basis of the remainder, row-major. */
	C: Float64Array;
	R: Float64Array;
	/** Bounds of the remainder of each state by itself. */
	B: Float64Array;
	/** Unknown v is centre[v] + scale[v]·ζ_v. */
	centre: Float64Array;
	scale: Float64Array;
	/** Step size that is likely to do. */
	h: number;
	/** The last step was one for stiff equations. */
	isStiff?: boolean;
	/** The last step size that no jump stood in the way of. */
	pace?: number;
	/** The last step was over a jump. */
	isJumping?: boolean;
	/** Of each event that courses lead to: what is known of its condition. */
	conditions?: readonly Status[];
	/** The first of them of which nothing is known at the start. */
	unclear?: number;
	/** The one whose event some courses may have had at an instant that was asked for, and others not: the set waits before it. */
	waits?: number;
	/** Up to when bounds of the states were told. */
	told?: number;
}

/** Bounds of the remainder of each state: |C|·R or B, whichever is less. */
export function remainderOf({ C, R, B }: Pick<FlowSet, "C" | "R" | "B">): Float64Array {
	const n = R.length;
	const out = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		let sum = 0;
		for (let j = 0; j < n; j++) sum += Math.abs(C[i * n + j]) * R[j];
		out[i] = sum === 0 ? 0 : Math.min(sum * (1 + 2 ** -40) + 1e-300, B[i]);
	}
	return out;
}

export function copyOf(set: FlowSet): FlowSet {
	const { P, C, R, B, centre, scale } = set;
	return {
		...set,
		P: P.slice(),
		C: C.slice(),
		R: R.slice(),
		B: B.slice(),
		centre: centre.slice(),
		scale: scale.slice(),
	};
}

/** A set that holds two of the same unknowns: the middle of both, with half their distance in its remainder. */
export function eitherOf(first: FlowSet, second: FlowSet): FlowSet {
	const n = first.R.length;
	const M = first.P.length / n;
	const P = first.P.map((c, m) => c / 2 + second.P[m] / 2);
	const [own, other] = [remainderOf(first), remainderOf(second)];
	const R = own.map((radius, i) => {
		let far = Math.max(radius, other[i]);
		for (let m = i * M; m < (i + 1) * M; m++)
			far += Math.max(Math.abs(first.P[m] - P[m]), Math.abs(second.P[m] - P[m]));
		return far * (1 + 2 ** -40) + 1e-300;
	});
	return { ...copyOf(first), P, C: identity(n), R, B: R.slice() };
}

/** Makes room for errors of each state in the remainder. C is orthogonal but for rounding: its inverse is about its transpose. */
export function widenRemainder(set: FlowSet, error: Float64Array): void {
	const n = set.R.length;
	const largest = error.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	set.R = set.R.map((value, j) => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += Math.abs(set.C[i * n + j]) * error[i];
		return (value + sum * (1 + 1e-6) + largest * 1e-6) * (1 + 2 ** -40);
	});
	set.B = set.B.map((value, i) => (value + error[i]) * (1 + 2 ** -40));
}
