/** Simulations of records with the learned system, and what they say of the measured outputs. */
import type { Experiment } from "../../../data/experiment.ts";
import type { Prediction } from "../../../estimate/result.ts";
import { drained } from "../../../num/drained.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import { after } from "../field/learning.ts";
import { type KrigingRecord, noiseAt, sampleTimes } from "../records.ts";
import type { KrigingRun } from "../run.ts";
import { type Far, farFromData } from "../simulate/far-from-data.ts";
import { type InputEnd, inputEndOf } from "../simulate/known-inputs.ts";
import { openedStart } from "../simulate/opening.ts";
import { samplePaths } from "../simulate/sample-paths.ts";
import {
	type Simulation,
	type SimulationSpec,
	type Start,
	simulation as simulationOf,
} from "../simulate/simulation.ts";
import { type SmoothedRecord, smoothedState } from "../time/smoothed-record.ts";

export interface Simulated {
	readonly part: "train" | "test";
	readonly experiment: Experiment;
	readonly record: KrigingRecord;
	readonly simulation: Simulation;
	/** Times asked for; those of the simulation are the first of them. */
	readonly asked: Float64Array;
	/** Up to then the record was learned from. */
	readonly seenUntil: number;
	/** How its first state was found. */
	readonly from: "trajectory" | "smoothed" | "own samples";
	/** Bands from sample paths: 2.5 % and 97.5 % of each state, row by row. */
	readonly band?: { readonly lo: Float64Array; readonly hi: Float64Array; readonly ended: number };
	/** How much of it lies outside the data. */
	readonly far: Far;
	/** Where an input ends before the simulation does; the band ends there too. */
	readonly inputEnd?: InputEnd;
}

/** Points of a curve, at least, so that it is smooth between sparse samples. */
const curvePoints = 200;
/** Training records longer than this are simulated over so many samples only. */
export const mostTrain = 3000;

/** Training records followed from their first states. */
export function simulateTraining(run: KrigingRun): Simulated[] {
	return drained(trainingSimulations(run));
}

/** The same in pieces that are short. */
export function* trainingSimulations(run: KrigingRun): Generator<void, Simulated[]> {
	const { everySample, dynamics, learning, pass } = run;
	const present = after(pass, dynamics);
	const { horizon } = run.options;
	const all: Simulated[] = [];
	for (const [r, each] of everySample.entries()) {
		const { record } = each;
		const own = learning!.segments
			.map((segment, g) => ({ segment, g }))
			.filter(({ segment }) => segment.record === record);
		const times = sampleTimes(record);
		const isLong = times.length > mostTrain;
		const end = isLong ? times[mostTrain - 1] : times[times.length - 1] + horizon;
		const parts: { start: Start; until: number }[] =
			own.length > 0
				? own.map(({ segment, g }, k) => ({
						start: { kind: "segment", t: segment.t0, x: present.starts[g], segment: g },
						until: own[k + 1]?.segment.t0 ?? end,
					}))
				: [{ start: smoothedStart(run, each, 0), until: end }];
		for (const { start, until } of parts) {
			const curve = curveTimes(times, start.t, until);
			all.push(yield* simulated(run, "train", run.problem.train[r], each, start, curve));
		}
	}
	return all;
}

/** Test records: followed on from the training record that ends before them, or from their own first samples. */
export function simulateTests(run: KrigingRun): Simulated[] {
	return drained(testSimulations(run));
}

/** The same in pieces that are short. */
export function* testSimulations(run: KrigingRun): Generator<void, Simulated[]> {
	const all: Simulated[] = [];
	for (const experiment of run.problem.test) {
		yield;
		const other = yield* run.smoothOther(experiment);
		const t0 = experiment.times[0];
		const r = run.problem.train.findIndex(
			({ name, times }) => name === experiment.name && times[times.length - 1] <= t0,
		);
		const start = r >= 0 ? endOf(run, r) : smoothedStart(run, other, 0);
		const first = r >= 0 ? t0 : start.t;
		const times = curveTimes(
			sampleTimes(other.record),
			first,
			other.record.grid[other.record.grid.length - 1],
		);
		const opening = start.kind === "apart" && r < 0 ? start.t + other.reach : undefined;
		all.push(yield* simulated(run, "test", experiment, other, start, times, opening));
	}
	return all;
}

/** A field that was not fitted to trajectories leaves the samples little by little: that is no noise to ask of. */
export function asksOrder({ pass, learning }: KrigingRun): boolean {
	return pass.kind === "trajectory" && !learning!.records.isCut;
}

export function predictionsOf(run: KrigingRun, all: readonly Simulated[]): Prediction[] {
	const { layout } = run;
	return all.flatMap(({ experiment, part, simulation, record, band, asked: t }) =>
		layout.tracks.flatMap(({ readings }, track) =>
			readings.flatMap((reading) => {
				const n = layout.model.components.length;
				const { gain, offset } = reading;
				const data = experiment.outputs.get(reading.measure.name);
				if (!data) return [];
				const reached = simulation.t.length;
				// What ran away is infinitely wrong, not missing.
				const y = t.map((_, i) =>
					i < reached ? gain * simulation.x[i * n + reading.component] + offset : Number.POSITIVE_INFINITY,
				);
				const noiseOf = noiseAt(layout, record, track, reading);
				const lo = new Float64Array(t.length);
				const hi = new Float64Array(t.length);
				for (let i = 0; i < t.length; i++) {
					if (i >= reached || t[i] > simulation.boundedUntil) {
						lo[i] = Number.NEGATIVE_INFINITY;
						hi[i] = Number.POSITIVE_INFINITY;
						continue;
					}
					const at = i * n + reading.component;
					const noise = noiseOf(simulation.x[at]);
					const low = band ? (simulation.x[at] - band.lo[at]) / normalQuantile975 : simulation.sd[at];
					const high = band ? (band.hi[at] - simulation.x[at]) / normalQuantile975 : simulation.sd[at];
					lo[i] = y[i] - normalQuantile975 * Math.abs(gain) * Math.sqrt(squared(Math.max(low, 0)) + noise);
					hi[i] = y[i] + normalQuantile975 * Math.abs(gain) * Math.sqrt(squared(Math.max(high, 0)) + noise);
				}
				const inside = (time: number): boolean => time >= t[0] && time <= t[t.length - 1];
				const kept = Array.from(data.times.keys()).filter((i) => inside(data.times[i]));
				return {
					experiment: experiment.name,
					output: reading.measure.name,
					part,
					...(asksOrder(run) ? {} : { unasked: true as const }),
					t,
					y,
					lo,
					hi,
					data: {
						t: Float64Array.from(kept, (i) => data.times[i]),
						y: Float64Array.from(kept, (i) => data.values[i]),
					},
				};
			}),
		),
	);
}

function* simulated(
	run: KrigingRun,
	part: "train" | "test",
	experiment: Experiment,
	smoothed: SmoothedRecord,
	from: Start,
	times: Float64Array,
	/** Up to then the samples of the record tell its first state. */
	opening?: number,
): Generator<void, Simulated> {
	const { record } = smoothed;
	const { dynamics, pass, options, problem } = run;
	const { functions, params } = after(pass, dynamics);
	const seenUntil = part === "train" ? record.grid[record.grid.length - 1] : Number.NEGATIVE_INFINITY;
	const common = { dynamics, error: run.fieldError, functions, params, record, times };
	const start =
		from.kind === "apart" && opening !== undefined
			? yield* openedStart({ ...common, start: from }, smoothed, from, opening)
			: from;
	const spec: SimulationSpec = { ...common, start };
	let simulation = yield* simulationOf(spec);
	let band: Simulated["band"];
	if (part === "test" && options.simulation === "samples" && simulation.t.length > 0) {
		const { draws } = samplePaths({ ...spec, times: simulation.t }, options.samples, problem.seed);
		band = quantiles(draws, simulation.x.length);
	}
	const end = inputEndOf(run.layout, record);
	const inputEnd = end && end.t < times[times.length - 1] ? end : undefined;
	if (inputEnd) simulation = { ...simulation, boundedUntil: Math.min(simulation.boundedUntil, inputEnd.t) };
	return {
		part,
		experiment,
		record,
		simulation,
		asked: times,
		seenUntil,
		from: start.kind === "segment" ? "trajectory" : times[0] > start.t ? "smoothed" : "own samples",
		band,
		far: farFromData(spec, simulation, seenUntil),
		inputEnd,
	};
}

/** The state at the end of a training record, to go on from. */
export function endOf(run: KrigingRun, r: number): Start {
	const { dynamics, learning, pass, everySample } = run;
	const { starts } = after(pass, dynamics);
	const { record } = everySample[r];
	const segment = learning!.segments.findLastIndex((each) => each.record === record);
	if (segment >= 0)
		return { kind: "segment", t: learning!.segments[segment].t0, x: starts[segment], segment };
	return smoothedStart(run, everySample[r], record.grid.length - 1);
}

function smoothedStart({ dynamics, layout }: KrigingRun, smoothed: SmoothedRecord, i: number): Start {
	const { n } = dynamics;
	const covariance = new Float64Array(n * n);
	layout.places.forEach((a, p) => {
		layout.places.forEach((b, q) => {
			if (a.track === b.track)
				covariance[p * n + q] = smoothed.tracks[a.track].covariance(a.order, i, b.order, i);
		});
	});
	return { kind: "apart", t: smoothed.record.grid[i], x: smoothedState(dynamics, smoothed, i), covariance };
}

function quantiles(draws: readonly Float64Array[], length: number): NonNullable<Simulated["band"]> {
	const lo = new Float64Array(length);
	const hi = new Float64Array(length);
	for (let i = 0; i < length; i++) {
		const values = Float64Array.from(draws.flatMap((draw) => (i < draw.length ? [draw[i]] : []))).sort();
		lo[i] = values[Math.floor(0.025 * (values.length - 1))] ?? Number.NaN;
		hi[i] = values[Math.ceil(0.975 * (values.length - 1))] ?? Number.NaN;
	}
	return { lo, hi, ended: draws.filter((draw) => draw.length < length).length };
}

/** Sample times between `from` and `to`, both included, and a few more where they are few. */
function curveTimes(samples: Float64Array, from: number, to: number): Float64Array {
	const inside = samples.filter((t) => t >= from && t <= to);
	const extra =
		inside.length < curvePoints
			? Array.from({ length: curvePoints + 1 }, (_, i) => from + (i / curvePoints) * (to - from))
			: [];
	return Float64Array.from(new Set([from, ...inside, ...extra.slice(1, -1), to])).sort();
}
