/**
 * The log evidence by importance sampling, from the proposals of all runs together.
 *
 * The ladder on the way to a posterior carries the noise of every stage, and where it loses a mode it is too low by as much as
 * that mode is worth, without a sign. Draws of a known density near the posterior tell the evidence without a ladder. Each draw
 * is weighed by the mixture of all proposals, so that a run which ended beside the best mode takes nothing away, and the weights
 * say how much of the posterior lies where each run ended.
 *
 * Reference: Veach, Guibas, "Optimally combining sampling techniques for Monte Carlo rendering", 1995 (the balance heuristic);
 * Owen, Zhou, "Safe and effective importance sampling", JASA 95, 2000 (deterministic mixtures).
 */
import { exp, log } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";
import {
	effectiveSampleSize,
	largestLogWeight,
	logSumExp,
	normalisedWeights,
} from "../../../num/statistics/log-weights.ts";
import { squared } from "../../../num/whole-power.ts";
import { logMixture, type Mixture, type MixturePart } from "./mixture.ts";

export interface ImportanceEstimate {
	readonly logEvidence: number;
	/** Standard error of it. */
	readonly sd: number;
	/** Draws of the posterior that are worth as much. */
	readonly effective: number;
}

export interface EvidenceEstimate extends ImportanceEstimate {
	/** By each run's own proposals. */
	readonly own: readonly ImportanceEstimate[];
	/** Share of the posterior that lies where each run ended; they sum to 1. */
	readonly masses: Float64Array;
	/** Posterior mean and standard deviation of each coordinate by all weighted draws. */
	readonly means: Float64Array;
	readonly sds: Float64Array;
}

/** What draws are weighed by: log prior plus log-likelihood of n points in columns. */
export type LogTarget = (z: Float64Array, n: number) => Promise<Float64Array>;

/** Standard error at which there are draws enough, and the most rounds for it. */
const wantedError = 0.04;
const mostRounds = 12;

/** Draws of one part of one run: they come in mirrored pairs, neighbours. */
interface Stratum {
	readonly run: number;
	readonly part: MixturePart;
	readonly perRound: number;
	/** Weights by the mixture of all runs and by that of its own, logarithms. */
	readonly weights: number[];
	readonly ownWeights: number[];
}

export class EvidenceDraws {
	round = 0;
	readonly #strata: Stratum[];
	/** Points of all draws, one after the other, and their weights by the mixture of all runs. */
	readonly #points: number[] = [];
	readonly #weights: number[] = [];
	/** By run: log of the share of the mixture that is its own, at each draw, beside the weights of all strata. */
	readonly #belongs: number[][];

	constructor(
		readonly mixtures: readonly Mixture[],
		readonly logTarget: LogTarget,
		/** Draws a round for each run. */
		readonly n: number,
		readonly seed: number,
	) {
		this.#strata = mixtures.flatMap(({ parts }, run) =>
			parts.map((part) => ({
				run,
				part,
				perRound: 2 * Math.max(1, Math.round((part.share * n) / 2)),
				weights: [],
				ownWeights: [],
			})),
		);
		this.#belongs = mixtures.map(() => []);
	}

	get done(): boolean {
		if (this.round === 0) return false;
		return this.round >= mostRounds || this.#of(this.#strata, ({ weights }) => weights).sd < wantedError;
	}

	/** One more round of draws. */
	async advance(): Promise<void> {
		const strata = this.#strata;
		const total = strata.reduce((sum, { perRound }) => sum + perRound, 0);
		const d = strata[0].part.proposal.mean.length;
		const z = new Float64Array(d * total);
		/** Draws beyond a bound. */
		const beyond: number[] = [];
		let first = 0;
		for (const [k, { part, perRound }] of strata.entries()) {
			const random = stream(this.seed, `bayes evidence ${k} round ${this.round}`);
			for (let b = first; b < first + perRound; b++)
				if (!part.proposal.drawInto(z, total, b, random)) beyond.push(b);
			first += perRound;
		}
		const target = await this.logTarget(z, total);
		for (const b of beyond) target[b] = Number.NEGATIVE_INFINITY;
		const shared = this.mixtures.map((_, run) => this.#parts(run));
		first = 0;
		for (const stratum of strata) {
			for (let b = first; b < first + stratum.perRound; b++) {
				const each = shared.map(({ share, parts }) => log(share) + logMixture(parts, z, total, b));
				const all = logSumExp(each);
				stratum.weights.push(target[b] - all);
				this.#weights.push(target[b] - all);
				for (let i = 0; i < d; i++) this.#points.push(z[i * total + b]);
				stratum.ownWeights.push(target[b] + log(shared[stratum.run].share) - each[stratum.run]);
				for (const [run, own] of each.entries()) this.#belongs[run].push(target[b] - 2 * all + own);
			}
			first += stratum.perRound;
		}
		this.round++;
	}

	/** The parts of one run with the shares that its draws have, and its share among all. */
	#parts(run: number): { share: number; parts: MixturePart[] } {
		const count = (strata: readonly Stratum[]): number =>
			strata.reduce((sum, { perRound }) => sum + perRound, 0);
		const own = this.#strata.filter((stratum) => stratum.run === run);
		return {
			share: count(own) / count(this.#strata),
			parts: own.map(({ part, perRound }) => ({ ...part, share: perRound / count(own) })),
		};
	}

	estimate(): EvidenceEstimate {
		const strata = this.#strata;
		return {
			...this.#of(strata, ({ weights }) => weights),
			own: this.mixtures.map((_, run) =>
				this.#of(
					strata.filter((stratum) => stratum.run === run),
					({ ownWeights }) => ownWeights,
				),
			),
			masses: normalisedWeights(this.#belongs.map(logSumExp)),
			...this.#moments(),
		};
	}

	#moments(): Pick<EvidenceEstimate, "means" | "sds"> {
		const d = this.#points.length / this.#weights.length;
		const shares = normalisedWeights(this.#weights);
		const means = new Float64Array(d);
		const sds = new Float64Array(d);
		shares.forEach((share, b) => {
			if (share > 0) for (let i = 0; i < d; i++) means[i] += share * this.#points[b * d + i];
		});
		shares.forEach((share, b) => {
			if (share > 0)
				for (let i = 0; i < d; i++) sds[i] += share * squared(this.#points[b * d + i] - means[i]);
		});
		return { means, sds: sds.map(Math.sqrt) };
	}

	#of(strata: readonly Stratum[], weightsOf: (stratum: Stratum) => readonly number[]): ImportanceEstimate {
		const all = strata.flatMap((stratum) => [...weightsOf(stratum)]);
		const top = largestLogWeight(all);
		if (top === Number.NEGATIVE_INFINITY)
			return { logEvidence: top, sd: Number.POSITIVE_INFINITY, effective: 0 };
		let mean = 0;
		let variance = 0;
		for (const stratum of strata) {
			const weights = weightsOf(stratum);
			const pairs = Array.from(
				{ length: weights.length / 2 },
				(_, k) => 0.5 * (weight(weights[2 * k] - top) + weight(weights[2 * k + 1] - top)),
			);
			const share = weights.length / all.length;
			const own = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
			const spread = pairs.reduce((sum, value) => sum + squared(value - own), 0);
			mean += share * own;
			variance += (squared(share) * spread) / (pairs.length * Math.max(1, pairs.length - 1));
		}
		return {
			logEvidence: top + log(mean),
			sd: Math.sqrt(variance) / mean,
			effective: effectiveSampleSize(normalisedWeights(all)),
		};
	}
}

function weight(logWeight: number): number {
	return logWeight > Number.NEGATIVE_INFINITY ? exp(logWeight) : 0;
}
