/** How finely to step: the fastest rate of the model times the step is to stay small. */

import type { Experiment } from "../../../data/experiment.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Model } from "../../../model/model.ts";
import { type Discontinuity, discontinuities } from "../../../model/structure/discontinuity.ts";
import { spectralRadius } from "../../../num/linear/least-squares.ts";
import { latentForces } from "../filter/noise/latent-force.ts";
import type { PosteriorUnknown } from "./unknowns.ts";

/** Largest product of step and rate that a choice allows, and that goes without a warning. */
export const wantedStep = 0.2;
export const coarseStep = 0.3;
/** More steps a sample than this are not taken without being asked for. */
export const mostSubsteps = 200;

/** Integrated Wiener process order: one derivative more than the equations have, unless they or a force jump about. */
export function chooseOrder(model: Model): number {
	const highest = Math.max(...model.states.map(({ order }) => order));
	const jumps = breaksOf(model).some(({ kind }) => kind === "jump");
	const rough = latentForces(model).some(({ p }) => p === 0);
	return highest + (jumps || rough ? 0 : 1);
}

/** No jumps, and no kinks, where the state crosses something: then a higher order pays. */
export function isSmooth(model: Model): boolean {
	return breaksOf(model).length === 0;
}

function breaksOf({ rhs, graph, components }: Model): Discontinuity[] {
	return discontinuities(rhs, graph.zero, (name) => components.includes(name));
}

/**
 * The form of the second moments. Beside the square root, the plain form was off by less than 1e-9 of the log-likelihood
 * up to there, and by 1e-7 … 1e-5 above, with data much more precise than the solver.
 */
export function chooseForm(q: number, linearisation: "ekf0" | "ekf1"): "covariance" | "root" {
	return q >= (linearisation === "ekf1" ? 5 : 7) ? "root" : "covariance";
}

/** Steps a sample that keep rate × step at `wantedStep`. */
export function stepsFor(rate: number, experiments: readonly Experiment[]): number {
	const steps = Math.ceil((rate * typicalInterval(experiments)) / wantedStep - 1e-6);
	return Math.max(1, Number.isFinite(steps) ? steps : mostSubsteps);
}

/** The median interval between samples; a row without one is none. */
export function typicalInterval(experiments: readonly Experiment[]): number {
	const intervals = experiments
		.flatMap(({ times: [t0], outputs }) => {
			const sampled = [...outputs.values()].flatMap(({ times }) => [...times.subarray(0, 2000)]);
			const times = Float64Array.from(new Set([t0, ...sampled]))
				.sort()
				.subarray(0, 2000);
			return Array.from(times.subarray(1), (t, i) => t - times[i]);
		})
		.filter((interval) => interval > 0)
		.sort((a, b) => a - b);
	return intervals.length > 0 ? intervals[Math.floor(intervals.length / 2)] : 1;
}

/**
 * Median over parameter vectors (columns of n) of the spectral radius of the Jacobian, each at the worst of a few
 * states: the initial one, and measured components at the size of the data. Forces have rates too.
 */
export function typicalRate(
	model: Model,
	unknowns: readonly PosteriorUnknown[],
	experiments: readonly Experiment[],
	theta: Float64Array,
	n: number,
): number {
	const params = unknowns.filter(({ kind }) => kind === "param").map(({ name }) => name);
	const conditions = model.conditions.map(({ name }) => name);
	const inputs = model.inputs.map(({ name }) => name);
	const p = [...params, ...conditions];
	const nStates = model.components.length;
	const jacobian = compileFunction(new Differentiator(model.graph).jacobian(model.rhs, model.components), [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: inputs },
		{ name: "p", symbols: p },
	]);
	const start = compileFunction(
		model.initial.map((knowledge) => (knowledge.kind === "exact" ? knowledge.value : model.graph.zero)),
		[{ name: "p", symbols: p }],
	);
	const forces = latentForces(model);
	const lengths = compileFunction(
		forces.map(({ length }) => length),
		[{ name: "p", symbols: p }],
	);
	const ownLengths = new Float64Array(forces.length);
	const [experiment] = experiments;
	const t0 = experiment.times[0];
	const u = Float64Array.from(inputs, (name) => experiment.inputs.get(name)?.at(t0) ?? 0);
	const out = new Float64Array(nStates * nStates);
	const rates: number[] = [];
	for (let b = 0; b < n; b++) {
		const values = Float64Array.of(
			...params.map((_, i) => theta[i * n + b]),
			...conditions.map((name) => experiment.conditions[name]),
		);
		const x = new Float64Array(nStates);
		start(values, x);
		for (const [i, { kind, component, experiment: e }] of unknowns.entries())
			if (kind === "initial" && e === 0) x[model.components.indexOf(component!)] = theta[i * n + b];
		lengths(values, ownLengths);
		let worst = Math.max(0, ...forces.map((force, f) => Math.sqrt(2 * force.p + 1) / ownLengths[f]));
		for (const state of [x, ...displaced(model, experiment, x)]) {
			jacobian(t0, state, u, values, out);
			const radius = spectralRadius(out, nStates);
			if (radius > worst && Number.isFinite(radius)) worst = radius;
		}
		rates.push(worst);
	}
	rates.sort((a, b) => a - b);
	return rates[Math.floor(rates.length / 2)] ?? 0;
}

/** The state with a directly measured component at the size of its data. */
function displaced(model: Model, experiment: Experiment, x: Float64Array): Float64Array[] {
	return model.measures.flatMap((measure) => {
		const { name, value } = measure;
		const at = value.op === "sym" ? model.components.indexOf(value.name!) : -1;
		const series = experiment.outputs.get(name);
		if (at < 0 || !series || sampleLaw(measure).scale.isLog) return [];
		const size = Math.sqrt(series.values.reduce((sum, y) => sum + y * y, 0) / series.values.length);
		return [-size, size].map((y) => x.with(at, y));
	});
}
