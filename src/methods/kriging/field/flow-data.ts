/**
 * The same functions seen through trajectories: each measured sample is the solution of the learned system, linearised
 * about the present one, x(t_i) ≈ x̄(t_i) + Φ δx0 + ∫ Φ B (F - F̂) ds + …, plus the noise of the instrument. Kriging of these
 * functionals needs no derivatives and no approximation of the errors in the arguments; repeated with the new field it is
 * a Gauss–Newton iteration for the field that explains the samples best.
 *
 * Departs from the paper, which stops after two steps: those are the start of this iteration.
 */

import { choleskyInto, choleskySolveInto } from "../../../num/linear/cholesky.ts";
import { rootMeanSquare } from "../../../num/statistics/root-mean-square.ts";
import { BoundDynamics, type Dynamics } from "../dynamics.ts";
import type { KrigingRecord } from "../records.ts";
import { learningPatience, linearPath, type Path, product } from "../simulate/path.ts";
import { withConditions } from "../time/smoothed-record.ts";
import type { Samples } from "../time/smoother.ts";
import { varianceOf } from "../time/time-hyper.ts";
import { CondensedData } from "./condensed-data.ts";
import { type FieldFunction, type Functional, type Site, scaled } from "./field-design.ts";
import type { FieldData } from "./field-hyper.ts";
import type { KernelSum } from "./kernel-sum.ts";

/** Misfit, in units of the spread of the samples, beyond which a path is lost. */
const farOff = 0.5;

/** A stretch of a record that is followed from a free first state. */
export interface Segment {
	readonly record: KrigingRecord;
	/** Samples of each track: from, to (half-open). */
	readonly from: number;
	readonly t0: number;
	/** Grid times from t0 on, up to the start of the next segment (not in it). */
	readonly times: Float64Array;
}

export interface FlowSpec {
	readonly dynamics: Dynamics;
	readonly segments: readonly Segment[];
	/** Present first states, functions and parameters. */
	readonly starts: readonly Float64Array[];
	readonly functions: readonly KernelSum[];
	readonly designs: readonly FieldFunction[];
	readonly params: Float64Array;
	/** Factor of the variance of the noise of each track. */
	readonly noise: ArrayLike<number>;
	/** How far to go towards the data: 1 is a full step. */
	readonly step: number;
	/** Spread of the samples of each track, by order; found where it is not given. */
	readonly spreads?: ReadonlyMap<KrigingRecord, readonly (readonly number[])[]>;
}

export interface FlowData {
	readonly data: FieldData;
	readonly paths: readonly Path[];
	/** First states found anew, where the data do not hold them. */
	readonly starts?: readonly Float64Array[];
	/** Data minus prediction, in units of the noise. */
	readonly residual: Float64Array;
	/** Root mean square of the residuals, in units of the noise. */
	readonly rms: number;
	/** A path ended before its last sample. */
	readonly broken: boolean;
	/** The paths are so far from the samples that a linearisation about them says nothing. */
	readonly lost: boolean;
}

/** In pieces, one for each segment. */
export function* flowData(spec: FlowSpec): Generator<void, FlowData> {
	const { dynamics, segments, starts, functions, designs, params, noise, step } = spec;
	const { layout, n, nCalls, nParams } = dynamics;
	const nFree = nParams + n * segments.length;
	const sites: Site[] = [];
	const functionals: Functional[] = [];
	const y: number[] = [];
	const variances: number[] = [];
	const residual: number[] = [];
	const relative: number[] = [];
	const paths: Path[] = [];
	let broken = false;
	for (const [g, segment] of segments.entries()) {
		yield;
		const { record } = segment;
		const bound = new BoundDynamics(dynamics, functions, withConditions(params, record), record.signals);
		const path = linearPath(bound, segment.t0, starts[g], segment.times, undefined, learningPatience);
		paths.push(path);
		if (path.at.some((position) => position < 0)) {
			broken = true;
			continue;
		}
		const firstSite = sites.length;
		const present: number[] = [];
		for (const args of path.args)
			for (const { fn, node, start } of layout.calls) {
				const own = args.subarray(start, start + node.args.length);
				sites.push({ of: fn, x: scaled(designs[fn], own) });
				present.push(functions[fn].value(own));
			}
		const sensitivities = sensitivitiesOf(path, nCalls, nParams);
		const spreads = spec.spreads?.get(record) ?? record.tracks.map(spreadByOrder);
		segment.times.forEach((t, i) => {
			const S = sensitivities.get(path.at[i])!;
			const width = S.length / n;
			layout.tracks.forEach(({ components }, track) => {
				const samples = record.tracks[track];
				for (let k = lowerBound(samples.t, t); k < samples.t.length && samples.t[k] === t; k++) {
					const component = components[samples.order[k]];
					const row = S.subarray(component * width, (component + 1) * width);
					const sites = row.subarray(0, width - nParams - n);
					const at = Int32Array.from(sites.keys()).filter((s) => sites[s] !== 0);
					const factors = new Float64Array(nFree);
					factors.set(row.subarray(sites.length, sites.length + nParams));
					factors.set(row.subarray(sites.length + nParams), nParams + g * n);
					const variance = samples.variance[k] * noise[track];
					const misfit = samples.y[k] - path.x[path.at[i] * n + component];
					let value = step * misfit;
					for (const s of at) value += sites[s] * present[s];
					for (let j = 0; j < nParams; j++) value += factors[j] * params[j];
					for (let j = 0; j < n; j++) value += factors[nParams + g * n + j] * starts[g][j];
					functionals.push({
						at: at.map((s) => firstSite + s),
						weight: Float64Array.from(at, (s) => sites[s]),
						factors,
					});
					y.push(value);
					variances.push(variance);
					residual.push(misfit / Math.sqrt(variance));
					relative.push(misfit / spreads[track][samples.order[k]]);
				}
			});
		});
	}
	const size = y.length;
	const matrix = new Float64Array(size * size);
	variances.forEach((variance, i) => {
		matrix[i * size + i] = variance;
	});
	return {
		data: { sites, functionals, y: Float64Array.from(y), noise: matrix },
		paths,
		residual: Float64Array.from(residual),
		rms: rootMeanSquare([residual]),
		broken,
		lost: broken || !(rootMeanSquare([relative]) < farOff),
	};
}

/** Of very many segments: each is looked at by itself, its first state eliminated, and what it tells is condensed. */
export function* condensedFlow(spec: FlowSpec, nodes: readonly Site[]): Generator<void, FlowData> {
	const { dynamics, designs, segments, starts } = spec;
	const all = new CondensedData(designs, nodes, dynamics.nParams);
	const records = new Set(segments.map(({ record }) => record));
	const spreads = new Map([...records].map((record) => [record, record.tracks.map(spreadByOrder)]));
	const found: Float64Array[] = [];
	const residuals: number[] = [];
	let broken = false;
	let lost = false;
	for (const [g, segment] of segments.entries()) {
		const own = yield* flowData({ ...spec, spreads, segments: [segment], starts: [starts[g]] });
		broken ||= own.broken;
		lost ||= own.lost;
		if (own.broken) continue;
		all.add(own.data);
		found.push(startAfter(starts[g], own));
		residuals.push(...own.residual);
	}
	const residual = Float64Array.from(residuals);
	return {
		data: all.data,
		paths: [],
		starts: found,
		residual,
		rms: rootMeanSquare([residuals]),
		broken,
		lost,
	};
}

/** The first state from which the same functions come nearest to the samples. */
function startAfter(start: Float64Array, { data, residual }: FlowData): Float64Array {
	const n = start.length;
	const size = residual.length;
	const normal = new Float64Array(n * n);
	const shift = new Float64Array(n);
	data.functionals.forEach(({ factors }, i) => {
		const own = factors.slice(-n).map((value) => value / Math.sqrt(data.noise[i * size + i]));
		for (let a = 0; a < n; a++) {
			shift[a] += own[a] * residual[i];
			for (let b = 0; b <= a; b++) normal[a * n + b] += own[a] * own[b];
		}
	});
	if (!choleskyInto(normal, n)) return start;
	choleskySolveInto(shift, normal, n);
	return start.map((value, a) => value + shift[a]);
}

/** Spread of the samples of each order. */
function spreadByOrder({ y, order }: Samples): number[] {
	const most = Array.from(order).reduce((highest, q) => Math.max(highest, q), 0);
	return Array.from({ length: most + 1 }, (_, q) => {
		const own = y.filter((_, i) => order[i] === q);
		return Math.sqrt(varianceOf(own)) || 1;
	});
}

/**
 * δ at the times asked for (positions in `path.t`), by: values of the calls at all nodes, parameters, first state.
 * n × width each.
 */
export function sensitivitiesOf(
	{ n, steps, args, at }: Path,
	nCalls: number,
	nParams: number,
): Map<number, Float64Array> {
	const width = args.length * nCalls + nParams + n;
	const wanted = new Set(at);
	let present = new Float64Array(n * width);
	for (let i = 0; i < n; i++) present[i * width + width - n + i] = 1;
	const kept = new Map<number, Float64Array>([[0, present]]);
	steps.forEach(({ a, w, p, nodes }, k) => {
		const next = product(a, present, n, width);
		nodes.forEach((node, q) => {
			for (let i = 0; i < n; i++)
				for (let j = 0; j < nCalls; j++) next[i * width + node * nCalls + j] += w[q][i * nCalls + j];
		});
		for (let i = 0; i < n; i++)
			for (let j = 0; j < nParams; j++) next[i * width + args.length * nCalls + j] += p[i * nParams + j];
		present = next;
		if (wanted.has(k + 1)) kept.set(k + 1, next);
	});
	return kept;
}

/** First position whose time is at least t. */
export function lowerBound(times: Float64Array, t: number): number {
	let lo = 0;
	let hi = times.length;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (times[middle] < t) lo = middle + 1;
		else hi = middle;
	}
	return lo;
}
