/**
 * Posterior predictions: particles simulated through a record without looking at its data. The spread has three shares:
 * the measurement's noise, the parameters', and the integration's.
 */

import { sampleLaw } from "../../../estimate/law/declared.ts";
import type { CountLaw } from "../../../estimate/law/law.ts";
import { countBand } from "../../../estimate/observe/count-band.ts";
import { squared } from "../../../num/whole-power.ts";
import type { FilterParticles, FilterState, Moments } from "../filter/experiment-filter.ts";
import { Likelihood } from "../likelihood/likelihood.ts";
import { UnknownBasis } from "./unknown-basis.ts";

export interface OutputPrediction {
	readonly experiment: number;
	/** Position of the measure in the model. */
	readonly output: number;
	readonly t: Float64Array;
	readonly mean: Float64Array;
	/** Variances at each instant. */
	readonly measurement: Float64Array;
	readonly parameters: Float64Array;
	readonly integration: Float64Array;
	/** Mean spread (of counts: size), and the ends of the 90 % band where they follow from the law of counts. */
	readonly spread: Float64Array;
	readonly lo?: Float64Array;
	readonly hi?: Float64Array;
	/** Of training records: how it goes along with the unknowns, a row of `UnknownBasis.rank` numbers an instant. */
	readonly along?: Float64Array;
	/** Root mean square error of each particle; NaN where nothing was measured. */
	readonly rmse: Float64Array;
}

/** Predictions of records, made piece by piece. */
export interface RecordPrediction {
	readonly likelihood: Likelihood;
	readonly predictions: readonly OutputPrediction[];
	/** Particles that blew up on the way. */
	readonly lost: Uint8Array;
	readonly done: boolean;
	readonly fraction: number;
	advance(): Promise<void>;
}

/** Room for the predictions of every output of every record, by n particles. */
export function emptyPredictions(
	{ filters, model }: Likelihood,
	n: number,
	basis?: UnknownBasis,
): OutputPrediction[] {
	return filters.flatMap(({ nSamples, grid }, experiment) =>
		model.measures.map((measure, output) => ({
			experiment,
			output,
			t: grid.sampleTimes,
			mean: new Float64Array(nSamples),
			measurement: new Float64Array(nSamples),
			parameters: new Float64Array(nSamples),
			integration: new Float64Array(nSamples),
			spread: new Float64Array(nSamples),
			...(sampleLaw(measure).isCount
				? { lo: new Float64Array(nSamples), hi: new Float64Array(nSamples) }
				: {}),
			...(basis ? { along: new Float64Array(nSamples * basis.rank) } : {}),
			rmse: new Float64Array(n).fill(Number.NaN),
		})),
	);
}

/** Numbers that one window may hold in all its lanes. */
const windowNumbers = 2_000_000;
/** Particles whose laws make the band of counts. */
const bandParticles = 32;

/**
 * The same with steps half as long. How far it goes apart is nearly all of the integration error, and what errors of one kind
 * step after step add up to (a phase that drifts) is in it, which a random process knows nothing of. Undefined for EKF1, whose own
 * covariance is large enough.
 */
export function halvedSteps(likelihood: Likelihood): Likelihood | undefined {
	const { model, unknowns, experiments, settings, compute, samples } = likelihood;
	if (settings.linearisation === "ekf1") return undefined;
	const finer = { ...settings, diffusion: "off", substeps: 2 * settings.substeps } as const;
	return new Likelihood(model, unknowns, experiments, finer, compute, samples);
}

/** Goes through all experiments of a likelihood, window by window. */
export class Predictive implements RecordPrediction {
	readonly predictions: OutputPrediction[];
	readonly lost: Uint8Array;
	readonly #n: number;
	readonly #squares: Float64Array[];
	readonly #counts: number[];
	readonly #basis: UnknownBasis | undefined;
	#experiment = 0;
	#sample = 0;
	#state: FilterState | undefined;
	#finerState: FilterState | undefined;
	#particles: FilterParticles | undefined;

	constructor(
		readonly likelihood: Likelihood,
		/** Natural values in columns of n. */
		readonly theta: Float64Array,
		n: number,
		/** Tells the integration error where the filter's own variance is smaller. */
		readonly finer?: Likelihood,
		/** Whether to tell how outputs go along with the unknowns. */
		isTold = false,
	) {
		this.#basis = isTold ? new UnknownBasis(theta, n) : undefined;
		this.#n = n;
		this.lost = new Uint8Array(n);
		this.predictions = emptyPredictions(likelihood, n, this.#basis);
		this.#squares = this.predictions.map(() => new Float64Array(n));
		this.#counts = this.predictions.map(() => 0);
	}

	get done(): boolean {
		return this.#experiment >= this.likelihood.filters.length;
	}

	get fraction(): number {
		const { filters, nSamples } = this.likelihood;
		const before = filters.slice(0, this.#experiment).reduce((sum, filter) => sum + filter.nSamples, 0);
		return (before + this.#sample) / nSamples;
	}

	/** One window. */
	async advance(): Promise<void> {
		const { likelihood } = this;
		const n = this.#n;
		const nOutputs = likelihood.model.measures.length;
		const filter = likelihood.filters[this.#experiment];
		this.#particles ??= likelihood.particles(this.theta, n, this.#experiment);
		this.#state ??= filter.newState(n, false);
		const from = this.#sample;
		const to = Math.min(filter.nSamples, from + Math.max(1, Math.floor(windowNumbers / (3 * n * nOutputs))));
		const moments = await filter.moments(likelihood.compute, this.#particles, this.#state, from, to);
		await this.#widen(moments, from, to);
		const { y, present } = likelihood.samples[this.#experiment];
		for (let o = 0; o < nOutputs; o++) {
			const at = this.#experiment * nOutputs + o;
			for (let s = from; s < to; s++) {
				const row = ((s - from) * nOutputs + o) * n;
				this.#summarise(this.predictions[at], s, moments, row);
				if (present[s * nOutputs + o] === 0) continue;
				this.#counts[at]++;
				for (let b = 0; b < n; b++)
					this.#squares[at][b] += squared(moments.value[row + b] - y[s * nOutputs + o]);
			}
		}
		this.#sample = to;
		if (to < filter.nSamples) return;
		for (let o = 0; o < nOutputs; o++) {
			const at = this.#experiment * nOutputs + o;
			const { rmse } = this.predictions[at];
			for (let b = 0; b < n; b++) {
				if (this.#counts[at] > 0) rmse[b] = Math.sqrt(this.#squares[at][b] / this.#counts[at]);
				if (this.#counts[at] > 0 && !Number.isFinite(rmse[b])) rmse[b] = Number.POSITIVE_INFINITY;
			}
		}
		this.#experiment++;
		this.#sample = 0;
		this.#state = undefined;
		this.#finerState = undefined;
		this.#particles = undefined;
	}

	async #widen({ value, variance }: Moments, from: number, to: number): Promise<void> {
		if (!this.finer) return;
		const filter = this.finer.filters[this.#experiment];
		this.#finerState ??= filter.newState(this.#n, false);
		const other = await filter.moments(this.finer.compute, this.#particles!, this.#finerState, from, to);
		for (let i = 0; i < value.length; i++) {
			const apart = squared(value[i] - other.value[i]);
			if (apart > variance[i]) variance[i] = apart;
		}
	}

	/** The 90 % band of counts at one instant, over some of the particles. */
	#bandOf(law: CountLaw, { value, noise }: Pick<Moments, "value" | "noise">, row: number): [number, number] {
		const every = Math.ceil(this.#n / bandParticles);
		const means: { mean: number; size: number }[] = [];
		for (let b = 0; b < this.#n; b += every)
			if (value[row + b] >= 0) means.push({ mean: value[row + b], size: Math.sqrt(noise[row + b]) });
		return countBand(law, means, 0.9);
	}

	#summarise(
		prediction: OutputPrediction,
		s: number,
		{ value, variance, noise }: Moments,
		row: number,
	): void {
		let alive = 0;
		let mean = 0;
		let spread = 0;
		let integration = 0;
		let measurement = 0;
		let own = 0;
		const law = sampleLaw(this.likelihood.model.measures[prediction.output]);
		for (let b = 0; b < this.#n; b++) {
			const x = value[row + b];
			if (!Number.isFinite(x)) {
				this.lost[b] = 1;
				continue;
			}
			alive++;
			const before = x - mean;
			mean += before / alive;
			spread += before * (x - mean);
			integration += variance[row + b];
			const sd = Math.sqrt(noise[row + b]);
			own += sd;
			measurement += law.isCount ? law.variance(x, sd) : noise[row + b];
		}
		prediction.mean[s] = alive > 0 ? mean : Number.NaN;
		prediction.parameters[s] = alive > 1 ? spread / (alive - 1) : 0;
		this.#basis?.alongInto(prediction.along!, s, value, row, mean);
		prediction.integration[s] = integration / alive;
		prediction.measurement[s] = measurement / alive;
		prediction.spread[s] = own / alive;
		if (law.isCount) [prediction.lo![s], prediction.hi![s]] = this.#bandOf(law, { value, noise }, row);
	}
}
