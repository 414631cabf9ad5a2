/**
 * The first state of a record of its own, from its first samples. Step 1 takes states for stationary in time, and a record that
 * begins fast and comes to rest is smoothed too much at its beginning: errors of the first state are twice what it says. The
 * learned system says how states move, so along its path, linearised, each sample is
 *
 *     y = x(t) + Φ(t) δ0 + E(t) ξ + noise,   ξ ~ N(0, I),
 *
 * with E the columns of the error of the field. δ0 comes from generalised least squares. What is left of it hangs together with
 * ξ: with T the rows of the inverse normal matrix that belong to δ0, its error is T_ξ ξ plus a part of its own. The field itself
 * learns nothing from these samples.
 */
import { choleskyInto, choleskyInverse } from "../../../num/linear/cholesky.ts";
import { BoundDynamics } from "../dynamics.ts";
import type { KrigingRecord } from "../records.ts";
import { type SmoothedRecord, withConditions } from "../time/smoothed-record.ts";
import { linearPath, type Path } from "./path.ts";
import { carriedOver, type ErrorColumns, errorColumns } from "./path-error.ts";
import type { SimulationSpec, Start } from "./simulation.ts";

export interface OpeningSample {
	readonly t: number;
	readonly component: number;
	readonly y: number;
	readonly variance: number;
}

export interface Opening {
	/** δ0, the best. */
	readonly shift: Float64Array;
	/** Its error by the columns of the field (n × width). */
	readonly byField: Float64Array;
	/** Covariance of the rest of its error, and of all of it. */
	readonly own: Float64Array;
	readonly covariance: Float64Array;
}

/** Undefined where the samples do not tell all of the state, or the path does not come so far. */
export function openingState(
	path: Path,
	columns: ErrorColumns,
	samples: readonly OpeningSample[],
): Opening | undefined {
	const { n, t, x, steps } = path;
	const { width } = columns;
	const size = width + n;
	const position = new Map(Array.from(t, (time, k) => [time, k]));
	if (!samples.every((sample) => position.has(sample.t))) return undefined;
	const last = samples.reduce((most, sample) => Math.max(most, position.get(sample.t)!), 0);
	// Columns of the field, then those of the first state.
	let delta = new Float64Array(n * size);
	for (let i = 0; i < n; i++) delta[i * size + width + i] = 1;
	const normal = new Float64Array(size * size);
	for (let c = 0; c < width; c++) normal[c * size + c] = 1;
	const right = new Float64Array(size);
	for (let k = 0; k <= last; k++) {
		if (k > 0) delta = carriedOver(steps[k - 1], delta, size, columns);
		for (const { component, y, variance } of samples.filter((sample) => sample.t === t[k])) {
			const row = delta.subarray(component * size, (component + 1) * size);
			const misfit = y - x[k * n + component];
			for (let a = 0; a < size; a++) {
				const weight = row[a] / variance;
				right[a] += weight * misfit;
				for (let b = 0; b <= a; b++) normal[a * size + b] += weight * row[b];
			}
		}
	}
	if (!choleskyInto(normal, size)) return undefined;
	const inverse = choleskyInverse(normal, size);
	const shift = new Float64Array(n);
	const byField = new Float64Array(n * width);
	const own = new Float64Array(n * n);
	const covariance = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		const row = inverse.subarray((width + i) * size, (width + i + 1) * size);
		for (let a = 0; a < size; a++) shift[i] += row[a] * right[a];
		byField.set(row.subarray(0, width), i * width);
		covariance.set(row.subarray(width), i * n);
	}
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) {
			own[i * n + j] = covariance[i * n + j];
			for (let c = 0; c < width; c++) own[i * n + j] -= byField[i * width + c] * byField[j * width + c];
		}
	return shift.every(Number.isFinite) ? { shift, byField, own, covariance } : undefined;
}

/** Most times that the path is followed anew, and the change of the state, in standard deviations, that is none. */
const mostRounds = 4;
const standstill = 0.05;

/** A first state from step 1, mended by the samples of its record up to `until`; as it was where the learned system loses these. */
export function* openedStart(
	spec: SimulationSpec,
	smoothed: SmoothedRecord,
	start: Extract<Start, { kind: "apart" }>,
	until: number,
): Generator<void, Start> {
	const { dynamics, functions, params, record } = spec;
	const samples = samplesUntil(spec, smoothed, start.t, until);
	const times = Float64Array.from(new Set(samples.map(({ t }) => t))).sort();
	if (!(times[times.length - 1] > start.t)) return start;
	const p = withConditions(params, record as KrigingRecord);
	let found = start;
	for (let round = 0; round < mostRounds; round++) {
		yield;
		const bound = new BoundDynamics(dynamics, functions, p, record.signals);
		const path = linearPath(bound, start.t, found.x, times);
		if (path.outcome !== "converged") return start;
		const opening = openingState(path, yield* errorColumns({ ...spec, start }, path), samples);
		if (!opening) return start;
		const { shift, covariance } = opening;
		found = { ...start, x: found.x.map((value, i) => value + shift[i]), covariance, samples };
		const { n } = path;
		if (shift.every((value, i) => Math.abs(value) <= standstill * Math.sqrt(covariance[i * n + i])))
			return found;
	}
	return found;
}

function samplesUntil(
	{ dynamics }: SimulationSpec,
	{ record }: SmoothedRecord,
	from: number,
	until: number,
): OpeningSample[] {
	return dynamics.layout.tracks.flatMap(({ components }, track) => {
		const { t, order, y, variance } = record.tracks[track];
		return Array.from(t, (time, k) => ({
			t: time,
			component: components[order[k]],
			y: y[k],
			variance: variance[k],
		})).filter((sample) => sample.t >= from && sample.t <= until);
	});
}
