/**
 * What a method needs to know and the model does not say, derived where that is honest, and always said: a random error
 * gives a bound, a set gives a uniform prior.
 */
import { deviationPerSpread, numberLaw } from "../../estimate/law/declared.ts";
import { bulk } from "../../estimate/law/law.ts";
import { isDeclared } from "../../estimate/observe/declared-spreads.ts";
import { constantValue } from "../../model/constant.ts";
import { decimalConstant } from "../../model/decimal-constant.ts";
import type { Node } from "../../model/graph.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import type { Knowledge, Measure, Model } from "../../model/model.ts";
import { knowledgeText, measureText, printModel } from "../../model/print/model.ts";
import { log } from "../../num/elementary/number.ts";
import { normalMass } from "../../num/statistics/tail-mass.ts";

export interface Derived {
	readonly model: Model;
	/** What was assumed, a sentence each. */
	readonly assumptions: readonly string[];
}

/** A model with other declarations is read again from its text, so that all of it fits together. */
export function reread(model: Model): Model {
	return parseModel(printModel(model), model.fileName);
}

/** What a distribution has beyond either end of the set that it is taken for: that of a normal one beyond 4 sd. */
const priorTail = normalMass(-4);

/** For `guaranteed`: distributions become sets, random errors bounds of so many standard deviations. */
export function withSets(model: Model, sigmas: number): Derived | undefined {
	const assumptions: string[] = [];
	const times = timesIn(model);
	const note = (what: string, knowledge: Knowledge, rest: string): void => {
		assumptions.push(`${what}${knowledgeText(knowledge)}${rest}`);
	};
	const asSet = (name: string, knowledge: Knowledge): Knowledge => {
		const set = setOf(model, knowledge);
		if (!set) return knowledge;
		note(name, set, `: where its distribution${knowledgeText(knowledge)} has all but 1 part in 10,000.`);
		return set;
	};
	const measures = model.measures.map((measure): Measure => {
		if (measure.kind !== "distribution" || measure.family !== "normal" || !measure.spread) return measure;
		if (!isDeclared(model, measure)) return measure;
		const { written: _, family: __, rounded, correlated: ___, ...rest } = measure;
		const random = times(sigmas, measure.spread);
		// A sample that was rounded is off by up to half of its last digit besides.
		const spread = rounded ? sumIn(model, random, times(0.5, rounded)) : random;
		const bounded: Measure = { ...rest, kind: "set", spread };
		assumptions.push(
			`No error of ${measure.name} is larger than ${sigmas} standard deviations${rounded ? ` before the sample is rounded to a multiple of ${constantValue(rounded)}` : ""}: ${measureText(bounded)}.`,
		);
		return bounded;
	});
	return derived(model, asSet, { measures }, assumptions);
}

/** For `bayes`: sets become uniform distributions, bounded errors normal ones of the same spread. */
export function withDistributions(model: Model): Derived | undefined {
	const assumptions: string[] = [];
	const times = timesIn(model);
	const asDistribution = (name: string, knowledge: Knowledge): Knowledge => {
		if (knowledge.kind !== "set") return knowledge;
		const prior: Knowledge = {
			kind: "distribution",
			distribution: { family: "uniform", args: [knowledge.lo, knowledge.hi], named: new Map() },
		};
		assumptions.push(`${name}${knowledgeText(prior)}: every value of its set is as likely.`);
		return prior;
	};
	const measures = model.measures.map((measure): Measure => {
		if (measure.kind !== "set" || !measure.spread || !isDeclared(model, measure)) return measure;
		const { written: _, ...rest } = measure;
		const random: Measure = {
			...rest,
			kind: "distribution",
			family: "normal",
			ofBound: true,
			spread: times(deviationPerSpread(measure), measure.spread),
		};
		assumptions.push(
			`${measureText(random)}: the standard deviation of errors that are evenly spread between their bounds.`,
		);
		return random;
	});
	return derived(model, asDistribution, { measures }, assumptions);
}

/** A spread so many times as large: a number that people can read, or an expression. */
function timesIn({ graph }: Model): (factor: number, spread: Node) => Node {
	return (factor, spread) => {
		const value = constantValue(spread);
		return value > 0
			? decimalConstant(graph, rounded(factor * value))
			: graph.mul(decimalConstant(graph, rounded(factor)), spread);
	};
}

function sumIn({ graph }: Model, a: Node, b: Node): Node {
	const sum = constantValue(a) + constantValue(b);
	return sum > 0 ? decimalConstant(graph, rounded(sum)) : graph.add(a, b);
}

/** The model with what is known of its numbers replaced; undefined when nothing was. */
function derived(
	model: Model,
	replace: (name: string, knowledge: Knowledge) => Knowledge,
	other: Partial<Model>,
	assumptions: readonly string[],
): Derived | undefined {
	const params = model.params.map((param) => ({
		...param,
		knowledge: param.terms ? param.knowledge : replace(`param ${param.name}`, param.knowledge),
	}));
	const states = model.states.map((state) => ({
		...state,
		initial: state.initial.map((knowledge, i) => replace(`state ${state.components[i]}`, knowledge)),
	}));
	if (assumptions.length === 0) return undefined;
	const whole = { ...model, ...other, params, states };
	return { model: marked(reread(whole), whole), assumptions };
}

/** What no text says: which normal errors were declared as bounds. */
function marked(model: Model, { measures }: Model): Model {
	const bounds = new Set(measures.flatMap(({ name, ofBound }) => (ofBound ? [name] : [])));
	if (bounds.size === 0) return model;
	return {
		...model,
		measures: model.measures.map((measure) =>
			bounds.has(measure.name) ? { ...measure, ofBound: true } : measure,
		),
	};
}

/** Where a distribution has nearly all of its mass; undefined for what is none. */
export function setOf({ graph }: Model, knowledge: Knowledge): Knowledge | undefined {
	if (knowledge.kind !== "distribution") return undefined;
	const law = numberLaw("prior", knowledge.distribution);
	const { lo, hi } = bulk(law, priorTail);
	// Ends that differ late need more digits to be told apart.
	const alike = Math.max(Math.abs(lo), Math.abs(hi)) / (hi - lo);
	const digits = Math.min(17, 6 + Math.max(0, Math.ceil(log(alike) / Math.LN10)));
	return {
		kind: "set",
		lo: decimalConstant(graph, lo === law.lo ? lo : rounded(lo, digits)),
		hi: decimalConstant(graph, hi === law.hi ? hi : rounded(hi, digits)),
	};
}

/** Six digits: what is assumed is read by people. */
function rounded(value: number, digits = 6): number {
	return Number(value.toPrecision(digits));
}
