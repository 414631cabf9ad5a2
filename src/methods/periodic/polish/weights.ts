/**
 * By what the least squares on simulations weighs each output of each record: the variance of its own noise. Where the model says that
 * several have one spread it is that of all of them together, within what is declared of it.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import type { Model } from "../../../model/model.ts";
import { squared } from "../../../num/whole-power.ts";

/** By record, and by the position of the measure; `own`: what each shows by itself. */
export function noiseVariances(
	model: Model,
	experiments: readonly Experiment[],
	own: (experiment: number, index: number) => number,
): number[][] {
	const { groups } = observationsOf(model, experiments);
	const all = experiments.map((): number[] => []);
	for (const { spread, experiment, index } of groups) {
		all[experiment][index] = own(experiment, index);
		if (spread.kind !== "common") continue;
		const { perParam: unit = 1, lo, hi } = spread;
		let [sum, count] = [0, 0];
		for (const each of groups) {
			if (each.spread.kind !== "common" || each.spread.key !== spread.key) continue;
			const size = each.to - each.from;
			sum += (size * own(each.experiment, each.index)) / squared(each.spread.perParam ?? 1);
			count += size;
		}
		const isAlone = groups.every(
			(each) =>
				(each.index === index && each.experiment === experiment) ||
				each.spread.kind !== "common" ||
				each.spread.key !== spread.key,
		);
		const mean = sum / count;
		const within = Math.min(Math.max(mean, squared(lo)), squared(hi));
		if (!isAlone || within !== mean) all[experiment][index] = squared(unit) * within;
	}
	return all;
}
