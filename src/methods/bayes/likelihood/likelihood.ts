/** Log-likelihood of many parameter vectors, over all experiments or a first part of their samples. */

import type { Compute } from "../../../compute/compute.ts";
import type { Experiment } from "../../../data/experiment.ts";
import { SteadyOrbits } from "../../../estimate/forward/steady-orbit.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import type { Past } from "../../../estimate/observe/instrument.ts";
import { isBetween } from "../../../estimate/observe/sample-terms.ts";
import { spreadParams } from "../../../estimate/observe/spread.ts";
import { compileFunction } from "../../../lower/compile-function.ts";
import type { Model } from "../../../model/model.ts";
import {
	ExperimentFilter,
	type FilterParticles,
	type FilterState,
	type Moments,
} from "../filter/experiment-filter.ts";
import { stepGrid } from "../filter/filter-grid.ts";
import { jumpTimes } from "../filter/jumps/input-jumps.ts";
import { type Layout, type LayoutName, layoutOf } from "../filter/layout.ts";
import { measuredInputs } from "../filter/noise/latent-force.ts";
import { withoutWhiteNoise } from "../filter/noise/white-noise.ts";
import { gradedGrid } from "../filter/stiff/graded-grid.ts";
import { type Samples, samplesOf } from "./samples.ts";
import { beyondFilter, SolutionTerms } from "./solution-terms.ts";
import type { PosteriorUnknown } from "./unknowns.ts";

/** How the filter integrates. */
export interface FilterSettings {
	readonly layout: LayoutName;
	readonly q: number;
	readonly linearisation: "ekf0" | "ekf1";
	readonly form?: "covariance" | "root";
	readonly diffusion: "simulated" | "running" | "off";
	/** With `running`: largest factor between Γ and that of a simulation. */
	readonly gammaRange?: number;
	readonly equationEvidence: boolean;
	readonly substeps: number;
	/** With `off`: steps that fast rates do not make blow up. */
	readonly stiff?: boolean;
}

/** Numbers that one window of a solution may hold in all its lanes. */
const windowNumbers = 2_000_000;

export class Likelihood {
	readonly filters: readonly ExperimentFilter[];
	readonly layout: Layout;
	readonly samples: readonly Samples[];
	/** Samples of all experiments, one after another. */
	readonly nSamples: number;
	/** What makes densities of log y, as they are compared for lognormal measures, densities of y. */
	readonly logJacobian: number;
	/** Unknowns that are nothing but spreads of measurements: the funnel's neck. */
	readonly scales: readonly number[];
	/** Unknowns between two bounds. */
	readonly bounded: readonly number[];
	/** Components whose initial values are given by particle. */
	readonly #freeInitial: readonly string[];
	/** Where records begin in a steady state of doses that is searched for. */
	readonly #orbits: SteadyOrbits | undefined;
	readonly #declared: (p: Float64Array, out: Float64Array) => void;
	/** Of each record, where samples are weighed by the solution itself. */
	readonly #solution: readonly SolutionTerms[] | undefined;

	constructor(
		readonly model: Model,
		readonly unknowns: readonly PosteriorUnknown[],
		readonly experiments: readonly Experiment[],
		readonly settings: FilterSettings,
		readonly compute: Compute,
		/** The samples themselves, unless they are given otherwise (more instants, for curves). */
		samples: readonly Samples[] = experiments.map((experiment) => samplesOf(model, experiment)),
	) {
		const { stiff = false } = settings;
		const layout = layoutOf(model, settings.layout, settings.q);
		this.layout = layout;
		const names = unknowns.filter(({ kind }) => kind === "param").map(({ name }) => name);
		const isSearched = model.steady === "orbit";
		this.#freeInitial = model.components.filter((_, i) => isSearched || model.initial[i].kind !== "exact");
		const params = [...names, ...model.conditions.map(({ name }) => name)];
		this.#orbits = isSearched ? new SteadyOrbits(model, params, []) : undefined;
		this.#declared = compileFunction(
			model.initial.map((knowledge) => (knowledge.kind === "exact" ? knowledge.value : model.graph.zero)),
			[{ name: "p", symbols: params }],
		);
		this.samples = samples;
		this.logJacobian = this.samples.reduce((sum, own) => sum + logSlopes(model, own), 0);
		const spreads = spreadParams(model);
		this.bounded = unknowns.flatMap(({ prior: { lo, hi } }, i) =>
			Number.isFinite(lo) && Number.isFinite(hi) ? [i] : [],
		);
		this.scales = unknowns.flatMap(({ name }, i) => (spreads.has(name) ? [i] : []));
		this.filters = experiments.map((experiment, e) => {
			const { times, y, present } = this.samples[e];
			const [t0] = experiment.times;
			const signals = measuredInputs(model).map((name) => experiment.inputs.get(name)!);
			const edges = jumpTimes(signals, t0, times[times.length - 1]);
			return new ExperimentFilter(
				{
					model: withoutWhiteNoise(model),
					layout,
					linearisation: settings.linearisation,
					form: settings.form,
					equationEvidence: settings.equationEvidence,
					...(settings.diffusion === "running" ? { gammaRange: settings.gammaRange } : {}),
					params,
					freeInitial: this.#freeInitial,
					exactStart: true,
					stiff,
				},
				settings.diffusion,
				{
					grid: (stiff ? gradedGrid : stepGrid)(t0, times, settings.substeps, edges),
					signals,
					y,
					present,
				},
			);
		});
		this.nSamples = this.filters.reduce((sum, { nSamples }) => sum + nSamples, 0);
		this.#solution = beyondFilter(model, experiments)
			? experiments.map((experiment, e) => new SolutionTerms(model, experiment, this.samples[e]))
			: undefined;
	}

	/** The columns that the filter of experiment e needs, from natural values theta (columns of n). */
	particles(theta: Float64Array, n: number, e: number): FilterParticles {
		const { model, unknowns } = this;
		const conditions = model.conditions.map(({ name }) => this.experiments[e].conditions[name]);
		const nParams = unknowns.filter(({ kind }) => kind === "param").length;
		const params = new Float64Array(Math.max(1, nParams + conditions.length) * n);
		params.set(theta.subarray(0, nParams * n));
		for (const [c, value] of conditions.entries())
			params.fill(value, (nParams + c) * n, (nParams + c + 1) * n);
		const initial = new Float64Array(Math.max(1, this.#freeInitial.length) * n);
		for (const [i, { kind, component, experiment }] of unknowns.entries())
			if (kind === "initial" && experiment === e)
				initial.set(theta.subarray(i * n, (i + 1) * n), this.#freeInitial.indexOf(component!) * n);
		if (this.#orbits) this.#steadyInto(initial, this.#orbits, params, n, e);
		return { params, initial };
	}

	/** Initial values as they are declared, or in the steady state of a record. */
	#steadyInto(initial: Float64Array, orbits: SteadyOrbits, params: Float64Array, n: number, e: number): void {
		const p = new Float64Array(orbits.params.length);
		const x = new Float64Array(this.#freeInitial.length);
		for (let b = 0; b < n; b++) {
			for (let j = 0; j < p.length; j++) p[j] = params[j * n + b];
			this.#declared(p, x);
			for (let i = 0; i < x.length; i++) initial[i * n + b] = x[i];
		}
		const record = this.experiments[e];
		if (record.orbit !== undefined) initial.set(orbits.starts(record, params, initial, n).x);
	}

	/** Of all samples, or of so large a first part of every record. A particle that blows up has -Infinity. */
	async logLikelihoods(theta: Float64Array, n: number, part = 1): Promise<Float64Array> {
		const sum = new Float64Array(n);
		for (const [e, filter] of this.filters.entries()) {
			const end = Math.ceil(part * filter.nSamples);
			if (this.#solution) {
				addFinite(sum, await this.#solved(e, this.#solution[e], theta, n, end));
				continue;
			}
			const state = filter.newState(n);
			await filter.advance(this.compute, this.particles(theta, n, e), state, 0, end);
			addFinite(sum, state.logLik);
		}
		return sum;
	}

	/** Each sample of all records by its solution, whatever its law. */
	async solved(theta: Float64Array, n: number, visitor: SolutionVisitor): Promise<void> {
		for (const [e, experiment] of this.experiments.entries()) {
			const terms = this.#solution?.[e] ?? new SolutionTerms(this.model, experiment, this.samples[e]);
			await this.#solved(e, terms, theta, n, this.filters[e].nSamples, visitor);
		}
	}

	/** Of one record up to sample `end`, by its solution. */
	async #solved(
		e: number,
		terms: SolutionTerms,
		theta: Float64Array,
		n: number,
		end: number,
		visitor?: SolutionVisitor,
	): Promise<Float64Array> {
		const filter = this.filters[e];
		const particles = this.particles(theta, n, e);
		const state = filter.newState(n, false);
		const place = new Map(this.unknowns.map(({ name }, i) => [name, i]));
		const numberOf = (name: string, b: number): number => theta[place.get(name)! * n + b];
		const each = visitor && ((at: number, own: Float64Array) => visitor.terms(e, at, own));
		const sum = terms.sum(n, numberOf, each);
		const past = visitor && terms.pasts(n, numberOf);
		const window = Math.max(1, Math.floor(windowNumbers / (3 * n * this.model.measures.length)));
		for (let from = 0; from < end; from += window) {
			const to = Math.min(end, from + window);
			const moments = await filter.moments(this.compute, particles, state, from, to);
			sum.add(moments, from, to);
			visitor?.moments(e, moments, from, to, past!);
		}
		return sum.logLik;
	}

	/** Experiment and sample within it of sample number s of all. */
	place(s: number): { readonly e: number; readonly sample: number } {
		let sample = s;
		let e = 0;
		while (e < this.filters.length - 1 && sample >= this.filters[e].nSamples)
			sample -= this.filters[e++].nSamples;
		return { e, sample };
	}

	/** The filters of n particles after the first `count` samples: whole experiments' sums, and the state of the last. */
	async prefix(theta: Float64Array, n: number, count: number): Promise<PrefixState> {
		const whole = new Float64Array(n);
		let left = count;
		for (const [e, filter] of this.filters.entries()) {
			const state = filter.newState(n);
			const to = Math.min(left, filter.nSamples);
			await filter.advance(this.compute, this.particles(theta, n, e), state, 0, to);
			left -= to;
			if (left === 0 && (to < filter.nSamples || e === this.filters.length - 1)) return { whole, state };
			addFinite(whole, state.logLik);
			if (left === 0) return { whole, state: this.filters[e + 1].newState(n) };
		}
		throw new RangeError(`prefix of ${count} of ${this.nSamples} samples`);
	}
}

/** What makes densities of compared values densities of the samples. */
function logSlopes({ measures }: Model, { y, present, within }: Samples): number {
	const scales = measures.map((measure) => sampleLaw(measure).scale);
	return y.reduce(
		(sum, value, i) =>
			present[i] > 0 && !isBetween({ within }, i) ? sum + scales[i % measures.length].logSlope(value) : sum,
		0,
	);
}

/** Who is told of every sample of a solution. */
export interface SolutionVisitor {
	/** The log-likelihoods of the sample at a place of record e, by particle; on the scale on which it is compared. */
	terms(e: number, place: number, terms: Float64Array): void;
	/** What the samples `from` below `to` have been made of; `past` is for the visitor to remember errors in. */
	moments(e: number, moments: Moments, from: number, to: number, past: readonly (Past | undefined)[]): void;
}

export interface PrefixState {
	/** Log-likelihood of the experiments that are done. */
	readonly whole: Float64Array;
	/** The filter of the experiment at hand. */
	readonly state: FilterState;
}

/** What is no number counts as impossible. */
export function addFinite(sum: Float64Array, terms: Float64Array): void {
	for (let b = 0; b < sum.length; b++) {
		const total = sum[b] + terms[b];
		sum[b] = Number.isFinite(total) ? total : Number.NEGATIVE_INFINITY;
	}
}
