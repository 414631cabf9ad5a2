/** An estimation problem with the first part of its records alone: the less there is to follow, the fewer ways there are to follow it wrongly. */
import type { Experiment, Series } from "../../data/experiment.ts";
import { observationsOf } from "../observe/observations.ts";
import type { Estimation } from "./estimation.ts";

/** Times of the longest record. */
export function mostTimes({ observations: { grids } }: Estimation): number {
	return Math.max(...grids.map(({ times }) => times.length));
}

/** Of the times of each record the first share, one at least. */
export function upTo(estimation: Estimation, share: number): Estimation {
	if (share >= 1) return estimation;
	const { model, common, observations } = estimation;
	const experiments = estimation.experiments.map((experiment, e) => {
		const { times } = observations.grids[e];
		const end = times[Math.max(Math.ceil(share * times.length), 1) - 1];
		return cut(experiment, end);
	});
	return { ...estimation, experiments, observations: observationsOf(model, experiments, common) };
}

function cut(experiment: Experiment, end: number): Experiment {
	const outputs = new Map(
		[...experiment.outputs].map(([name, { times, values, rows, limits }]): [string, Series] => {
			const count = times.filter((t) => t <= end).length;
			return [
				name,
				{
					times: times.slice(0, count),
					values: values.slice(0, count),
					rows: rows.slice(0, count),
					...(limits && { limits: limits.slice(0, count) }),
				},
			];
		}),
	);
	return { ...experiment, outputs };
}
