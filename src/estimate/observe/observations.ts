/** All measured samples of all experiments as one vector, with what the model says of their noise. */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import type { Measure, Model } from "../../model/model.ts";
import { sampleLaw } from "../law/declared.ts";
import type { SampleLaw } from "../law/law.ts";
import { comparedEnds, comparedValue, type Ends, shownValue } from "./compared.ts";
import { type Memory, memoryOf } from "./memory.ts";
import { commonSpreads, type Spread, spreadOf } from "./spread.ts";

/** One output of one experiment: samples `from` to `to` of the vector. */
export interface OutputGroup {
	readonly experiment: number;
	readonly measure: Measure;
	/** Position of the measure in the model. */
	readonly index: number;
	readonly from: number;
	readonly to: number;
	readonly t: Float64Array;
	/** As measured, or its logarithm. */
	readonly observed: Float64Array;
	/** Position of each sample in the experiment's grid of times. */
	readonly gridIndex: Int32Array;
	readonly law: SampleLaw;
	/** Where some samples are only known to lie between ends. */
	readonly within?: Ends;
	/** Where errors go on from sample to sample. */
	readonly memory?: Memory;
	readonly spread: Spread;
}

export interface Observations {
	readonly groups: readonly OutputGroup[];
	readonly nObservations: number;
	readonly values: Float64Array;
	/** For each experiment: where it starts, and all times at which some output was sampled, rising. */
	readonly grids: readonly { readonly t0: number; readonly times: Float64Array }[];
}

export function observationsOf(
	model: Model,
	experiments: readonly Experiment[],
	/** Parameters that are spreads and need no search. */
	common: ReadonlySet<string> = commonSpreads(model, experiments),
): Observations {
	const groups: OutputGroup[] = [];
	const grids = experiments.map((experiment) => ({
		t0: experiment.times[0],
		times: unionOfTimes(
			model.measures.map(({ name }) => experiment.outputs.get(name)?.times ?? new Float64Array()),
		),
	}));
	let next = 0;
	experiments.forEach((experiment, e) => {
		const position = new Map(Array.from(grids[e].times, (t, i) => [t, i]));
		model.measures.forEach((measure, index) => {
			const series = experiment.outputs.get(measure.name);
			if (!series || series.values.length === 0) return;
			const within = comparedEnds(measure, experiment.name, series);
			const memory = memoryOf(model, measure, experiment);
			if (within && memory) refuseRemembered(experiment.name, measure.name);
			const observed = series.values.map((y, k) =>
				within && within.lo[k] < within.hi[k]
					? shownValue(within, k)
					: comparedValue(measure, experiment.name, y, series.rows[k]),
			);
			groups.push({
				experiment: e,
				measure,
				index,
				from: next,
				to: (next += observed.length),
				t: series.times,
				observed,
				gridIndex: Int32Array.from(series.times, (t) => position.get(t)!),
				law: sampleLaw(measure),
				...(within && { within }),
				...(memory && { memory }),
				spread: spreadOf(model, measure, experiment, series.times, common),
			});
		});
	});
	if (next === 0)
		throw new InputError(
			"data",
			"holds no sample of any measured output",
			`The model measures ${model.measures.map(({ name }) => name).join(", ")}: map its columns under  columns:`,
		);
	const values = new Float64Array(next);
	for (const group of groups) values.set(group.observed, group.from);
	return { groups, nObservations: next, values, grids };
}

/** Limits among errors that are remembered would need integrals over all of them. */
export function refuseRemembered(experiment: string, output: string): never {
	throw new InputError(
		`${experiment}: column of ${output}`,
		"holds limits, and its errors are declared as correlated",
		"Leave  correlated  out, or leave those cells empty.",
	);
}

function unionOfTimes(lists: readonly Float64Array[]): Float64Array {
	const [first, ...others] = lists.filter((list) => list.length > 0);
	if (!first) return new Float64Array();
	if (others.every((list) => list === first || sameTimes(list, first))) return first;
	return Float64Array.from(new Set([first, ...others].flatMap((list) => [...list]))).sort();
}

function sameTimes(a: Float64Array, b: Float64Array): boolean {
	return a.length === b.length && a.every((t, i) => t === b[i]);
}

/** Median time from one sample to the next. */
export function typicalInterval({ grids }: Observations): number {
	const intervals = new Float64Array(
		grids.reduce((sum, { times }) => sum + Math.max(times.length - 1, 0), 0),
	);
	let next = 0;
	for (const { times } of grids)
		for (let i = 1; i < times.length; i++) intervals[next++] = times[i] - times[i - 1];
	intervals.sort();
	return intervals[Math.floor(intervals.length / 2)] ?? 0;
}
