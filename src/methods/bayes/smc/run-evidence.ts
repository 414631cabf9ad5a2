/** The log evidence of all runs together, how sure it is, and how much of the posterior each run found. */
import { log } from "../../../num/elementary/number.ts";
import { logSumExp, normalisedWeights } from "../../../num/statistics/log-weights.ts";
import type { EvidenceEstimate } from "./evidence-draws.ts";

export interface RunEvidence {
	readonly logEvidence: number;
	/** Half the width of its 90 % interval; absent where one run on its way cannot tell. */
	readonly plusMinus?: number;
	/** Of each run by itself. */
	readonly each: readonly number[];
	/** Share of the posterior that each run stands for. */
	readonly masses: Float64Array;
}

/** What a run's ladder from the prior to the posterior says. */
export interface Ladder {
	readonly logEvidence: number;
	/** Steps of it, each of which adds its noise, and particles. */
	readonly stages: number;
	readonly n: number;
}

/** Effective draws from which on their weights tell the evidence, whatever share of all draws they are. */
const enough = 60;
/** Half the width of a normal law's 90 % interval. */
const quantile95 = 1.6448536269514722;

export function runEvidence(ladders: readonly Ladder[], estimate?: EvidenceEstimate): RunEvidence {
	const climbed = ladders.map(({ logEvidence }) => logEvidence);
	if (estimate && estimate.effective >= enough)
		return {
			logEvidence: estimate.logEvidence,
			plusMinus: quantile95 * estimate.sd,
			each: estimate.own.map(({ logEvidence, effective }, r) =>
				effective >= enough ? logEvidence : climbed[r],
			),
			masses: estimate.masses,
		};
	const logEvidence = logSumExp(climbed) - log(Math.max(1, climbed.length));
	// What the draws say, few as they count, is one more voice on how far off the ladders may be.
	const voices = [...climbed, ...(estimate ? [estimate.logEvidence] : [])].filter(Number.isFinite);
	const apart = Math.max(...voices.map((one) => Math.abs(one - logEvidence)));
	const noise = Math.max(...ladders.map(({ stages, n }) => quantile95 * Math.sqrt(stages / n)));
	return {
		logEvidence,
		...(voices.length > 1 ? { plusMinus: apart + noise } : {}),
		each: climbed,
		masses: normalisedWeights(climbed),
	};
}
