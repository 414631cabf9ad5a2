/**
 * The likelihood of samples given the solution itself, for laws that a Gaussian filter cannot take in: the model is solved
 * with steps so short that their error does not matter, and each sample is weighed by its own law.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { type SampleSet, sampleTerm } from "../../../estimate/observe/sample-terms.ts";
import type { Model } from "../../../model/model.ts";
import type { Moments } from "../filter/experiment-filter.ts";
import type { Samples } from "./samples.ts";

/** What of a model's measurements needs the solution, as the end of a sentence; undefined where the filter serves. */
export function beyondFilter({ measures }: Model): string | undefined {
	const counted = measures.find((measure) => sampleLaw(measure).isCount);
	return counted && `measure ${counted.name} is a count`;
}

/** Samples of output o as one set. */
export function sampleSet(model: Model, o: number, { y, times }: Samples): SampleSet {
	const { measures } = model;
	return {
		law: sampleLaw(measures[o]),
		observed: Float64Array.from(times, (_, s) => y[s * measures.length + o]),
	};
}

/** The terms of one record. */
export class SolutionTerms {
	readonly #terms: readonly (((value: number, spread: number) => number) | undefined)[];
	readonly #nOutputs: number;

	constructor(
		model: Model,
		readonly experiment: Experiment,
		samples: Samples,
	) {
		this.#nOutputs = model.measures.length;
		const sets = model.measures.map((_, o) => sampleSet(model, o, samples));
		this.#terms = Array.from(samples.present, (there, place) =>
			there > 0 ? sampleTerm(sets[place % this.#nOutputs], Math.floor(place / this.#nOutputs)) : undefined,
		);
	}

	/** Adds the samples `from` below `to` to the sums of n particles. */
	addInto(sum: Float64Array, { value, noise }: Moments, from: number, to: number): void {
		const n = sum.length;
		for (let place = from * this.#nOutputs; place < to * this.#nOutputs; place++) {
			const term = this.#terms[place];
			if (!term) continue;
			const row = (place - from * this.#nOutputs) * n;
			for (let b = 0; b < n; b++) sum[b] += term(value[row + b], Math.sqrt(noise[row + b]));
		}
	}
}
