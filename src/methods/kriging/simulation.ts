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
import { DataDistance } from "./data-distance.ts";
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
	/** The same with hyperparameters that leave more open; asked for where the path leaves the data. */
	readonly wide: () => LearnedField;
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
	/** The last time at which errors are so small that they can be carried along; Infinity where they are to the end. */
	readonly boundedUntil: number;
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
	const { sd, boundedUntil } = propagate(spec, bound, path);
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
		sd: interpolated(path.t, sd, t, n),
		boundedUntil,
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

/** The calls at given arguments, as sites of the field. */
export function sitesOf({ dynamics, field }: SimulationSpec, args: Float64Array): Site[] {
	return dynamics.layout.calls.map(({ fn, node, start }) => ({
		of: fn,
		x: scaled(field.design.functions[fn], args.subarray(start, start + node.args.length)),
	}));
}

export function pathUncertainty(
	spec: SimulationSpec,
	{ args }: Path,
	field: LearnedField = spec.field,
): PathUncertainty {
	const { n, nParams } = spec.dynamics;
	const { start } = spec;
	const sites = args.flatMap((each) => sitesOf(spec, each));
	const free = Array.from({ length: nParams }, (_, j) => j);
	if (start.kind === "segment") for (let i = 0; i < n; i++) free.push(nParams + start.segment * n + i);
	const size = sites.length + free.length;
	const covariance = field.errorCovariance(sites, free);
	// On one scale: beside what is far from the data, errors near them would be lost.
	const unit = Float64Array.from({ length: size }, (_, i) =>
		Math.sqrt(Math.max(covariance[i * size + i], 0)),
	);
	for (let i = 0; i < size; i++)
		for (let j = 0; j < size; j++) covariance[i * size + j] /= unit[i] * unit[j] || 1;
	const low = pivotedCholesky(covariance, size, 1e-9);
	const factor = low.factor.map((value, at) => value * unit[Math.floor(at / low.rank)]);
	return { sites, free, low: { ...low, factor } };
}

/** Errors of an argument, in units of its spread in the data, up to which they can be carried along to first order. */
const largestError = 0.5;
/** Distance from the data, in units of where it is far, up to which the field can be said to have an error at all. */
const farthest = 4;

/** Standard deviations at the ends of the steps, and how far they mean something. */
function propagate(
	spec: SimulationSpec,
	bound: BoundDynamics,
	path: Path,
): { sd: Float64Array; boundedUntil: number } {
	const { dynamics, start } = spec;
	const { n, nCalls, nParams } = dynamics;
	const { rows, width: nColumns, nSites, distances } = errorColumns(spec, path);
	const apart = start.kind === "apart" ? rootOf(start.covariance, n) : undefined;
	const width = nColumns + (apart ? n : 0);
	let delta = new Float64Array(n * width);
	for (let i = 0; i < n; i++) {
		if (apart) for (let j = 0; j < n; j++) delta[i * width + nColumns + j] = apart[i * n + j];
		else {
			const row = nSites + nParams + i;
			delta.set(rows.subarray(row * nColumns, (row + 1) * nColumns), i * width);
		}
	}
	const sd = new Float64Array(path.t.length * n);
	let boundedUntil = Number.POSITIVE_INFINITY;
	record(0);
	path.steps.forEach(({ a, w, p, nodes }, k) => {
		const next = product(a, delta, n, width);
		const add = (row: number, weights: Float64Array, columns: number, j: number): void => {
			for (let i = 0; i < n; i++) {
				const weight = weights[i * columns + j];
				if (weight === 0) continue;
				for (let c = 0; c < nColumns; c++) next[i * width + c] += weight * rows[row * nColumns + c];
			}
		};
		nodes.forEach((node, q) => {
			for (let j = 0; j < nCalls; j++) add(node * nCalls + j, w[q], nCalls, j);
		});
		for (let j = 0; j < nParams; j++) add(nSites + j, p, nParams, j);
		delta = next;
		record(k + 1);
	});
	return { sd, boundedUntil };

	function record(k: number): void {
		const covariance = new Float64Array(n * n);
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++)
				for (let c = 0; c < width; c++) covariance[i * n + j] += delta[i * width + c] * delta[j * width + c];
		for (let i = 0; i < n; i++) sd[k * n + i] = Math.sqrt(covariance[i * n + i]);
		if (boundedUntil < Number.POSITIVE_INFINITY) return;
		const node = k > 0 ? path.steps[k - 1].nodes[2] : 0;
		const isFar = distances.subarray(node * nCalls, (node + 1) * nCalls).some((d) => d > farthest);
		const x = path.x.subarray(k * n, (k + 1) * n);
		if (isFar || !(argumentError(spec, bound, path.t[k], x, covariance) <= largestError))
			boundedUntil = k > 0 ? path.t[k - 1] : Number.NEGATIVE_INFINITY;
	}
}

/**
 * Errors of the field along a path (and of the free numbers) as columns. Near the data they are those of the best
 * hyperparameters; where the path leaves the data, what others say is added, the more the farther it is.
 */
function errorColumns(
	spec: SimulationSpec,
	path: Path,
): { rows: Float64Array; width: number; nSites: number; distances: Float64Array } {
	const { sites, free, low } = pathUncertainty(spec, path);
	const near = new DataDistance(spec.field);
	const distances = Float64Array.from(sites, (site) => near.of(site));
	const share = distances.map((d) => Math.min(Math.max(4 * (d - 1), 0), 1));
	const nSites = sites.length;
	if (share.every((s) => s === 0)) return { rows: low.factor, width: low.rank, nSites, distances };
	const field = spec.wide();
	const other = pathUncertainty(spec, path, field).low;
	const width = low.rank + other.rank + 1;
	const rows = new Float64Array((nSites + free.length) * width);
	for (let i = 0; i < nSites + free.length; i++) {
		rows.set(low.factor.subarray(i * low.rank, (i + 1) * low.rank), i * width);
		if (!(share[i] > 0)) continue;
		for (let c = 0; c < other.rank; c++)
			rows[i * width + low.rank + c] = share[i] * other.factor[i * other.rank + c];
		const { scale, centre } = field.design.functions[sites[i].of];
		const args = sites[i].x.map((value, a) => value * scale[a] + centre[a]);
		const said = spec.functions[sites[i].of].value(args);
		rows[(i + 1) * width - 1] = share[i] * (field.functions[sites[i].of].value(args) - said);
	}
	return { rows, width, nSites, distances };
}

/** Largest standard deviation of an argument of an unknown function, in units of its spread in the data. */
function argumentError(
	{ field, dynamics }: SimulationSpec,
	bound: BoundDynamics,
	t: number,
	x: Float64Array,
	covariance: Float64Array,
): number {
	const { n, layout } = dynamics;
	const root = rootOf(covariance, n);
	const variance = new Float64Array(layout.nArgs);
	for (let c = 0; c < n; c++) {
		const [up, down] = [1, -1].map((sign) => {
			bound.argsAt(
				t,
				x.map((value, i) => value + sign * root[i * n + c]),
			);
			return bound.args.slice();
		});
		for (let a = 0; a < variance.length; a++) variance[a] += ((up[a] - down[a]) / 2) ** 2;
	}
	return layout.calls.reduce((most, { fn, node, start }) => {
		const { scale } = field.design.functions[fn];
		return Math.max(most, ...node.args.map((_, a) => Math.sqrt(variance[start + a]) / scale[a]));
	}, 0);
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
