/**
 * Step 3: the learned system simulated by an accurate solver, with the error of the field, of the parameters and of the
 * first state carried along, linearised and with its full correlation along the path:
 *
 *     P(t) = Φ P0 Φᵀ + ∬ Φ B C_f(x(s), x(s')) Bᵀ Φᵀ ds ds'.
 *
 * The joint covariance along the path is a product of few columns; each is propagated like one perturbation.
 */
import { choleskyInto } from "../../../num/cholesky.ts";
import { drained } from "../../../num/drained.ts";
import { type LowRank, pivotedCholesky } from "../../../num/pivoted-cholesky.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Outcome } from "../../../solve/ivp.ts";
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solutionSteps } from "../../../solve/solve-ivp.ts";
import { BoundDynamics, type Dynamics } from "../dynamics.ts";
import { type Site, scaled } from "../field/field-design.ts";
import type { FieldError } from "../field/field-error.ts";
import type { KernelSum } from "../field/kernel-sum.ts";
import type { LearnedField } from "../field/learned-field.ts";
import type { KrigingRecord } from "../records.ts";
import { withConditions } from "../time/smoothed-record.ts";
import { linearPath, type Path, product } from "./path.ts";

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
	readonly error: FieldError;
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
}

/** Times at which errors are computed; between them they are interpolated. */
const mostTimes = 300;
const mostSteps = 400;

export function simulate(spec: SimulationSpec): Simulation {
	return drained(simulation(spec));
}

/** The same in pieces that are short. */
export function* simulation(spec: SimulationSpec): Generator<void, Simulation> {
	const { dynamics, functions, params, record, start, times } = spec;
	const { n } = dynamics;
	const bound = new BoundDynamics(
		dynamics,
		functions,
		withConditions(params, record as KrigingRecord),
		record.signals,
	);
	const path = linearPath(bound, start.t, start.x, thinned(times, mostTimes), mostSteps);
	yield;
	const { sd, boundedUntil } = yield* propagate(spec, bound, path);
	// Where the path ends, so do its errors: nothing beyond is of use.
	const asked = times.slice(0, countUntil(times, path.t[path.t.length - 1]));
	const t1 = asked[asked.length - 1];
	// No further than the start, or not even there.
	if (!(t1 > start.t)) {
		const ends = asked.length * n;
		const outcome = asked.length < times.length ? path.outcome : "converged";
		return { t: asked, x: start.x.slice(0, ends), sd: sd.slice(0, ends), boundedUntil, outcome };
	}
	const solution = yield* solutionSteps(bound.ivp(), start.t, t1, start.x, {
		rtol: 1e-8,
		atol: 1e-10,
		saveAt: asked,
		knots: knotsOf(record.signals).filter((knot) => knot > start.t && knot < t1),
		maxSteps: 20_000 + 20 * asked.length,
	});
	const reached = solution.t.length;
	const t = asked.slice(0, reached);
	return {
		t,
		x: solution.x.slice(0, reached * n),
		sd: interpolated(path.t, sd, t, n),
		boundedUntil,
		outcome: solution.outcome === "converged" ? path.outcome : solution.outcome,
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
export function sitesOf({ dynamics, error }: SimulationSpec, args: Float64Array): Site[] {
	return dynamics.layout.calls.map(({ fn, node, start }) => ({
		of: fn,
		x: scaled(error.field.design.functions[fn], args.subarray(start, start + node.args.length)),
	}));
}

export function* pathUncertainty(
	spec: SimulationSpec,
	{ args }: Path,
	field: LearnedField = spec.error.field,
): Generator<void, PathUncertainty> {
	const { n, nParams } = spec.dynamics;
	const { start } = spec;
	const sites = args.flatMap((each) => sitesOf(spec, each));
	const free = Array.from({ length: nParams }, (_, j) => j);
	if (start.kind === "segment") for (let i = 0; i < n; i++) free.push(nParams + start.segment * n + i);
	const covariance = yield* field.errorCovariance(sites, free);
	// On one scale: beside what is far from the data, errors near them would be lost.
	const unit = covariance.diagonal.map((variance) => Math.sqrt(Math.max(variance, 0)) || 1);
	const low = yield* pivotedCholesky(
		{
			diagonal: covariance.diagonal.map((variance, i) => variance / squared(unit[i])),
			column: (j) => covariance.column(j).map((value, i) => value / (unit[i] * unit[j])),
		},
		1e-9,
	);
	const factor = low.factor.map((value, at) => value * unit[Math.floor(at / low.rank)]);
	return { sites, free, low: { ...low, factor } };
}

/** Errors of an argument, in units of its spread in the data, up to which they can be carried along to first order. */
const largestError = 0.5;
/** Distance from the middle of the data, in units of their reach, up to which the field can be said to have an error. */
const farthest = 4;

/** Standard deviations at the ends of the steps, and how far they mean something. */
function* propagate(
	spec: SimulationSpec,
	bound: BoundDynamics,
	path: Path,
): Generator<void, { sd: Float64Array; boundedUntil: number }> {
	const { dynamics, start } = spec;
	const { n, nCalls, nParams } = dynamics;
	const { rows, width: nColumns, nSites, isFar } = yield* errorColumns(spec, path);
	yield;
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
		const x = path.x.subarray(k * n, (k + 1) * n);
		if (
			isFar.slice(node * nCalls, (node + 1) * nCalls).includes(true) ||
			!(argumentError(spec, bound, path.t[k], x, covariance) <= largestError)
		)
			boundedUntil = k > 0 ? path.t[k - 1] : Number.NEGATIVE_INFINITY;
	}
}

/** Errors of the field along a path (and of the free numbers) as columns; outside the data those of an open trend too. */
function* errorColumns(
	spec: SimulationSpec,
	path: Path,
): Generator<void, { rows: Float64Array; width: number; nSites: number; isFar: readonly boolean[] }> {
	const { error } = spec;
	const { sites, free, low } = yield* pathUncertainty(spec, path, error.cautious);
	const nSites = sites.length;
	const isFar = sites.map((site) => error.hull.isBeyond(farthest, site));
	const share = Float64Array.from(sites, (site) => error.share(site));
	const open = share.some((s) => s > 0)
		? (yield* pathUncertainty(spec, path, error.open)).low
		: { rank: 0, factor: new Float64Array(0) };
	// Columns of the cautious field and what it says otherwise; then the same of the open trend.
	const width = low.rank + 1 + (open.rank > 0 ? open.rank + 1 : 0);
	const rows = new Float64Array((nSites + free.length) * width);
	for (let i = 0; i < nSites + free.length; i++) {
		const s = share[i] ?? 0;
		const own = Math.sqrt(1 - s * s);
		const at = i * width;
		for (let c = 0; c < low.rank; c++) rows[at + c] = own * low.factor[i * low.rank + c];
		const j = free[i - nSites];
		rows[at + low.rank] =
			own *
			(i < nSites ? error.difference("cautious", sites[i]) : error.cautious.free[j] - error.field.free[j]);
		if (!(s > 0)) continue;
		const after = at + low.rank + 1;
		for (let c = 0; c < open.rank; c++) rows[after + c] = s * open.factor[i * open.rank + c];
		rows[after + open.rank] = s * error.difference("open", sites[i]);
	}
	return { rows, width, nSites, isFar };
}

/** Largest standard deviation of an argument of an unknown function, in units of its spread in the data. */
function argumentError(
	{ error, dynamics }: SimulationSpec,
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
		for (let a = 0; a < variance.length; a++) variance[a] += squared((up[a] - down[a]) / 2);
	}
	return layout.calls.reduce((most, { fn, node, start }) => {
		const { scale } = error.field.design.functions[fn];
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
