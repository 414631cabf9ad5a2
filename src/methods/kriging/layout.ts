/**
 * How a model is to be learned: which components of the state are seen, directly or as derivatives of what is measured
 * (the paper's partial state), which equations hold unknown functions, and where these stand. Throws InputError where
 * the model does not fit.
 */

import { InputError } from "../../errors.ts";
import { sampleLaw } from "../../estimate/law/declared.ts";
import { measuredValue } from "../../estimate/observe/compared.ts";
import { expandCombinations } from "../../model/combination.ts";
import { constantValue } from "../../model/constant.ts";
import { Differentiator } from "../../model/derivative.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure, Model } from "../../model/model.ts";
import { symbolsOf, topological } from "../../model/walk.ts";

/** A measurement gain·(component) + offset, or the logarithm of it. */
export interface Reading {
	readonly measure: Measure;
	readonly component: number;
	readonly gain: number;
	readonly offset: number;
	readonly isLog: boolean;
}

/** A component of the state and those that are its derivatives: all are found from the same samples. */
export interface Track {
	readonly name: string;
	/** The component that is derivative 0, 1, … */
	readonly components: readonly number[];
	readonly readings: readonly (Reading & { readonly order: number })[];
	/** Exactly known initial value, where the model has one. */
	readonly initial: number | undefined;
}

/** The derivative of a component whose right-hand side has to be learned or is to be fitted. */
export interface Equation {
	readonly component: number;
	readonly track: number;
	/** Which derivative of the track it is. */
	readonly order: number;
}

/** One place where an unknown function stands. */
export interface Call {
	readonly fn: number;
	readonly node: Node;
	/** Where its arguments start in the vector of all arguments. */
	readonly start: number;
}

export interface Layout {
	/** Without combinations and formula inputs. */
	readonly model: Model;
	readonly tracks: readonly Track[];
	/** Track and order of each component. */
	readonly places: readonly { readonly track: number; readonly order: number }[];
	readonly equations: readonly Equation[];
	readonly functions: readonly {
		readonly name: string;
		readonly argNames: readonly string[];
		readonly trend: number;
	}[];
	readonly calls: readonly Call[];
	readonly nArgs: number;
	/** Free parameters of the known part. */
	readonly params: readonly string[];
}

export function layoutOf(source: Model): Layout {
	refuse(source);
	const { model } = expandCombinations(foldFormulaInputs(source));
	const readings = model.measures.map((measure) => readingOf(model, measure));
	const next = model.rhs.map((node) => (node.op === "sym" ? model.components.indexOf(node.name!) : -1));
	const { tracks, places } = tracksOf(model, readings, next);
	const equations = model.components.flatMap((_, component) => {
		const { track, order } = places[component];
		const isDerivative = tracks[track].components[order + 1] === next[component] && next[component] >= 0;
		return isDerivative ? [] : [{ component, track, order: order + 1 }];
	});
	const calls = callsOf(model);
	const symbols = symbolsOf(model.rhs);
	return {
		model,
		tracks,
		places,
		equations,
		functions: model.unknowns.map(({ name, params, distribution }) => {
			const trend = distribution.named.get("trend");
			return { name, argNames: params, trend: trend ? constantValue(trend) : 2 };
		}),
		calls,
		nArgs: calls.reduce((sum, { node }) => sum + node.args.length, 0),
		params: model.params
			.filter(({ name, knowledge }) => knowledge.kind !== "exact" && symbols.has(name))
			.map(({ name }) => name),
	};
}

function refuse(model: Model): void {
	const process = model.unknowns.find(({ kind }) => kind === "process");
	const [basis] = model.unknowns.filter(({ kind }) => kind === "basis");
	if (basis)
		throw new InputError(
			`unknown ${basis.name}`,
			"has a finite basis, and kriging learns random processes",
			`Write  unknown ${basis.name}(${basis.params.join(", ")}) ~ kriging(trend: 2).`,
		);
	const random = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (random)
		throw new InputError(
			`input ${random.name}`,
			"is an unknown force with a prior, and kriging needs a known input",
			`Use  method: bayes, which finds it, or write  input ${random.name}  and give its column in the data.`,
		);
	if (!process)
		throw new InputError(
			model.fileName,
			"has no unknown function, so there is nothing to learn",
			"Write  unknown f(x) ~ kriging(trend: 2)  and use f(x) in an equation.",
		);
	if (model.measures.length === 0)
		throw new InputError(
			model.fileName,
			"measures nothing, so there is nothing to learn from",
			"Add a line like  measure y ~ normal(x, 0.1).",
		);
	const drifting = model.params.find(({ rate }) => rate !== undefined);
	if (drifting)
		throw new InputError(
			`param ${drifting.name}`,
			"drifts in time, and kriging estimates constants beside the unknown functions",
			`Remove the declaration of ${drifting.name}', or make it an unknown function of t.`,
		);
}

function readingOf(model: Model, measure: Measure): Reading {
	const fail = (problem: string): never => {
		throw new InputError(
			`measure ${measure.name}`,
			problem,
			"Kriging needs each state on its own: measure a state, its derivative, or a fixed multiple of one.",
		);
	};
	const { isNormal, scale } = sampleLaw(measure);
	const { isLog } = scale;
	if (!isNormal) fail(`has errors that are ${measure.family}, and kriging takes them for normal`);
	if (measure.correlated) fail("has errors that are correlated, and kriging takes them for independent");
	if (measure.rounded) fail("is rounded, and kriging takes errors for normal");
	if (isLog && measure.value.op !== "log") fail("is lognormal, but not of the logarithm of a state");
	const value = measuredValue(measure);
	const symbols = [...symbolsOf([value])];
	const component = model.components.indexOf(symbols[0]);
	if (symbols.length !== 1 || component < 0)
		fail(`is not of one state alone, but of ${symbols.join(", ") || "none"}`);
	const d = new Differentiator(model.graph);
	const gain = constantValue(d.derivative(value, symbols[0]));
	if (!(Math.abs(gain) > 0)) fail(`is not a fixed multiple of ${symbols[0]}`);
	const rest = model.graph.sub(value, model.graph.mul(model.graph.const(gain), model.graph.sym(symbols[0])));
	const offset = constantValue(rest);
	if (!Number.isFinite(offset)) fail(`is not a fixed multiple of ${symbols[0]}`);
	return { measure, component, gain, offset, isLog };
}

/** Chains of components, each the derivative of the one before. */
function tracksOf(
	model: Model,
	readings: readonly Reading[],
	next: readonly number[],
): { tracks: Track[]; places: { track: number; order: number }[] } {
	const places: { track: number; order: number }[] = new Array(model.components.length);
	const tracks: Track[] = [];
	const heads = model.components
		.map((_, c) => c)
		.filter((c) => !next.some((to, from) => to === c && from !== c));
	for (const head of [...heads, ...model.components.keys()]) {
		if (places[head]) continue;
		const components: number[] = [];
		for (let c = head; c >= 0 && !places[c]; c = next[c]) {
			places[c] = { track: tracks.length, order: components.length };
			components.push(c);
		}
		const own = readings
			.filter(({ component }) => components.includes(component))
			.map((reading) => ({ ...reading, order: components.indexOf(reading.component) }));
		const name = model.components[head];
		const knowledge = model.initial[head];
		const initial = knowledge.kind === "exact" ? constantValue(knowledge.value) : Number.NaN;
		if (own.length === 0)
			throw new InputError(
				`state ${name}`,
				"is neither measured nor a derivative of a state that is",
				`Add a line like  measure y ~ normal(${name}, 0.1),  or take ${name} out of the model.`,
			);
		const lowest = own.reduce((a, b) => (b.order < a.order ? b : a));
		if (lowest.order > 1 || (lowest.order === 1 && !Number.isFinite(initial)))
			throw new InputError(
				`state ${name}`,
				`is not measured, only its derivative ${model.components[lowest.component]} is: it is known up to a constant`,
				`Measure ${name} as well, or give its initial value:  state ${name} = 0.`,
			);
		tracks.push({ name, components, readings: own, initial: Number.isFinite(initial) ? initial : undefined });
	}
	return { tracks, places };
}

function callsOf(model: Model): Call[] {
	const isCall = (node: Node): boolean => node.op === "call";
	const inMeasure = topological(model.measures.map(({ value }) => value)).find(isCall);
	if (inMeasure)
		throw new InputError(
			`unknown ${inMeasure.name}`,
			"stands in a measurement, and kriging learns functions from derivatives of states",
			"Use it in an equation.",
		);
	const calls: Call[] = [];
	let start = 0;
	for (const node of topological(model.rhs).filter(isCall)) {
		if (topological(node.args).some(isCall))
			throw new InputError(
				`unknown ${node.name}`,
				"has another unknown function in its argument",
				"Arguments of an unknown function are states, inputs and known expressions of them.",
			);
		if (node.args.length === 0)
			throw new InputError(`unknown ${node.name}`, "has no argument", "A constant is a  param.");
		calls.push({ fn: model.unknowns.findIndex(({ name }) => name === node.name), node, start });
		start += node.args.length;
	}
	return calls;
}
