/** Test records that tell where they start by their first rows alone, and are predicted from there on. */
import { InputError } from "../errors.ts";
import type { Experiment, Series } from "./experiment.ts";

/** The record with its first rows set apart. */
export function withWarmUp(experiment: Experiment, rows: number): Experiment {
	const end = experiment.rows.from + rows;
	const part = (isWanted: (row: number) => boolean): Map<string, Series> =>
		new Map(
			[...experiment.outputs].flatMap(([name, { times, values, rows: own }]) => {
				const kept = Array.from(own.keys()).filter((k) => isWanted(own[k]));
				if (kept.length === 0) return [];
				const series = {
					times: Float64Array.from(kept, (k) => times[k]),
					values: Float64Array.from(kept, (k) => values[k]),
					rows: Int32Array.from(kept, (k) => own[k]),
				};
				return [[name, series]];
			}),
		);
	const [before, after] = [part((row) => row < end), part((row) => row >= end)];
	if (before.size === 0 || after.size === 0)
		throw new InputError(
			`${experiment.name}, warmUp`,
			before.size === 0
				? `has no sample in its first ${rows} rows`
				: `takes ${rows} rows, and leaves no sample to predict`,
			`The record has ${experiment.rows.to - experiment.rows.from} rows: leave samples on both sides.`,
		);
	return { ...experiment, outputs: after, warmUp: before };
}

/** The record as its start is found from: its warm-up where it has one, else all of it. */
export function startOf(experiment: Experiment): Experiment {
	return experiment.warmUp ? { ...experiment, outputs: experiment.warmUp } : experiment;
}
