/**
 * Step 3: the learned system simulated by an accurate solver, with the error of the field, of the parameters and of the
 * first state carried along, linearised and with its full correlation along the path:
 *
 *     P(t) = Φ P0 Φᵀ + ∬ Φ B C_f(x(s), x(s')) Bᵀ Φᵀ ds ds'.
 *
 * The joint covariance along the path is a product of few columns; each is propagated like one perturbation.
 */
import { choleskyInto } from "../../num/cholesky.ts";
import { type LowRank, pivotedCholesky } from "../../num/pivoted-cholesky.ts";
import type { Outcome } from "../../solve/ivp.ts";
import { knotsOf } from "../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../solve/solve-ivp.ts";
import { BoundDynamics, type Dynamics } from "./dynamics.ts";
import { type Site, scaled } from "./field-design.ts";
import type { KernelSum } from "./kernel-sum.ts";
import type { LearnedField } from "./learned-field.ts";
import { linearPath, type Path, product } from "./path.ts";
import type { KrigingRecord } from "./records.ts";
import { withConditions } from "./smoothed-record.ts";

/** The first state: a free number of the learned field (with its correlations), or known apart from it. */
export type Start =
	| { readonly kind: "segment"; readonly t: number; readonly x: Float64Array; readonly segment: number }
	| {
			readonly kind: "apart";
			readonly t: number;
			readonly x: Float64Array;
			readonly covariance: Float64Array;
	  };

export interface SimulationSpec {
	readonly dynamics: Dynamics;
	readonly field: LearnedField;
	readonly functions: readonly KernelSum[];
	readonly params: Float64Array;
	readonly record: Pick<KrigingRecord, "signals" | "conditions">;
	readonly start: Start;
	/** Rising, from the start on. */
	readonly times: Float64Array;
}

export interface Simulation {
	/** Times reached. */
	readonly t: Float64Array;
	/** States, row by row, and the standard deviations of their errors. */
	readonly x: Float64Array;
	readonly sd: Float64Array;
	readonly outcome: Outcome;
	readonly message: string;
}

/** Times at which errors are computed; between them they are interpolated. */
const mostTimes = 300;
const mostSteps = 400;

export function simulate(spec: SimulationSpec): Simulation {
	const { dynamics, functions, params, record, start, times } = spec;
	const { n } = dynamics;
	const bound = new BoundDynamics(
		dynamics,
		functions,
		withConditions(params, record as KrigingRecord),
		record.signals,
	);
	const path = linearPath(bound, start.t, start.x, thinned(times, mostTimes), mostSteps);
	const sdAtPath = propagate(spec, path);
	const t1 = times[times.length - 1];
	const solution = solveIvp(bound.ivp(), start.t, t1, start.x, {
		rtol: 1e-8,
		atol: 1e-10,
		saveAt: times,
		knots: knotsOf(record.signals).filter((knot) => knot > start.t && knot < t1),
		maxSteps: 20_000 + 20 * times.length,
	});
	const reached = Math.min(solution.t.length, countUntil(times, path.t[path.t.length - 1]));
	const t = times.slice(0, reached);
	return {
		t,
		x: solution.x.slice(0, reached * n),
		sd: interpolated(path.t, sdAtPath, t, n),
		outcome: solution.outcome === "converged" ? path.outcome : solution.outcome,
		message: solution.outcome === "converged" ? path.message : solution.message,
	};
}

/** Everything uncertain along a path: the field at its nodes, the parameters, the first state. */
export interface PathUncertainty {
	readonly sites: readonly Site[];
	/** Free numbers of the field: parameters, and the first state where it is one. */
	readonly free: readonly number[];
	readonly low: LowRank;
}

export function pathUncertainty({ dynamics, field, start }: SimulationSpec, { args }: Path): PathUncertainty {
	const { layout, n, nParams } = dynamics;
	const sites = args.flatMap((each) =>
		layout.calls.map(({ fn, node, start: from }) => ({
			of: fn,
			x: scaled(field.design.functions[fn], each.subarray(from, from + node.args.length)),
		})),
	);
	const free = Array.from({ length: nParams }, (_, j) => j);
	if (start.kind === "segment") for (let i = 0; i < n; i++) free.push(nParams + start.segment * n + i);
	const covariance = field.errorCovariance(sites, free);
	return { sites, free, low: pivotedCholesky(covariance, sites.length + free.length, 1e-9) };
}

/** Standard deviations at the ends of the steps. */
function propagate(spec: SimulationSpec, path: Path): Float64Array {
	const { dynamics, start } = spec;
	const { n, nCalls, nParams } = dynamics;
	const { sites, low } = pathUncertainty(spec, path);
	const apart = start.kind === "apart" ? rootOf(start.covariance, n) : undefined;
	const width = low.rank + (apart ? n : 0);
	const { factor, rank } = low;
	let delta = new Float64Array(n * width);
	for (let i = 0; i < n; i++) {
		if (apart) for (let j = 0; j < n; j++) delta[i * width + rank + j] = apart[i * n + j];
		else
			for (let c = 0; c < rank; c++) delta[i * width + c] = factor[(sites.length + nParams + i) * rank + c];
	}
	const sd = new Float64Array(path.t.length * n);
	record(0);
	path.steps.forEach(({ a, w, p, nodes }, k) => {
		const next = product(a, delta, n, width);
		const add = (row: number, weights: Float64Array, columns: number, j: number): void => {
			for (let i = 0; i < n; i++) {
				const weight = weights[i * columns + j];
				if (weight === 0) continue;
				for (let c = 0; c < rank; c++) next[i * width + c] += weight * factor[row * rank + c];
			}
		};
		nodes.forEach((node, q) => {
			for (let j = 0; j < nCalls; j++) add(node * nCalls + j, w[q], nCalls, j);
		});
		for (let j = 0; j < nParams; j++) add(sites.length + j, p, nParams, j);
		delta = next;
		record(k + 1);
	});
	return sd;

	function record(k: number): void {
		for (let i = 0; i < n; i++) {
			let sum = 0;
			for (let c = 0; c < width; c++) sum += delta[i * width + c] ** 2;
			sd[k * n + i] = Math.sqrt(sum);
		}
	}
}

/** L of P = L Lᵀ, with a little more where P is singular. */
export function rootOf(covariance: Float64Array, n: number): Float64Array {
	let trace = 0;
	for (let i = 0; i < n; i++) trace += covariance[i * n + i];
	const root = covariance.slice();
	for (let i = 0; i < n; i++) root[i * n + i] += 1e-12 * trace + 1e-300;
	if (!choleskyInto(root, n)) root.fill(0);
	for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) root[i * n + j] = 0;
	return root;
}

export function thinned(times: Float64Array, most: number): Float64Array {
	if (times.length <= most) return times;
	const last = times.length - 1;
	return Float64Array.from({ length: most }, (_, i) => times[Math.round((i * last) / (most - 1))]);
}

function countUntil(times: Float64Array, t: number): number {
	let count = 0;
	while (count < times.length && times[count] <= t) count++;
	return count;
}

function interpolated(from: Float64Array, values: Float64Array, t: Float64Array, n: number): Float64Array {
	const out = new Float64Array(t.length * n);
	let k = 0;
	for (let i = 0; i < t.length; i++) {
		while (k + 2 < from.length && from[k + 1] < t[i]) k++;
		const next = Math.min(k + 1, from.length - 1);
		const length = from[next] - from[k];
		const share = length > 0 ? Math.min(Math.max((t[i] - from[k]) / length, 0), 1) : 0;
		for (let c = 0; c < n; c++)
			out[i * n + c] = (1 - share) * values[k * n + c] + share * values[next * n + c];
	}
	return out;
}
