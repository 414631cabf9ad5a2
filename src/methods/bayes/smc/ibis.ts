/**
 * Iterated batch importance sampling: the posterior sample by sample, each one on the way a valid posterior of the data
 * so far. When the weights degenerate, the cloud is resampled and moved, which browses all past samples again.
 *
 * Reference: Chopin, "A sequential particle filter method for static models", Biometrika 89, 2002; [longbottom2024]
 * Algorithm 1. Beyond it: where one observation alone makes the cloud collapse, that observation is tempered.
 */

import { stream } from "../../../num/random.ts";
import { effectiveSampleSize, logSumExp, normalisedWeights } from "../../../num/statistics/log-weights.ts";
import { systematicResample } from "../../../num/statistics/resampling.ts";
import type { FilterState } from "../filter/experiment-filter.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { drawPriors, logPriors, naturalValues } from "../likelihood/unknowns.ts";
import { type Cloud, takeParents } from "./cloud.ts";
import { type Moves, rejuvenate } from "./moves.ts";
import { Proposal } from "./proposal.ts";

export interface Rejuvenation {
	/** Samples seen. */
	readonly sample: number;
	readonly ess: number;
	readonly acceptance: number;
	readonly moves: number;
	readonly steps: number;
}

export interface IbisSettings {
	readonly seed: number;
	readonly name: string;
	readonly moves?: Moves;
	readonly threshold: number;
	readonly maxRejuvenations: number;
}

/** Samples whose weights are looked at in one call of the kernel. */
const blockSamples = 64;
/** Stages that one observation may be cut into. */
const mostCuts = 60;

/** The cloud's luggage, by name. */
interface Luggage {
	/** Log-likelihood before the last sample, and of it. */
	readonly before: Float64Array;
	readonly last: Float64Array;
	/** Of the experiments that are done. */
	readonly whole: Float64Array;
	readonly state: FilterState;
}
interface IbisCloud extends Cloud, Luggage {}

export class Ibis {
	readonly rejuvenations: Rejuvenation[] = [];
	/** Effective size at the end of each block: the path that the report shows. */
	readonly path: { sample: number; ess: number }[] = [];
	logEvidence = 0;
	diverged = 0;
	/** Samples that the cloud has seen. */
	at = 0;
	outcome: "running" | "converged" | "diverged" | "maxSteps" = "running";
	cloud: IbisCloud;
	logWeights: Float64Array;
	/** More samples may come: the last one so far is not the end. */
	open = false;
	/** What was before the last sample, if it is the last so far and did not make the cloud move. */
	#held:
		| { readonly logWeights: Float64Array; readonly logEvidence: number; readonly ess: number }
		| undefined;

	constructor(
		public likelihood: Likelihood,
		readonly n: number,
		readonly settings: IbisSettings,
	) {
		const { unknowns } = likelihood;
		const z = drawPriors(unknowns, n, settings.seed, settings.name);
		this.cloud = this.#pack(z, {
			before: new Float64Array(n),
			last: new Float64Array(n),
			whole: new Float64Array(n),
			state: likelihood.filters[0].newState(n),
		});
		this.logWeights = new Float64Array(n);
	}

	/** All samples so far are seen, and more may come. */
	get isWaiting(): boolean {
		return this.open && this.at === this.likelihood.nSamples;
	}

	/** The same record, grown. */
	extend(likelihood: Likelihood): void {
		this.likelihood = likelihood;
		this.#held = undefined;
	}

	/** No more samples come: the last one is taken in as the end that it is. */
	async close(): Promise<void> {
		this.open = false;
		if (this.outcome !== "running" || this.at < this.likelihood.nSamples) return;
		const held = this.#held;
		if (held) {
			this.logWeights = held.logWeights;
			this.logEvidence = held.logEvidence;
			await this.#digest(held.ess);
		}
		if (this.outcome === "running") this.outcome = "converged";
	}

	/** Up to one block of samples, or up to the next rejuvenation. */
	async advance(): Promise<void> {
		if (this.isWaiting) return;
		const { likelihood, n } = this;
		const { compute } = likelihood;
		const { e, sample } = likelihood.place(this.at);
		const filter = likelihood.filters[e];
		if (sample === 0 && this.at > 0) this.cloud = this.#nextExperiment(e);
		const { cloud } = this;
		const to = Math.min(filter.nSamples, sample + blockSamples);
		const particles = likelihood.particles(naturalValues(likelihood.unknowns, cloud.z, n), n, e);
		const start = copyState(cloud.state);
		const increments = await filter.sampleIncrements(compute, particles, cloud.state, sample, to);
		const threshold = this.settings.threshold * n;
		for (let s = sample; s < to; s++) {
			const inc = increments.subarray((s - sample) * n, (s - sample + 1) * n);
			for (let b = 0; b < n; b++) {
				cloud.before[b] = cloud.logLik[b];
				cloud.last[b] = Number.isFinite(inc[b]) ? inc[b] : Number.NEGATIVE_INFINITY;
				cloud.logLik[b] += cloud.last[b];
			}
			const weighted = this.logWeights.map((w, b) => w + cloud.last[b]);
			const ess = effectiveSampleSize(normalisedWeights(weighted));
			this.at++;
			const isLast = this.at === likelihood.nSamples;
			this.#held = undefined;
			if (ess >= threshold && (this.open || !isLast)) {
				if (isLast) this.#held = { logWeights: this.logWeights, logEvidence: this.logEvidence, ess };
				this.logEvidence += logSumExp(weighted) - logSumExp(this.logWeights);
				this.logWeights = weighted;
				continue;
			}
			if (s + 1 < to) {
				restoreState(cloud.state, start);
				await filter.sampleIncrements(compute, particles, cloud.state, sample, s + 1);
			}
			await this.#digest(ess);
			break;
		}
		const weights = normalisedWeights(this.logWeights);
		this.path.push({ sample: this.at, ess: effectiveSampleSize(weights) });
		if (this.outcome !== "running") return;
		if (this.at === likelihood.nSamples && !this.open) this.outcome = "converged";
		else if (this.rejuvenations.length >= this.settings.maxRejuvenations) this.outcome = "maxSteps";
	}

	/** Takes the last sample in, whole or in parts, and moves the cloud after each. */
	async #digest(ess: number): Promise<void> {
		const { likelihood, n, cloud } = this;
		const { seed, name } = this.settings;
		const d = likelihood.unknowns.length;
		let lambda = 0;
		for (let cut = 0; lambda < 1; cut++) {
			const next = cut >= mostCuts ? 1 : this.#nextPart(lambda);
			const rise = next - lambda;
			const weighted = this.logWeights.map((w, b) =>
				cloud.last[b] === Number.NEGATIVE_INFINITY ? cloud.last[b] : w + rise * cloud.last[b],
			);
			const total = logSumExp(weighted);
			if (total === Number.NEGATIVE_INFINITY) {
				this.outcome = "diverged";
				return;
			}
			if (this.rejuvenations.length === 0)
				this.diverged = cloud.logLik.filter((value) => value === Number.NEGATIVE_INFINITY).length / n;
			this.logEvidence += total - logSumExp(this.logWeights);
			const weights = normalisedWeights(weighted);
			const proposal = Proposal.fit(cloud.z, weights, d, likelihood);
			const purpose = `${name} sample ${this.at} part ${cut}`;
			takeParents(cloud, systematicResample(weights, stream(seed, `bayes resample ${purpose}`).uniform(0)));
			this.logWeights = new Float64Array(n);
			const { acceptance, moves, steps } = await (this.settings.moves ?? rejuvenate)({
				cloud,
				proposal,
				scales: likelihood.scales,
				bounded: likelihood.bounded,
				logTarget: (one, b) => logTarget(one as IbisCloud, b, next),
				evaluate: (z) => this.#evaluate(z),
				seed,
				purpose,
			});
			this.rejuvenations.push({
				sample: this.at,
				ess: cut === 0 ? ess : effectiveSampleSize(weights),
				acceptance,
				moves,
				steps,
			});
			lambda = next;
		}
	}

	/** How much of the last sample the cloud can bear at once: all, unless it would collapse. */
	#nextPart(lambda: number): number {
		const { last } = this.cloud;
		const size = (next: number): number =>
			effectiveSampleSize(
				normalisedWeights(
					this.logWeights.map((w, b) =>
						last[b] === Number.NEGATIVE_INFINITY ? last[b] : w + (next - lambda) * last[b],
					),
				),
			);
		const enough = Math.min(0.5 * size(lambda), 0.25 * this.n);
		if (size(1) >= enough) return 1;
		let lo = lambda;
		let hi = 1;
		for (let k = 0; k < 40; k++) {
			const middle = lo === 0 ? hi / 8 : (lo + hi) / 2;
			if (size(middle) >= enough) lo = middle;
			else hi = middle;
		}
		return Math.max(lo, lambda + 1e-9);
	}

	/** All samples so far, for new points. */
	async #evaluate(z: Float64Array): Promise<IbisCloud> {
		const { likelihood, n } = this;
		const theta = naturalValues(likelihood.unknowns, z, n);
		const { whole, state } = await likelihood.prefix(theta, n, this.at - 1);
		const { e, sample } = likelihood.place(this.at - 1);
		const before = whole.map((value, b) => finite(value + state.logLik[b]));
		const last = await likelihood.filters[e].sampleIncrements(
			likelihood.compute,
			likelihood.particles(theta, n, e),
			state,
			sample,
			sample + 1,
		);
		for (let b = 0; b < n; b++) last[b] = finite(last[b]);
		return this.#pack(z, { before, last, whole, state });
	}

	#nextExperiment(e: number): IbisCloud {
		const { cloud, likelihood, n } = this;
		return this.#pack(cloud.z, {
			before: cloud.logLik.slice(),
			last: new Float64Array(n),
			whole: cloud.logLik.slice(),
			state: likelihood.filters[e].newState(n),
		});
	}

	#pack(z: Float64Array, luggage: Luggage): IbisCloud {
		const { before, last, whole, state } = luggage;
		const { mean, cov, diffusion, logLik } = state;
		return {
			...luggage,
			n: this.n,
			z,
			logPrior: logPriors(this.likelihood.unknowns, z, this.n),
			logLik: before.map((value, b) => value + last[b]),
			luggage: [before, last, whole, mean, cov, diffusion, logLik],
		};
	}

	save(): IbisSnapshot {
		const { cloud } = this;
		const held = this.#held;
		const columns = [cloud.z, cloud.logLik, ...cloud.luggage, this.logWeights];
		return {
			at: this.at,
			logEvidence: this.logEvidence,
			diverged: this.diverged,
			outcome: this.outcome,
			rejuvenations: [...this.rejuvenations],
			path: [...this.path],
			columns: columns.map((column) => [...column]),
			...(held ? { held: { ...held, logWeights: [...held.logWeights] } } : {}),
		};
	}

	restore(saved: IbisSnapshot): void {
		const { at, logEvidence, diverged, outcome } = saved;
		Object.assign(this, { at, logEvidence, diverged, outcome });
		this.rejuvenations.splice(0, Number.POSITIVE_INFINITY, ...saved.rejuvenations);
		this.path.splice(0, Number.POSITIVE_INFINITY, ...saved.path);
		const [z, logLik, before, last, whole, mean, cov, diffusion, filterLogLik, logWeights] =
			saved.columns.map((column) => Float64Array.from(column));
		const state = { batch: this.n, mean, cov, diffusion, logLik: filterLogLik };
		this.cloud = { ...this.#pack(z, { before, last, whole, state }), logLik };
		this.logWeights = logWeights;
		this.#held = saved.held && {
			...saved.held,
			logWeights: Float64Array.from(saved.held.logWeights),
		};
	}
}

export interface IbisSnapshot {
	readonly at: number;
	readonly logEvidence: number;
	readonly diverged: number;
	readonly outcome: Ibis["outcome"];
	readonly rejuvenations: readonly Rejuvenation[];
	readonly path: readonly { sample: number; ess: number }[];
	readonly columns: readonly (readonly number[])[];
	/** Before the last sample so far, where more may come. */
	readonly held?: {
		readonly logWeights: readonly number[];
		readonly logEvidence: number;
		readonly ess: number;
	};
}

function logTarget({ logPrior, before, last }: IbisCloud, b: number, lambda: number): number {
	const tempered = last[b] === Number.NEGATIVE_INFINITY ? last[b] : lambda * last[b];
	return logPrior[b] + before[b] + tempered;
}

function copyState(state: FilterState): FilterState {
	const { batch, mean, cov, diffusion, logLik } = state;
	return {
		batch,
		mean: mean.slice(),
		cov: cov.slice(),
		diffusion: diffusion.slice(),
		logLik: logLik.slice(),
	};
}

function restoreState(state: FilterState, from: FilterState): void {
	state.mean.set(from.mean);
	state.cov.set(from.cov);
	state.diffusion.set(from.diffusion);
	state.logLik.set(from.logLik);
}

/** JSON has no infinities. */
const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY);
