/**
 * The likelihood of samples given the solution itself, for laws that a Gaussian filter cannot take in: the model is solved
 * with steps so short that their error does not matter, and each sample is weighed by its own law.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { limitedOutputs } from "../../../estimate/observe/compared.ts";
import type { Past } from "../../../estimate/observe/instrument.ts";
import { decayOf, type Memory, memoryOf } from "../../../estimate/observe/memory.ts";
import { refuseRemembered } from "../../../estimate/observe/observations.ts";
import { type SampleSet, sampleTerm } from "../../../estimate/observe/sample-terms.ts";
import type { Model } from "../../../model/model.ts";
import type { Moments } from "../filter/experiment-filter.ts";
import type { Samples } from "./samples.ts";

/** What of a model's measurements needs the solution, as the end of a sentence; undefined where the filter serves. */
export function beyondFilter({ measures }: Model, experiments: readonly Experiment[]): string | undefined {
	const counted = measures.find((measure) => sampleLaw(measure).isCount);
	if (counted) return `measure ${counted.name} is a count`;
	const rounded = measures.find((measure) => measure.rounded);
	if (rounded) return `measure ${rounded.name} is rounded`;
	const remembered = measures.find((measure) => measure.correlated);
	if (remembered) return `measure ${remembered.name} has correlated errors`;
	const [limited] = limitedOutputs(experiments);
	return limited === undefined ? undefined : `some samples of ${limited} are limits`;
}

/** Samples of output o as one set. */
export function sampleSet({ measures }: Model, o: number, { y, times, within }: Samples): SampleSet {
	const own = (values: Float64Array): Float64Array =>
		Float64Array.from(times, (_, s) => values[s * measures.length + o]);
	return {
		law: sampleLaw(measures[o]),
		observed: own(y),
		...(within && { within: { lo: own(within.lo), hi: own(within.hi) } }),
	};
}

/** The terms of one record. */
export class SolutionTerms {
	readonly #terms: readonly (((value: number, spread: number) => number) | undefined)[];
	readonly #memories: readonly (Memory | undefined)[];
	readonly #sets: readonly SampleSet[];
	readonly #nOutputs: number;

	constructor(
		model: Model,
		experiment: Experiment,
		readonly samples: Samples,
	) {
		this.#nOutputs = model.measures.length;
		this.#memories = model.measures.map((measure) => memoryOf(model, measure, experiment));
		this.#sets = model.measures.map((_, o) => sampleSet(model, o, samples));
		for (const [o, { name }] of model.measures.entries())
			if (this.#memories[o] && experiment.outputs.get(name)?.limits) refuseRemembered(experiment.name, name);
		this.#terms = Array.from(samples.present, (there, place) =>
			there > 0
				? sampleTerm(this.#sets[place % this.#nOutputs], Math.floor(place / this.#nOutputs))
				: undefined,
		);
	}

	/** What is remembered before the first sample, by output. */
	pasts(n: number, numberOf: (name: string, b: number) => number): (Past | undefined)[] {
		return this.#memories.map(
			(memory) =>
				memory && {
					time: Float64Array.from({ length: n }, (_, b) => memory.time((name) => numberOf(name, b))),
					error: new Float64Array(n),
					t: Number.NaN,
				},
		);
	}

	/** A sum over samples in their order, for n particles; `each` is told the terms of every sample, which are gone with the next one. */
	sum(
		n: number,
		numberOf: (name: string, b: number) => number,
		each?: (place: number, terms: Float64Array) => void,
	): SolutionSum {
		const past = this.pasts(n, numberOf);
		const logLik = new Float64Array(n);
		const terms = new Float64Array(n);
		return {
			logLik,
			add: (moments, from, to) => {
				for (let place = from * this.#nOutputs; place < to * this.#nOutputs; place++) {
					if (!this.#terms[place]) continue;
					this.#termsInto(terms, place, moments, (place - from * this.#nOutputs) * n, past);
					for (let b = 0; b < n; b++) logLik[b] += terms[b];
					each?.(place, terms);
				}
			},
		};
	}

	#termsInto(
		terms: Float64Array,
		place: number,
		{ value, noise }: Moments,
		row: number,
		past: readonly (Past | undefined)[],
	): void {
		const term = this.#terms[place]!;
		const o = place % this.#nOutputs;
		const own = past[o];
		if (!own) {
			for (let b = 0; b < terms.length; b++) terms[b] = term(value[row + b], Math.sqrt(noise[row + b]));
			return;
		}
		const s = Math.floor(place / this.#nOutputs);
		const y = this.#sets[o].observed[s];
		const gap = this.samples.times[s] - own.t;
		for (let b = 0; b < terms.length; b++) {
			const sd = Math.sqrt(noise[row + b]);
			const x = value[row + b];
			if (Number.isNaN(gap)) terms[b] = term(x, sd);
			else {
				const { rho, fresh } = decayOf(gap, own.time[b]);
				terms[b] = term(x + rho * sd * own.error[b], sd * fresh);
			}
			own.error[b] = (y - x) / sd;
		}
		own.t = this.samples.times[s];
	}
}

export interface SolutionSum {
	readonly logLik: Float64Array;
	/** Takes in the samples `from` below `to`. */
	add(moments: Moments, from: number, to: number): void;
}
