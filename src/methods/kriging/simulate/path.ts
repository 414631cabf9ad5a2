/**
 * A trajectory of the learned system, linearised: how errors of the field, of the free parameters and of the first state
 * reach each instant,
 *
 *     δ' = J δ + B δF(s) + C δp,
 *
 * as a recursion over short steps. δF is taken at the ends and the middle of each (Simpson's rule), J by a Runge–Kutta
 * step over each half, so a path costs a few evaluations a step and can be used again for any covariance.
 */

import { pow2 } from "../../../num/elementary/primitives.ts";
import type { Outcome, Solution } from "../../../solve/ivp.ts";
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../../solve/solve-ivp.ts";
import type { BoundDynamics } from "../dynamics.ts";

/** One step: δ(right) = A δ(left) + Σ over its three nodes of W δF + P δp. */
export interface PathStep {
	/** Its nodes, as positions in the list of all. */
	readonly nodes: readonly [number, number, number];
	/** n × n. */
	readonly a: Float64Array;
	/** For the left, middle and right node: n × nCalls. */
	readonly w: readonly [Float64Array, Float64Array, Float64Array];
	/** n × nParams. */
	readonly p: Float64Array;
}

export interface Path {
	readonly n: number;
	/** Ends of the steps; the first is the start. */
	readonly t: Float64Array;
	/** States there, row by row. */
	readonly x: Float64Array;
	/** Arguments of the calls at all nodes. Steps share the node between them, unless an input jumps there. */
	readonly args: readonly Float64Array[];
	readonly steps: readonly PathStep[];
	/** Positions in `t` of the times asked for. */
	readonly at: Int32Array;
	readonly outcome: Outcome;
}

/** Largest product of a step and the norm of the Jacobian. */
const reach = 1;
const tolerance = { rtol: 1e-8, atol: 1e-11 };
/** Steps of the solver beyond those for each time and knot after which a path is given up. */
const usualPatience = 2000;
/** The same while the field is learned: from sample to sample a field that can be followed takes ten or so. */
export const learningPatience = 200;

export function linearPath(
	bound: BoundDynamics,
	t0: number,
	x0: Float64Array,
	times: Float64Array,
	most = 400,
	patience = usualPatience,
): Path {
	const { n } = bound.dynamics;
	const t1 = times[times.length - 1];
	const knots = knotsOf(bound.signals).filter((knot) => knot > t0 && knot < t1);
	const options = { ...tolerance, knots, maxSteps: patience + 20 * (knots.length + times.length) };
	const marks = Float64Array.from(new Set([t0, ...times, ...knots])).sort();
	const coarse = solveIvp(bound.ivp(), t0, t1, x0, { ...options, saveAt: marks, dense: true });
	const t = refined(bound, marks.subarray(0, coarse.t.length), coarse.x, most);
	const fine = Float64Array.from({ length: 4 * (t.length - 1) + 1 }, (_, i) => {
		const k = Math.min(i >> 2, t.length - 2);
		return i % 4 === 0 ? t[i >> 2] : t[k] + ((i & 3) / 4) * (t[k + 1] - t[k]);
	});
	// One that ended early is solved up to where it came: its last steps are others then.
	const solution =
		t.length < 2
			? { ...coarse, x: x0.slice(), t: Float64Array.of(t0) }
			: coarse.outcome === "converged"
				? { ...coarse, x: statesAt(coarse, fine, n), t: fine }
				: solveIvp(bound.ivp(), t0, t[t.length - 1], x0, { ...options, saveAt: fine });
	const reached = Math.floor((solution.t.length - 1) / 4);
	const kept = t.subarray(0, reached + 1);
	const x = new Float64Array(kept.length * n);
	for (let k = 0; k < kept.length; k++) x.set(solution.x.subarray(4 * k * n, (4 * k + 1) * n), k * n);
	const args: Float64Array[] = [];
	const steps = Array.from({ length: reached }, (_, k) =>
		step(bound, kept[k], kept[k + 1], solution.x.subarray(4 * k * n, (4 * k + 5) * n), args),
	);
	const position = new Map(Array.from(kept, (time, i) => [time, i]));
	return {
		n,
		t: kept,
		x,
		args,
		steps,
		at: Int32Array.from(times, (time) => position.get(time) ?? -1),
		outcome: coarse.outcome === "converged" ? solution.outcome : coarse.outcome,
	};
}

/** States of a solution at times between those that it has, and at all of these. */
function statesAt({ t, x, at }: Solution, times: Float64Array, n: number): Float64Array {
	const states = new Float64Array(times.length * n);
	let k = 0;
	times.forEach((time, i) => {
		const out = states.subarray(i * n, (i + 1) * n);
		if (time === t[k]) out.set(x.subarray(k * n, ++k * n));
		else at!(time, out);
	});
	return states;
}

/** Marks, and between them as many equal steps as the Jacobian asks for. */
function refined(bound: BoundDynamics, marks: Float64Array, x: Float64Array, most: number): Float64Array {
	const { n } = bound.dynamics;
	const J = new Float64Array(n * n);
	const counts = Array.from({ length: Math.max(marks.length - 1, 0) }, (_, k) => {
		const middle = Float64Array.from({ length: n }, (_, i) => (x[k * n + i] + x[(k + 1) * n + i]) / 2);
		const length = marks[k + 1] - marks[k];
		bound.u.enter(marks[k], marks[k + 1]);
		bound.jacobian(marks[k] + length / 2, middle, J);
		const wanted = Math.ceil((length * norm(J)) / reach);
		return wanted > 0 && Number.isFinite(wanted) ? wanted : 1;
	});
	const total = counts.reduce((sum, count) => sum + count, 0);
	const shrink = Math.max(1, total / most);
	const t = [marks[0]];
	counts.forEach((count, k) => {
		const used = Math.max(1, Math.round(count / shrink));
		for (let i = 1; i < used; i++) t.push(marks[k] + (i / used) * (marks[k + 1] - marks[k]));
		t.push(marks[k + 1]);
	});
	return Float64Array.from(t);
}

function norm(a: Float64Array): number {
	let sum = 0;
	for (const value of a) sum += value * value;
	return Math.sqrt(sum);
}

/** `x`: states at the quarters of the step, five rows. */
function step(
	bound: BoundDynamics,
	left: number,
	right: number,
	x: Float64Array,
	args: Float64Array[],
): PathStep {
	const { n, nCalls, nParams } = bound.dynamics;
	const h = right - left;
	bound.u.enter(left, right);
	const at = (q: number): Float64Array => x.subarray(q * n, (q + 1) * n);
	const time = (q: number): number => (q === 4 ? right : left + (q / 4) * h);
	const J = [0, 1, 2, 3, 4].map((q) => {
		const out = new Float64Array(n * n);
		bound.jacobian(time(q), at(q), out);
		return out;
	});
	const first = transition(J[0], J[1], J[2], h / 2, n);
	const second = transition(J[2], J[3], J[4], h / 2, n);
	const a = product(second, first, n, n);
	const nodes = [0, 2, 4].map((q) => {
		const b = new Float64Array(n * nCalls);
		const c = new Float64Array(n * nParams);
		bound.byCall(time(q), at(q), b);
		if (nParams > 0) bound.byParam(time(q), at(q), c);
		bound.argsAt(time(q), at(q));
		return { b, c, args: bound.args.slice() };
	});
	const last = args[args.length - 1];
	if (!last?.every((value, i) => value === nodes[0].args[i])) args.push(nodes[0].args);
	const start = args.length - 1;
	args.push(nodes[1].args, nodes[2].args);
	// Simpson: h/6 (Φ(right, left) B + 4 Φ(right, middle) B + B).
	const weighted = (m: Float64Array, columns: number, q: number): Float64Array => {
		const moved = q === 0 ? product(a, m, n, columns) : q === 1 ? product(second, m, n, columns) : m;
		const weight = q === 1 ? (4 * h) / 6 : h / 6;
		return moved.map((value) => weight * value);
	};
	const p = new Float64Array(n * nParams);
	nodes.forEach(({ c }, q) => {
		weighted(c, nParams, q).forEach((value, i) => {
			p[i] += value;
		});
	});
	const [w0, w1, w2] = nodes.map(({ b }, q) => weighted(b, nCalls, q));
	return { nodes: [start, start + 1, start + 2], a, w: [w0, w1, w2], p };
}

/** Φ over a step of length h, from the identity: Runge–Kutta of order 4, or where J is too large for it, exp(h J). */
function transition(
	j0: Float64Array,
	j1: Float64Array,
	j2: Float64Array,
	h: number,
	n: number,
): Float64Array {
	if (h * norm(j1) > 1.5)
		return exponential(
			j1.map((value, i) => (h * (j0[i] + 4 * value + j2[i])) / 6),
			n,
		);
	const plus = (k: Float64Array, scale: number): Float64Array => {
		const sum = k.map((value) => scale * value);
		for (let i = 0; i < n; i++) sum[i * n + i] += 1;
		return sum;
	};
	const k1 = j0;
	const k2 = product(j1, plus(k1, h / 2), n, n);
	const k3 = product(j1, plus(k2, h / 2), n, n);
	const k4 = product(j2, plus(k3, h), n, n);
	return plus(
		k1.map((value, i) => value + 2 * k2[i] + 2 * k3[i] + k4[i]),
		h / 6,
	);
}

/** exp(A) by scaling and squaring. */
function exponential(a: Float64Array, n: number): Float64Array {
	let squarings = 0;
	for (let size = norm(a); size > 0.5 && squarings < 60; size /= 2) squarings++;
	const small = a.map((value) => value / pow2(squarings));
	let sum: Float64Array = new Float64Array(n * n);
	for (let i = 0; i < n; i++) sum[i * n + i] = 1;
	let term = sum.slice();
	for (let k = 1; k <= 12; k++) {
		term = product(term, small, n, n).map((value) => value / k);
		sum = sum.map((value, i) => value + term[i]);
	}
	for (let k = 0; k < squarings; k++) sum = product(sum, sum, n, n);
	return sum;
}

/** A (n × n) times M (n × columns). */
export function product(
	a: Float64Array,
	m: Float64Array,
	n: number,
	columns: number,
): Float64Array<ArrayBuffer> {
	const out = new Float64Array(n * columns);
	for (let i = 0; i < n; i++)
		for (let k = 0; k < n; k++) {
			const factor = a[i * n + k];
			if (factor === 0) continue;
			for (let c = 0; c < columns; c++) out[i * columns + c] += factor * m[k * columns + c];
		}
	return out;
}
