/**
 * Step 3: the learned system simulated by an accurate solver, with the error of the field, of the parameters and of the
 * first state carried along, linearised and with its full correlation along the path:
 *
 *     P(t) = Φ P0 Φᵀ + ∬ Φ B C_f(x(s), x(s')) Bᵀ Φᵀ ds ds'.
 *
 * The joint covariance along the path is a product of few columns; each is propagated like one perturbation.
 */

import { drained } from "../../../num/drained.ts";
import { product, transposed } from "../../../num/linear/dense.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Outcome } from "../../../solve/ivp.ts";
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solutionSteps } from "../../../solve/solve-ivp.ts";
import { BoundDynamics, type Dynamics } from "../dynamics.ts";
import type { FieldError } from "../field/field-error.ts";
import type { KernelSum } from "../field/kernel-sum.ts";
import type { KrigingRecord } from "../records.ts";
import { withConditions } from "../time/smoothed-record.ts";
import { largeErrors } from "./large-errors.ts";
import { type OpeningSample, openingState } from "./opening.ts";
import { linearPath, type Path } from "./path.ts";
import { carriedOver, errorColumns, rootOf } from "./path-error.ts";

/** The first state: a free number of the learned field (with its correlations), or known apart from it. */
export type Start =
	| { readonly kind: "segment"; readonly t: number; readonly x: Float64Array; readonly segment: number }
	| {
			readonly kind: "apart";
			readonly t: number;
			readonly x: Float64Array;
			readonly covariance: Float64Array;
			/** Samples that it was found from along the learned system: its error hangs together with that of the field. */
			readonly samples?: readonly OpeningSample[];
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
	/** Independent errors of unit size as they move the states, to first order: a row for each state, at any times of it. */
	readonly errorRows: (t: ArrayLike<number>) => { readonly rows: Float64Array; readonly width: number };
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
	const path = linearPath(bound, start.t, start.x, withOpening(thinned(times, mostTimes), start), mostSteps);
	yield;
	const { sd, boundedUntil, along } = yield* propagate(spec, bound, path);
	const errorRows: Simulation["errorRows"] = (at) => ({
		rows: interpolated(path.t, along.rows, at, n * along.width),
		width: along.width,
	});
	// Where the path ends, so do its errors: nothing beyond is of use.
	const asked = times.slice(0, countUntil(times, path.t[path.t.length - 1]));
	const t1 = asked[asked.length - 1];
	// No further than the start, or not even there.
	if (!(t1 > start.t)) {
		const ends = asked.length * n;
		const outcome = asked.length < times.length ? path.outcome : "converged";
		return { t: asked, x: start.x.slice(0, ends), sd: sd.slice(0, ends), errorRows, boundedUntil, outcome };
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
		errorRows,
		boundedUntil,
		outcome: solution.outcome === "converged" ? path.outcome : solution.outcome,
	};
}

/** Errors of an argument, in units of its spread in the data, up to which they can be carried along to first order. */
const largestError = 0.5;
/** The same below which all that they do is of first order: a system that bends so much would have made them larger. */
const smallError = 0.02;

/** Standard deviations at the ends of the steps, and how far they mean something. */
function* propagate(
	spec: SimulationSpec,
	bound: BoundDynamics,
	path: Path,
): Generator<void, { sd: Float64Array; boundedUntil: number; along: { rows: Float64Array; width: number } }> {
	const { dynamics, start } = spec;
	const { n, nCalls, nParams } = dynamics;
	const columns = yield* errorColumns(spec, path);
	const { rows, width: nColumns, nSites, isFar } = columns;
	yield;
	const opening =
		start.kind === "apart" && start.samples ? openingState(path, columns, start.samples) : undefined;
	const apart = start.kind === "apart" ? rootOf(opening?.own ?? start.covariance, n) : undefined;
	const width = nColumns + (apart ? n : 0);
	let delta = new Float64Array(n * width);
	for (let i = 0; i < n; i++) {
		if (apart) {
			if (opening) delta.set(opening.byField.subarray(i * nColumns, (i + 1) * nColumns), i * width);
			for (let j = 0; j < n; j++) delta[i * width + nColumns + j] = apart[i * n + j];
		} else {
			const row = nSites + nParams + i;
			delta.set(rows.subarray(row * nColumns, (row + 1) * nColumns), i * width);
		}
	}
	const deltas = [delta];
	for (const step of path.steps) {
		delta = carriedOver(step, delta, width, columns);
		deltas.push(delta);
	}
	yield;
	const covariances = deltas.map((each) => product(each, transposed(each, n, width), n, width, n));
	const small = new Float64Array(path.t.length * n);
	covariances.forEach((covariance, k) => {
		for (let i = 0; i < n; i++) small[k * n + i] = Math.sqrt(covariance[i * n + i]);
	});
	const errorAt = (covariance: Float64Array, k: number): number =>
		argumentError(spec, bound, path.t[k], path.x.subarray(k * n, (k + 1) * n), covariance);
	const isSmall = covariances.every((covariance, k) => errorAt(covariance, k) <= smallError);
	const sd = isSmall ? small : largeErrors(bound, path, deltas, small);
	yield;
	const ends = covariances.findIndex((covariance, k) => {
		const node = k > 0 ? path.steps[k - 1].nodes[2] : 0;
		if (isFar.slice(node * nCalls, (node + 1) * nCalls).includes(true)) return true;
		if (isSmall) return false;
		const wider = (i: number): number => (small[k * n + i] > 0 ? sd[k * n + i] / small[k * n + i] : 1);
		const whole = covariance.map((value, at) => value * wider(Math.floor(at / n)) * wider(at % n));
		return !(errorAt(whole, k) <= largestError);
	});
	const boundedUntil =
		ends < 0 ? Number.POSITIVE_INFINITY : ends > 0 ? path.t[ends - 1] : Number.NEGATIVE_INFINITY;
	return { sd, boundedUntil, along: leading(deltas, width, columns.rank) };
}

/** The first columns of matrices, one after the other. */
function leading(
	deltas: readonly Float64Array[],
	width: number,
	rank: number,
): { rows: Float64Array; width: number } {
	const all = deltas.flatMap((delta) =>
		Array.from({ length: delta.length / width }, (_, i) => delta.subarray(i * width, i * width + rank)),
	);
	const rows = new Float64Array(all.length * rank);
	for (const [i, row] of all.entries()) rows.set(row, i * rank);
	return { rows, width: rank };
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

/** Times of a path, with those of the samples that its first state was found from. */
export function withOpening(times: Float64Array, start: Start): Float64Array {
	const samples = start.kind === "apart" ? (start.samples ?? []) : [];
	return Float64Array.from(new Set([...times, ...samples.map(({ t }) => t)])).sort();
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

function interpolated(
	from: Float64Array,
	values: Float64Array,
	t: ArrayLike<number>,
	n: number,
): Float64Array {
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
