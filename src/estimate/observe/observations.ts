/**
 * All measured samples of all experiments as one vector, with what the model says of their noise. A `lognormal`
 * measurement is compared in logarithms.
 */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { constantValue } from "../../model/constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure, Model } from "../../model/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import { log } from "../../num/elementary/number.ts";

/** What is known of the spread of a measurement. */
export type Noise =
	/** A number: standard deviation, or half the width of a set. */
	| { readonly kind: "known"; readonly sd: number }
	/** To be found from the residuals; `param` where it is a declared parameter. */
	| { readonly kind: "unknown"; readonly param?: string }
	/** An expression of states and parameters: it varies from sample to sample. */
	| { readonly kind: "varying"; readonly spread: Node };

/** One output of one experiment: samples `from` to `to` of the vector. */
export interface OutputGroup {
	readonly experiment: number;
	readonly measure: Measure;
	/** Position of the measure in the model. */
	readonly index: number;
	readonly from: number;
	readonly to: number;
	readonly t: Float64Array;
	/** As measured, or its logarithm. */
	readonly observed: Float64Array;
	/** Position of each sample in the experiment's grid of times. */
	readonly gridIndex: Int32Array;
	readonly noise: Noise;
}

export interface Observations {
	readonly groups: readonly OutputGroup[];
	readonly nObservations: number;
	readonly values: Float64Array;
	/** For each experiment: where it starts, and all times at which some output was sampled, rising. */
	readonly grids: readonly { readonly t0: number; readonly times: Float64Array }[];
}

export function observationsOf(model: Model, experiments: readonly Experiment[]): Observations {
	const groups: OutputGroup[] = [];
	const grids = experiments.map((experiment) => ({
		t0: experiment.times[0],
		times: unionOfTimes(
			model.measures.map(({ name }) => experiment.outputs.get(name)?.times ?? new Float64Array()),
		),
	}));
	let next = 0;
	experiments.forEach((experiment, e) => {
		const position = new Map(Array.from(grids[e].times, (t, i) => [t, i]));
		model.measures.forEach((measure, index) => {
			const series = experiment.outputs.get(measure.name);
			if (!series || series.values.length === 0) return;
			const observed =
				measure.family === "lognormal" ? logarithms(measure, experiment, series.values) : series.values;
			groups.push({
				experiment: e,
				measure,
				index,
				from: next,
				to: (next += observed.length),
				t: series.times,
				observed,
				gridIndex: Int32Array.from(series.times, (t) => position.get(t)!),
				noise: noiseOf(model, measure),
			});
		});
	});
	if (next === 0)
		throw new InputError(
			"data",
			"holds no sample of any measured output",
			`The model measures ${model.measures.map(({ name }) => name).join(", ")}: map its columns under  columns:`,
		);
	const values = new Float64Array(next);
	for (const group of groups) values.set(group.observed, group.from);
	return { groups, nObservations: next, values, grids };
}

/** Parameters that stand only for the spread of measurements: they are found from residuals, not by the search. */
export function spreadParams(model: Model): Set<string> {
	const elsewhere = symbolsOf([
		...model.rhs,
		...model.measures.map(({ value }) => value),
		...model.initial.flatMap((knowledge) => (knowledge.kind === "exact" ? [knowledge.value] : [])),
	]);
	const inSpreads = symbolsOf(model.measures.flatMap(({ spread }) => (spread ? [spread] : [])));
	return new Set(
		model.params.map(({ name }) => name).filter((name) => inSpreads.has(name) && !elsewhere.has(name)),
	);
}

function noiseOf(model: Model, measure: Measure): Noise {
	const { spread } = measure;
	if (!spread) return { kind: "unknown" };
	const symbols = symbolsOf([spread]);
	if (symbols.size === 0) {
		const sd = constantValue(spread);
		if (!(sd > 0 && sd < Number.POSITIVE_INFINITY))
			throw new InputError(
				`measure ${measure.name}`,
				`has a spread of ${sd}`,
				"A spread is a positive number, or a parameter.",
			);
		return { kind: "known", sd };
	}
	if (spread.op === "sym" && spreadParams(model).has(spread.name!))
		return { kind: "unknown", param: spread.name };
	const free = model.params.flatMap(({ name, knowledge }) =>
		knowledge.kind !== "exact" && symbols.has(name) ? [name] : [],
	);
	if (free.length > 0)
		throw new InputError(
			`measure ${measure.name}`,
			`has a spread that is an expression of the unknown ${free.join(", ")}`,
			"Least squares can find a spread that is one parameter alone, like  normal(x, s); give the others a value.",
		);
	return { kind: "varying", spread };
}

function logarithms(measure: Measure, experiment: Experiment, values: Float64Array): Float64Array {
	const bad = values.findIndex((value) => !(value > 0));
	if (bad >= 0)
		throw new InputError(
			`${experiment.name}: column of ${measure.name}`,
			`holds ${values[bad]} (row ${experiment.outputs.get(measure.name)!.rows[bad]}), but a lognormal measurement is positive`,
			"Remove such samples, or measure with  ~ normal(…).",
		);
	return values.map(log);
}

function unionOfTimes(lists: readonly Float64Array[]): Float64Array {
	const [first, ...others] = lists.filter((list) => list.length > 0);
	if (!first) return new Float64Array();
	if (others.every((list) => list === first || sameTimes(list, first))) return first;
	return Float64Array.from(new Set([first, ...others].flatMap((list) => [...list]))).sort();
}

function sameTimes(a: Float64Array, b: Float64Array): boolean {
	return a.length === b.length && a.every((t, i) => t === b[i]);
}

/** Expressions of the spreads as far as simulation can tell them: 0 where the spread itself is to be found. */
export function knownSpreads(model: Model): Node[] {
	const unknown = spreadParams(model);
	return model.measures.map(({ spread }) =>
		spread && ![...symbolsOf([spread])].some((name) => unknown.has(name)) ? spread : model.graph.zero,
	);
}
