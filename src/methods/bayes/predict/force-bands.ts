/** Latent forces as they are shown: mean and 90 % band, from particles and from what each of them leaves open. */
import type { BayesRun } from "../bayes-run.ts";
import { SmoothedRecord } from "./smoothed-record.ts";

/** 0.95 quantile of the standard normal law: bands hold 90 %. */
export const quantile95 = 1.6448536269514722;

export interface ForceBand {
	readonly name: string;
	readonly experiment: number;
	readonly t: Float64Array;
	readonly mean: Float64Array;
	readonly lo: Float64Array;
	readonly hi: Float64Array;
}

export function forceBands({ train }: BayesRun): ForceBand[] {
	if (!(train instanceof SmoothedRecord)) return [];
	return train.forces.map(({ name, experiment, t, mean, within, parameters }) => {
		const half = mean.map((_, s) => quantile95 * Math.sqrt(within[s] + parameters[s]));
		return {
			name,
			experiment,
			t,
			mean,
			lo: mean.map((value, s) => value - half[s]),
			hi: mean.map((value, s) => value + half[s]),
		};
	});
}
