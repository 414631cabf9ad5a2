/** The samples of an experiment on one grid of times, outputs side by side. */
import type { Experiment } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import { comparedEnds, comparedValue, type Ends, shownValue } from "../../../estimate/observe/compared.ts";
import type { Model } from "../../../model/model.ts";

export interface Samples {
	readonly times: Float64Array;
	/** nSamples × nOutputs; logarithms where the measure is lognormal; 0 where there is none. */
	readonly y: Float64Array;
	/** 1 where there is a sample. */
	readonly present: Float64Array;
	/** Ends between which a sample lies, where some are not known better; elsewhere the sample itself, twice. */
	readonly within?: Ends;
}

export function samplesOf(model: Model, experiment: Experiment): Samples {
	const { measures } = model;
	const series = measures.map(({ name }) => experiment.outputs.get(name));
	const times = Float64Array.from(new Set(series.flatMap((one) => (one ? [...one.times] : [])))).sort();
	if (times.length === 0)
		throw new InputError(
			experiment.name,
			"holds no sample of any measured output",
			`The model measures ${measures.map(({ name }) => name).join(", ")}: map its columns under  columns:`,
		);
	const at = new Map(Array.from(times, (t, s) => [t, s]));
	const y = new Float64Array(times.length * measures.length);
	const present = new Float64Array(y.length);
	const ends = series.map((one, o) => one && comparedEnds(measures[o], experiment.name, one));
	const within = ends.some((each) => each) ? { lo: y.slice(), hi: y.slice() } : undefined;
	for (const [o, one] of series.entries())
		for (let i = 0; one && i < one.times.length; i++) {
			const place = at.get(one.times[i])! * measures.length + o;
			const own = ends[o];
			y[place] =
				own && own.lo[i] < own.hi[i]
					? shownValue(own, i)
					: comparedValue(measures[o], experiment.name, one.values[i], one.rows[i]);
			present[place] = 1;
			if (within) [within.lo[place], within.hi[place]] = own ? [own.lo[i], own.hi[i]] : [y[place], y[place]];
		}
	return { times, y, present, ...(within && { within }) };
}

/**
 * Instants of curves: the samples, every one of `rows` (a row may hold no sample), and so many between them that there are at least
 * `points`. Nothing is measured at the new ones.
 */
export function displaySamples(
	samples: Samples,
	t0: number,
	points: number,
	rows: Float64Array = samples.times,
): Samples {
	const { times, y, present, within } = samples;
	const nOutputs = y.length / times.length;
	const sampleAt = new Map(Array.from(times, (t, s) => [t, s]));
	const wanted = Float64Array.from(new Set([...times, ...rows.filter((t) => t >= t0)])).sort();
	const between = Math.ceil(points / wanted.length);
	if (between < 2 && wanted.length === times.length) return samples;
	const dense: number[] = [];
	const from: number[] = [];
	for (const [i, t] of wanted.entries()) {
		const before = i === 0 ? t0 : wanted[i - 1];
		if (t > before)
			for (let k = i === 0 ? 0 : 1; k < between; k++) {
				dense.push(before + ((t - before) * k) / between);
				from.push(-1);
			}
		dense.push(t);
		from.push(sampleAt.get(t) ?? -1);
	}
	const spread = (values: Float64Array): Float64Array =>
		Float64Array.from({ length: dense.length * nOutputs }, (_, i) => {
			const s = from[Math.floor(i / nOutputs)];
			return s < 0 ? 0 : values[s * nOutputs + (i % nOutputs)];
		});
	return {
		times: Float64Array.from(dense),
		y: spread(y),
		present: spread(present),
		...(within && { within: { lo: spread(within.lo), hi: spread(within.hi) } }),
	};
}
