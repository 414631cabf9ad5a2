/** A long record, thinned or cut to what a slow method can use by the way. */
import type { Experiment, Series } from "../../data/experiment.ts";
import type { Problem } from "../problem.ts";

/** Samples a swing from one crossing of the mean to the next that must be left. */
const samplesOfSwing = 12;

export interface Thinned {
	readonly problem: Problem;
	/** What was left out, a sentence for each record. */
	readonly assumptions: readonly string[];
}

/** Every k-th sample of the training records, as long as their swings stay visible; then the beginning alone. */
export function thinned(problem: Problem, most: number): Thinned {
	const assumptions: string[] = [];
	const train = problem.train.map((experiment) => {
		const series = [...experiment.outputs.values()];
		const count = Math.max(...series.map(({ values }) => values.length));
		// Outputs that are sampled at different times lose more than they should by their places.
		if (!(count > most) || series.some(({ values }) => values.length !== count)) return experiment;
		const swing = Math.min(...series.map(({ values }) => swingOf(values)));
		const step = Math.max(1, Math.min(Math.ceil(count / most), Math.floor(swing / samplesOfSwing)));
		const left = Math.min(Math.ceil(count / step), most);
		const which = step === 1 ? "" : step === 2 ? "every second of " : `every ${ordinal(step)} of `;
		assumptions.push(
			`To save time, ${which}the first ${Math.min(left * step, count)} of ${count} samples of ${experiment.name} were used.`,
		);
		return shortened(experiment, step, left);
	});
	return { problem: { ...problem, train }, assumptions };
}

/** Samples from one crossing of the mean to the next. */
function swingOf(values: Float64Array): number {
	let mean = 0;
	for (const value of values) mean += value / values.length;
	let crossings = 0;
	for (let i = 1; i < values.length; i++) if (values[i - 1] < mean !== values[i] < mean) crossings++;
	return values.length / (crossings + 1);
}

function shortened(experiment: Experiment, step: number, left: number): Experiment {
	const keep = (_: number, i: number): boolean => i % step === 0 && i / step < left;
	const outputs = [...experiment.outputs].map(([name, { times, values, rows, limits }]): [string, Series] => [
		name,
		{
			times: times.filter(keep),
			values: values.filter(keep),
			rows: rows.filter(keep),
			...(limits && { limits: limits.filter(keep) }),
		},
	]);
	return { ...experiment, times: outputs[0][1].times, outputs: new Map(outputs) };
}

function ordinal(number: number): string {
	return `${number}${number === 3 ? "rd" : "th"}`;
}
