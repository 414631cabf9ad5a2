/**
 * Likelihood-tempered sequential Monte Carlo: from the prior to the posterior through p(θ) p(y | θ)^λ, λ rising as fast
 * as the effective sample size allows.
 *
 * Where a cheaper likelihood is near the wanted one (the same solver taken as exact), the cloud first goes to its
 * posterior and then over a bridge, p(θ) cheap^(1-μ) wanted^μ, to the wanted one: most stages then cost little, and the
 * end and the evidence are the same. Where the bridge would be long, the cloud starts again without it.
 *
 * Of a long record the cloud first goes to the posterior of a first part. From there on a law that is near the posterior
 * stands in the prior's place (`start-law.ts`), q(θ)^(1-λ) (p(θ) p(y | θ))^λ: again the end and the evidence are the same.
 *
 * Reference: Del Moral, Doucet, Jasra, "Sequential Monte Carlo samplers", JRSS B 68, 2006; the adaptive ladder after
 * Jasra et al., "Inference for Lévy-driven stochastic volatility models via adaptive sequential Monte Carlo", 2011.
 */
import { exp, log } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";
import {
	effectiveSampleSize,
	largestLogWeight,
	logSumExp,
	normalisedWeights,
} from "../../../num/statistics/log-weights.ts";
import { systematicResample } from "../../../num/statistics/resampling.ts";
import type { Kinds } from "./chart.ts";
import { type Cloud, takeParents } from "./cloud.ts";
import { type Moves, rejuvenate } from "./moves.ts";
import { Proposal } from "./proposal.ts";
import { StartLaw } from "./start-law.ts";

export interface Target extends Kinds {
	/** Number of coordinates. */
	readonly d: number;
	draw(n: number, purpose: string): Float64Array;
	logPrior(z: Float64Array, n: number): Float64Array;
	logLik(z: Float64Array, n: number): Promise<Float64Array>;
	/** A cheaper likelihood that is near. */
	cheap?(z: Float64Array, n: number): Promise<Float64Array>;
	/** That of the first samples of a long record, and their share of all. */
	readonly first?: { readonly part: number; logLik(z: Float64Array, n: number): Promise<Float64Array> };
}

export interface Stage {
	/** Power of the likelihood; on the bridge that of the wanted one beside the cheap. */
	readonly lambda: number;
	readonly bridge: boolean;
	/** Share of the samples that it is of. */
	readonly part: number;
	readonly ess: number;
	readonly acceptance: number;
	readonly moves: number;
	readonly steps: number;
	/** Effective share of the last independent proposals as importance samples of this stage's target. */
	readonly share: number;
}

export interface TemperingSettings {
	readonly seed: number;
	/** Names the random streams of this run. */
	readonly name: string;
	readonly moves?: Moves;
	/** Share of the particles that the effective size may fall to in one stage. */
	readonly threshold: number;
	readonly maxStages: number;
}

const impossible = Number.NEGATIVE_INFINITY;
/** A first step on the bridge that is shorter than this foretells a long one. */
const shortestStep = 0.15;
/** Share of the effective size that an exchange must leave. */
const fewestLeft = 0.1;

export class Tempering {
	/** On the bridge `logLik` is the cheap one and the luggage holds the wanted one. */
	cloud: Cloud | undefined;
	lambda = 0;
	bridge = false;
	/** The cheap likelihood turned out to be too far off. */
	direct = false;
	/** Particles of the posterior of the first part, once it is reached. */
	start: Float64Array | undefined;
	#law: StartLaw | undefined;
	logEvidence = 0;
	/** Share of the prior for which the model blows up. */
	diverged = 0;
	stages: Stage[] = [];
	outcome: "running" | "converged" | "diverged" | "maxSteps" = "running";

	constructor(
		readonly target: Target,
		readonly n: number,
		readonly settings: TemperingSettings,
	) {}

	/** On the way to the posterior of the first part. */
	get approaches(): boolean {
		return this.target.first !== undefined && !this.start;
	}

	/** One stage. */
	async advance(): Promise<void> {
		if (this.lambda === 1 && this.approaches) this.#takeAll();
		else if (this.lambda === 1 && !this.bridge && this.#usesCheap) await this.#enterBridge();
		if (!this.cloud) return this.#begin();
		const { n, cloud, target, approaches } = this;
		const { seed, name, maxStages, moves = rejuvenate } = this.settings;
		const next = this.#nextLambda();
		const increments = this.#increments(next);
		const total = logSumExp(increments);
		if (total === impossible) {
			this.outcome = "diverged";
			return;
		}
		this.logEvidence += total - log(n);
		const weights = normalisedWeights(increments);
		const ess = effectiveSampleSize(weights);
		const proposal = Proposal.fit(cloud.z, weights, target.d, target);
		const purpose = `${name} stage ${this.stages.length}`;
		takeParents(cloud, systematicResample(weights, stream(seed, `bayes resample ${purpose}`).uniform(0)));
		this.lambda = next;
		const isLast = next === 1 && !approaches && (this.bridge || !this.#usesCheap);
		const report = await moves({
			cloud,
			proposal,
			scales: target.scales,
			bounded: target.bounded,
			logTarget: (one, b) => this.#logTarget(one, b),
			evaluate: (z) => this.#evaluate(z, n),
			last: isLast,
			widens: this.bridge,
			seed,
			purpose,
		});
		const part = approaches ? target.first!.part : 1;
		this.stages.push({ lambda: next, bridge: this.bridge, part, ess, ...report });
		if (isLast) this.outcome = "converged";
		else if (this.stages.length >= maxStages) this.outcome = "maxSteps";
	}

	/** Log target of this stage at the particles, up to a constant. */
	ownTargets(): Float64Array {
		return this.#targets(this.cloud!);
	}

	/** At n points, by the likelihoods as they are now. */
	async logTargets(z: Float64Array, n: number): Promise<Float64Array> {
		return this.#targets(await this.#evaluate(z, n));
	}

	#targets(cloud: Cloud): Float64Array {
		return Float64Array.from({ length: cloud.n }, (_, b) => this.#logTarget(cloud, b));
	}

	/**
	 * The same stage by likelihoods that are others now: the particles are weighed by what that changes and drawn anew. False, and
	 * nothing done, where hardly any would be left.
	 */
	async exchange(): Promise<boolean> {
		const { lambda, n } = this;
		const { seed, name } = this.settings;
		if (lambda === 0 && !this.start) {
			this.cloud = await this.#prior(this.cloud!.z);
			if (this.diverged < 1) this.outcome = "running";
			return true;
		}
		const cloud = await this.#evaluate(this.cloud!.z, n);
		const own = this.ownTargets();
		const changes = this.#targets(cloud).map((there, b) =>
			there === impossible ? impossible : there - own[b],
		);
		const weights = normalisedWeights(changes);
		if (!(effectiveSampleSize(weights) > fewestLeft * n)) return false;
		this.logEvidence += logSumExp(changes) - log(n);
		this.cloud = cloud;
		const purpose = `bayes exchange ${name} stage ${this.stages.length}`;
		takeParents(cloud, systematicResample(weights, stream(seed, purpose).uniform(0)));
		// The end is one only after the particles have moved.
		if (this.outcome === "converged") this.outcome = "running";
		return true;
	}

	async #begin(): Promise<void> {
		const { n, target, settings } = this;
		if (this.start) {
			const law = await this.#startLaw();
			this.cloud = await this.#evaluate(law.draw(n, settings.seed, settings.name), n);
			return;
		}
		this.cloud = await this.#prior(target.draw(n, settings.name));
		if (this.diverged === 1) this.outcome = "diverged";
	}

	/** The cloud of the prior. What blows up anywhere in the record is impossible from the start. */
	async #prior(z: Float64Array): Promise<Cloud> {
		const cloud = await this.#evaluate(z, this.n);
		if (this.approaches)
			(await this.#whole(z, this.n)).forEach((value, b) => {
				if (value === impossible) cloud.logLik[b] = impossible;
			});
		this.diverged = cloud.logLik.filter((value) => value === impossible).length / this.n;
		return cloud;
	}

	/** From the posterior of the first part to that of all samples. */
	#takeAll(): void {
		this.start = this.cloud!.z;
		this.cloud = undefined;
		this.lambda = 0;
		this.logEvidence = 0;
	}

	async #enterBridge(): Promise<void> {
		const { n, target, cloud } = this;
		const { z } = cloud!;
		this.cloud = { ...cloud!, luggage: [this.#afterStart(await target.logLik(z, n), z, cloud!.logPrior)] };
		this.bridge = true;
		this.lambda = 0;
		if (this.#nextLambda() >= shortestStep) return;
		this.cloud = undefined;
		this.#law = undefined;
		this.bridge = false;
		this.direct = true;
		this.logEvidence = 0;
		this.stages = [];
	}

	get #usesCheap(): boolean {
		return this.target.cheap !== undefined && !this.direct;
	}

	/** Of all samples, by the cheap likelihood where that is used. */
	#whole(z: Float64Array, n: number): Promise<Float64Array> {
		return this.#usesCheap ? this.target.cheap!(z, n) : this.target.logLik(z, n);
	}

	async #startLaw(): Promise<StartLaw> {
		const { target, n } = this;
		this.#law ??= await StartLaw.from(this.start!, n, target.first!.part, target.scales, async (z, count) => {
			const logLik = await this.#whole(z, count);
			return target.logPrior(z, count).map((value, b) => value + logLik[b]);
		});
		return this.#law;
	}

	/** The likelihood; where a law stands in the prior's place, what that lacks besides. */
	#afterStart(logLik: Float64Array, z: Float64Array, started: Float64Array): Float64Array {
		if (!this.start) return logLik;
		const own = this.target.logPrior(z, logLik.length);
		return logLik.map((value, b) => value + own[b] - started[b]);
	}

	async #evaluate(z: Float64Array, n: number): Promise<Cloud> {
		const { target, approaches } = this;
		const logPrior = this.start ? (await this.#startLaw()).logDensity(z, n) : target.logPrior(z, n);
		const logLik = await (approaches ? target.first!.logLik(z, n) : this.#whole(z, n));
		const luggage = this.bridge ? [await target.logLik(z, n)] : [];
		return {
			n,
			z,
			logPrior,
			logLik: this.#afterStart(logLik, z, logPrior),
			luggage: luggage.map((column) => this.#afterStart(column, z, logPrior)),
		};
	}

	#logTarget({ logPrior, logLik, luggage: [wanted] }: Cloud, b: number): number {
		if (logLik[b] === impossible) return impossible;
		if (!this.bridge) return logPrior[b] + this.lambda * logLik[b];
		if (wanted[b] === impossible) return impossible;
		return logPrior[b] + (1 - this.lambda) * logLik[b] + this.lambda * wanted[b];
	}

	/** Log weights of the step to `next`. A rise of 0 still drops what blew up. */
	#increments(next: number): Float64Array {
		const {
			logLik,
			luggage: [wanted],
		} = this.cloud!;
		const rise = next - this.lambda;
		return logLik.map((value, b) => {
			if (value === impossible) return impossible;
			if (!this.bridge) return rise * value;
			return wanted[b] === impossible ? impossible : rise * (wanted[b] - value);
		});
	}

	/** The largest λ that keeps the effective size; by bisection, to where a finer one would change nothing. */
	#nextLambda(): number {
		const slopes = this.#increments(this.lambda + 1);
		const alive = slopes.reduce((count, slope) => count + (slope > impossible ? 1 : 0), 0);
		// First get rid of what blew up, where that alone costs much of the cloud.
		if (this.lambda === 0 && !this.bridge && alive < 0.7 * this.n) return 0;
		const size = (lambda: number): number => effectiveSizeAt(slopes, lambda - this.lambda);
		const wanted = this.settings.threshold * alive;
		if (size(1) >= wanted) return 1;
		let lo = this.lambda;
		let hi = 1;
		for (let k = 0; k < 200 && hi - lo > 1e-4 * hi; k++) {
			// λ may be tiny at first: halve its logarithm until it is known roughly.
			const middle = lo === 0 || hi > 4 * lo ? Math.sqrt(Math.max(lo, 1e-300 * hi) * hi) : (lo + hi) / 2;
			if (size(middle) >= wanted) lo = middle;
			else hi = middle;
		}
		return Math.max(lo, this.lambda + 1e-12 * hi);
	}

	save(): TemperingSnapshot {
		const { cloud, lambda, bridge, direct, start, logEvidence, diverged, stages, outcome } = this;
		return {
			lambda,
			bridge,
			direct,
			start: start ? [...start] : null,
			logEvidence,
			diverged,
			stages: [...stages],
			outcome,
			cloud: cloud
				? {
						z: [...cloud.z],
						logPrior: [...cloud.logPrior],
						logLik: [...cloud.logLik],
						luggage: cloud.luggage.map((column) => [...column]),
					}
				: null,
		};
	}

	restore(saved: TemperingSnapshot): void {
		const { lambda, bridge, direct, logEvidence, diverged, outcome } = saved;
		Object.assign(this, {
			lambda,
			bridge,
			direct,
			logEvidence,
			diverged,
			outcome,
			stages: [...saved.stages],
			start: saved.start ? Float64Array.from(saved.start) : undefined,
		});
		this.cloud = saved.cloud
			? {
					n: this.n,
					z: Float64Array.from(saved.cloud.z),
					logPrior: Float64Array.from(saved.cloud.logPrior),
					logLik: Float64Array.from(saved.cloud.logLik),
					luggage: saved.cloud.luggage.map((column) => Float64Array.from(column)),
				}
			: undefined;
	}
}

/** Effective size of the weights exp(rise · slope). */
function effectiveSizeAt(slopes: Float64Array, rise: number): number {
	const top = largestLogWeight(slopes);
	let sum = 0;
	let squares = 0;
	for (let b = 0; b < slopes.length; b++) {
		if (!(slopes[b] > impossible)) continue;
		const weight = exp(rise * (slopes[b] - top));
		sum += weight;
		squares += weight * weight;
	}
	return squares > 0 ? (sum * sum) / squares : 0;
}

export interface TemperingSnapshot {
	readonly lambda: number;
	readonly bridge: boolean;
	readonly direct: boolean;
	readonly start: readonly number[] | null;
	readonly logEvidence: number;
	readonly diverged: number;
	readonly stages: readonly Stage[];
	readonly outcome: Tempering["outcome"];
	readonly cloud: {
		readonly z: readonly number[];
		readonly logPrior: readonly number[];
		readonly logLik: readonly number[];
		readonly luggage: readonly (readonly number[])[];
	} | null;
}
