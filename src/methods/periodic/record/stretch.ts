/** A stretch of a record. */
import type { Experiment } from "../../../data/experiment.ts";

/** The samples from a time on, and before another. */
export function stretchOf(experiment: Experiment, from: number, to: number): Experiment {
	const within = (times: Float64Array): [number, number] => [
		countBefore(times, from),
		countBefore(times, to),
	];
	return {
		...experiment,
		times: experiment.times.subarray(...within(experiment.times)),
		outputs: new Map(
			[...experiment.outputs].map(([name, { times, values, rows }]) => {
				const place = within(times);
				return [
					name,
					{
						times: times.subarray(...place),
						values: values.subarray(...place),
						rows: rows.subarray(...place),
					},
				];
			}),
		),
	};
}

function countBefore(times: Float64Array, t: number): number {
	const at = times.findIndex((time) => time >= t);
	return at < 0 ? times.length : at;
}
