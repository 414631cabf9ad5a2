/**
 * Training records of a model with latent forces. Nothing is known of a force without the data, so that a simulation
 * would say nothing: each particle's filter goes through the record and a smoother back, and what is shown is the
 * force and the outputs given all samples.
 */

import { squared } from "../../../num/whole-power.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { emptyPredictions, type OutputPrediction, type RecordPrediction } from "./predictive.ts";
import { type SmoothedMoments, smoothed } from "./smoother.ts";

/** A force at the instants of one record. */
export interface ForcePrediction {
	readonly experiment: number;
	readonly name: string;
	readonly t: Float64Array;
	readonly mean: Float64Array;
	/** Variances: within a particle, and between them. */
	readonly within: Float64Array;
	readonly parameters: Float64Array;
}

/** Numbers that one call of the filter may leave. */
const callNumbers = 8_000_000;

export class SmoothedRecord implements RecordPrediction {
	readonly predictions: OutputPrediction[];
	readonly forces: ForcePrediction[];
	readonly lost: Uint8Array;
	readonly #alive: number[];
	#experiment = 0;
	#particle = 0;

	constructor(
		readonly likelihood: Likelihood,
		/** Natural values in columns of n. */
		readonly theta: Float64Array,
		readonly n: number,
	) {
		const { filters, layout } = likelihood;
		this.lost = new Uint8Array(n);
		this.#alive = filters.map(() => 0);
		this.predictions = emptyPredictions(likelihood, n);
		this.forces = filters.flatMap(({ nSamples, grid }, experiment) =>
			layout.forces.map(({ name }) => ({
				experiment,
				name,
				t: grid.sampleTimes,
				mean: new Float64Array(nSamples),
				within: new Float64Array(nSamples),
				parameters: new Float64Array(nSamples),
			})),
		);
	}

	get done(): boolean {
		return this.#experiment >= this.likelihood.filters.length;
	}

	get fraction(): number {
		return (this.#experiment + this.#particle / this.n) / this.likelihood.filters.length;
	}

	/** As many particles as fit into one call. */
	async advance(): Promise<void> {
		const { likelihood, n } = this;
		const e = this.#experiment;
		const filter = likelihood.filters[e];
		const { layout, model } = likelihood;
		const nOutputs = model.measures.length;
		const size = layout.nCoordinates;
		const each = filter.nSamples * (size + 1.5 * size * size + nOutputs * (size + 2));
		const from = this.#particle;
		const batch = Math.min(n - from, Math.max(1, Math.floor(callNumbers / each)));
		const chunk = new Float64Array((this.theta.length / n) * batch);
		for (let i = 0; i < chunk.length / batch; i++)
			chunk.set(this.theta.subarray(i * n + from, i * n + from + batch), i * batch);
		const outputs = await filter.smoothing(likelihood.compute, likelihood.particles(chunk, batch, e), batch);
		const { y, present } = likelihood.samples[e];
		for (let lane = 0; lane < batch; lane++) {
			const moments = smoothed(
				{
					outputs,
					batch,
					lane,
					nCoordinates: size,
					nOutputs,
					nSamples: filter.nSamples,
					present,
					wanted: layout.forces.map((force) => force.from),
				},
				y,
			);
			if (moments.mean.every(Number.isFinite))
				this.#take(e, from + lane, moments, outputs.noises, batch, lane);
			else this.lost[from + lane] = 1;
		}
		this.#particle += batch;
		if (this.#particle < n) return;
		this.#finish(e);
		this.#particle = 0;
		this.#experiment++;
	}

	#take(
		e: number,
		particle: number,
		{ mean, variance }: SmoothedMoments,
		noises: Float64Array,
		batch: number,
		lane: number,
	): void {
		const { samples, model, layout } = this.likelihood;
		const nOutputs = model.measures.length;
		const width = nOutputs + layout.forces.length;
		const { y, present } = samples[e];
		const alive = ++this.#alive[e];
		const nSamples = mean.length / width;
		const add = (into: { mean: Float64Array; parameters: Float64Array }, s: number, value: number): void => {
			const before = value - into.mean[s];
			into.mean[s] += before / alive;
			into.parameters[s] += before * (value - into.mean[s]);
		};
		for (let o = 0; o < nOutputs; o++) {
			const one = this.predictions[e * nOutputs + o];
			let squares = 0;
			let count = 0;
			for (let s = 0; s < nSamples; s++) {
				add(one, s, mean[s * width + o]);
				one.integration[s] += variance[s * width + o];
				one.measurement[s] += noises[(s * nOutputs + o) * batch + lane];
				if (present[s * nOutputs + o] === 0) continue;
				squares += squared(y[s * nOutputs + o] - mean[s * width + o]);
				count++;
			}
			if (count > 0) one.rmse[particle] = Math.sqrt(squares / count);
		}
		for (let f = 0; f < layout.forces.length; f++) {
			const one = this.forces[e * layout.forces.length + f];
			for (let s = 0; s < nSamples; s++) {
				add(one, s, mean[s * width + nOutputs + f]);
				one.within[s] += variance[s * width + nOutputs + f];
			}
		}
	}

	/** From sums to means. */
	#finish(e: number): void {
		const alive = this.#alive[e];
		const divide = (values: Float64Array, by: number): void => {
			for (let s = 0; s < values.length; s++) values[s] /= by;
		};
		for (const one of this.predictions) {
			if (one.experiment !== e) continue;
			divide(one.integration, alive);
			divide(one.measurement, alive);
			divide(one.parameters, Math.max(alive - 1, 1));
		}
		for (const one of this.forces) {
			if (one.experiment !== e) continue;
			divide(one.within, alive);
			divide(one.parameters, Math.max(alive - 1, 1));
		}
	}
}
