/** Experiments as step 1 sees them: for each track of the state, samples with the variance of their errors. */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { deviationPerSpread } from "../../estimate/law/declared.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Node } from "../../model/graph.ts";
import { symbolsOf } from "../../model/walk.ts";
import { squared } from "../../num/whole-power.ts";
import type { InputSignal } from "../../solve/piecewise-inputs.ts";
import type { Layout, Reading, Track } from "./layout.ts";
import type { Samples } from "./time/smoother.ts";
import { varianceOf } from "./time/time-hyper.ts";

/**
 * Smallest noise of samples that are declared exact, as a share of their spread: without any the equations are singular.
 * How much there is, is estimated.
 */
const exactShare = 1e-4;
const exactBounds = { lo: 1, hi: 6000 } as const;
/** Unit of a noise that is to be estimated, as a share of the spread; and the bounds of its factor. */
const openShare = 0.01;
const openBounds = { lo: 0.05, hi: 60 } as const;

export interface TrackRecord extends Samples {
	/** For each sample: which measure of the model it is of; -1 for an exactly known initial value. */
	readonly measure: Int32Array;
}

export interface KrigingRecord {
	readonly experiment: Experiment;
	readonly signals: readonly InputSignal[];
	readonly conditions: Float64Array;
	/** Times at which states and derivatives are wanted: those of the samples, or some of them in a long record. */
	readonly grid: Float64Array;
	/** One for each track. */
	readonly tracks: readonly TrackRecord[];
}

/** What is known of the noise of a track. */
export type TrackNoise = "known" | "open" | "none";

export function noiseOf({ model }: Layout, { readings }: Track): TrackNoise {
	const kinds = readings.map(({ measure, component }): TrackNoise => {
		if (!measure.spread) return "none";
		const symbols = [...symbolsOf([measure.spread])];
		const open = symbols.filter((name) => model.params.some((param) => param.name === name));
		if (open.length > 0 && measure.spread.op === "sym") return "open";
		const other = symbols.find((name) => name !== model.components[component]);
		if (other !== undefined)
			throw new InputError(
				`measure ${measure.name}`,
				`has a spread that depends on ${other}`,
				"Give a number, one parameter alone, or an expression of the state that is measured.",
			);
		return "known";
	});
	if (kinds.includes("open")) {
		if (!kinds.every((kind) => kind === "open"))
			throw new InputError(
				`measure ${readings[kinds.indexOf("open")].measure.name}`,
				"has an unknown spread, and another measurement of the same state a known one",
				"Give a number for it.",
			);
		return "open";
	}
	return kinds.includes("none") ? "none" : "known";
}

/** Bounds of the factor of a track's noise; undefined where it is known. */
export function noiseBounds(layout: Layout, track: Track): { lo: number; hi: number } | undefined {
	const kind = noiseOf(layout, track);
	if (kind === "open") return openBounds;
	// Beside a measurement with a declared spread, an exact one has the smallest noise.
	return track.readings.every(({ measure }) => !measure.spread) ? exactBounds : undefined;
}

/** How much each measure varies over all of some records, in units of its state: noise that is not declared is a share of it. */
export type Spreads = ReadonlyMap<string, number>;

export function spreadsOf({ tracks }: Layout, experiments: readonly Experiment[]): Spreads {
	return new Map(
		tracks.flatMap(({ readings }) =>
			readings.map(({ measure: { name }, gain, offset }) => {
				const values = experiments.flatMap(({ outputs }) => [...(outputs.get(name)?.values ?? [])]);
				return [name, varianceOf(values.map((value) => (value - offset) / gain))];
			}),
		),
	);
}

export function recordOf(layout: Layout, experiment: Experiment, spreads: Spreads): KrigingRecord {
	const { model, tracks } = layout;
	const signals = model.inputs.map(({ name }) => {
		const signal = experiment.inputs.get(name);
		if (!signal)
			throw new InputError(
				`input ${name}`,
				`has no column in ${experiment.name}`,
				"Name it under  columns:.",
			);
		return signal;
	});
	const times = tracks.flatMap(({ readings }) =>
		readings.map(({ measure }) => experiment.outputs.get(measure.name)?.times ?? new Float64Array()),
	);
	return {
		experiment,
		signals,
		conditions: Float64Array.from(model.conditions, ({ name }) => experiment.conditions[name] ?? Number.NaN),
		grid: Float64Array.from(new Set(times.flatMap((each) => [...each]))).sort(),
		tracks: tracks.map((track) => trackRecord(layout, track, experiment, spreads)),
	};
}

/** Times of all samples of all tracks. */
export function sampleTimes({ tracks }: Pick<KrigingRecord, "tracks">): Float64Array {
	return Float64Array.from(new Set(tracks.flatMap(({ t }) => [...t]))).sort();
}

function trackRecord(layout: Layout, track: Track, experiment: Experiment, spreads: Spreads): TrackRecord {
	const { model } = layout;
	const noise = noiseOf(layout, track);
	const samples: { t: number; order: number; y: number; variance: number; measure: number }[] = [];
	for (const reading of track.readings) {
		const series = experiment.outputs.get(reading.measure.name);
		if (!series) continue;
		const where = `${experiment.name}: column of ${reading.measure.name}`;
		const x = naturalValues(reading, series.values, where);
		checkTimes(series.times, where);
		const spread = spreads.get(reading.measure.name)!;
		// What moves by rounding only does not move.
		const size = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
		if (x.length < 2)
			throw new InputError(
				where,
				`has ${x.length} sample`,
				"Give more samples: how a state moves cannot be seen from one.",
			);
		if (!(Math.sqrt(varianceOf(x)) > 1e-12 * size))
			throw new InputError(
				where,
				`holds the same value ${Number(x[0].toPrecision(12))} in all ${x.length} samples`,
				"Nothing can be learned of a state that does not move: choose other rows, or take it out of the model.",
			);
		for (let i = 0; i < x.length; i++)
			samples.push({
				t: series.times[i],
				order: reading.order,
				y: x[i],
				variance: noiseVariance(noise, reading, model.components[reading.component], x[i], spread),
				measure: model.measures.indexOf(reading.measure),
			});
	}
	if (samples.length === 0)
		throw new InputError(
			experiment.name,
			`has no sample of ${track.readings.map(({ measure }) => measure.name).join(" or ")}`,
			`Name its column under  columns:  kriging needs ${track.name} in every record.`,
		);
	// An exactly known initial value is needed only where the state itself is not measured.
	if (track.initial !== undefined && track.readings.every(({ order }) => order > 0))
		samples.push({
			t: experiment.times[0],
			order: 0,
			y: track.initial,
			variance: 1e-12 * Math.max(squared(track.initial), varianceOf(samples.map(({ y }) => y))),
			measure: -1,
		});
	samples.sort((a, b) => a.t - b.t || a.order - b.order);
	return {
		t: Float64Array.from(samples, ({ t }) => t),
		order: Uint8Array.from(samples, ({ order }) => order),
		y: Float64Array.from(samples, ({ y }) => y),
		variance: Float64Array.from(samples, ({ variance }) => variance),
		measure: Int32Array.from(samples, ({ measure }) => measure),
	};
}

/** The state from what was measured of it. */
export function naturalValues({ gain, offset }: Reading, values: Float64Array, where: string): Float64Array {
	const bad = values.findIndex((value) => !Number.isFinite(value));
	if (bad >= 0) throw new InputError(where, `is ${values[bad]} in sample ${bad}`, "Remove the sample.");
	return values.map((value) => (value - offset) / gain);
}

function checkTimes(t: Float64Array, where: string): void {
	for (let i = 1; i < t.length; i++) {
		if (t[i] === t[i - 1])
			throw new InputError(
				where,
				`has two samples at t = ${t[i]}`,
				"Average repeated samples into one, or remove one of them.",
			);
		if (!(t[i] > t[i - 1]))
			throw new InputError(where, `has time ${t[i]} after ${t[i - 1]}`, "Times have to increase.");
	}
}

/** Variance of the error of one sample, in units of the state, as a function of the state. */
export function noiseAt(
	layout: Layout,
	{ tracks }: KrigingRecord,
	track: number,
	reading: Reading,
): (x: number) => number {
	const { order, variance, y } = tracks[track];
	const at = Array.from(order).indexOf(layout.places[reading.component].order);
	if (at < 0) return () => 0;
	// Estimated noise is in the samples; declared noise may depend on the state.
	if (noiseBounds(layout, layout.tracks[track])) return () => variance[at];
	const spread = varianceOf(y);
	const name = layout.model.components[reading.component];
	return (x) => noiseVariance("known", reading, name, x, spread);
}

function noiseVariance(
	noise: TrackNoise,
	reading: Reading,
	component: string,
	x: number,
	spread: number,
): number {
	const { measure, gain, offset, isLog } = reading;
	if (noise === "open") return squared(openShare) * spread;
	const floor = squared(exactShare) * spread;
	if (!measure.spread) return floor;
	const radius = spreadAt(measure.spread, component, x);
	if (!(radius >= 0 && radius < Number.POSITIVE_INFINITY))
		throw new InputError(
			`measure ${measure.name}`,
			`has a spread of ${radius}`,
			"A spread is a positive number.",
		);
	// A spread of logarithms stands for a share of the value.
	const sd = deviationPerSpread(measure) * radius * (isLog ? Math.abs(gain * x + offset) : 1);
	return Math.max(squared(sd / gain), floor);
}

function spreadAt(spread: Node, component: string, x: number): number {
	return evaluate(spread, (name) => (name === component ? x : Number.NaN));
}
