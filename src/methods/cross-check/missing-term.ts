/**
 * A model that does not explain its data: which single term, added to which equation, would? Every monomial of the states up
 * to a degree, and every state that levels off, is tried in every equation, its weight fitted together with the parameters.
 */
import { decimalConstant } from "../../model/decimal-constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Equation, Knowledge, Model } from "../../model/model.ts";
import { printModel } from "../../model/print/model.ts";
import { log } from "../../num/elementary/number.ts";
import type { Result } from "../result.ts";
import { reread } from "./derived-knowledge.ts";
import { type Explained, explainedBy } from "./misfit-test.ts";

const degree = 3;
/** Terms tried at most: the simple ones come first. */
const mostTerms = 96;

export interface Candidate {
	readonly state: string;
	/** Highest derivative whose equation gets the term. */
	readonly top: string;
	/** In the model language, without its weight: `x1^2`, `x1/(1 + v*x1)`. */
	readonly term: string;
	readonly model: Model;
	/** The names of its weight, and of the other number in it if there is one. */
	readonly weight: string;
	readonly other?: string;
}

interface Term {
	readonly text: string;
	readonly node: Node;
	readonly other?: string;
	/** What the other number may be of the size of. */
	readonly scale?: number;
}

/** `size`: how large a state typically is. */
export function candidatesFor(model: Model, size: (component: string) => number): Candidate[] {
	const weight = freeName(model, "w");
	const other = freeName(model, "v");
	return [...monomials(model), ...saturations(model, other, size)]
		.flatMap((term) =>
			model.states.map(
				({ name, order }): Candidate => ({
					state: name,
					top: name + "'".repeat(order),
					term: term.text,
					weight,
					...(term.other ? { other } : {}),
					model: withTerm(model, name, term, weight),
				}),
			),
		)
		.slice(0, mostTerms);
}

/** The model with `weight * term` added to the equation of a state, solved for its highest derivative. */
function withTerm(model: Model, state: string, { node, other, scale }: Term, weight: string): Model {
	const { graph } = model;
	const equations = model.states.map(({ name, order, components, span }): Equation => {
		const right = model.rhs[model.components.indexOf(components[order - 1])];
		const more = name === state ? [graph.product([graph.sym(weight), node])] : [];
		return { left: graph.sym(name + "'".repeat(order)), right: graph.sum([right, ...more]), span };
	});
	const { span } = model.states[0];
	const middle = decimalConstant(graph, log(scale ?? 1));
	const positive: Knowledge = {
		kind: "distribution",
		distribution: { family: "lognormal", args: [middle, graph.const(1.5)], named: new Map() },
	};
	const params = [
		...model.params,
		{ name: weight, knowledge: { kind: "none" } as const, span },
		...(other ? [{ name: other, knowledge: positive, span }] : []),
	];
	return reread({ ...model, lets: [], equations, params });
}

export interface FoundTerm {
	readonly state: string;
	readonly top: string;
	readonly term: string;
	readonly weight: number;
	/** The sum of squares without it and with it, in units of the declared spread. */
	readonly before: number;
	readonly after: number;
	/** Other terms that do nearly as well: `x1^3 in x1'`. */
	readonly nearly: readonly string[];
	/** The model with the term in it. */
	readonly text: string;
}

export interface Trial {
	readonly candidate: Candidate;
	readonly result: Result;
}

/** The term that explains most, if it explains the larger part of what was left over and more than chance would. */
export function bestTerm(before: Explained, trials: readonly Trial[]): FoundTerm | undefined {
	// The price of a number in BIC.
	const price = log(before.count);
	const scored = trials
		.map((trial) => {
			const after = explainedBy(trial.candidate.model, trial.result).squares;
			return { ...trial, after, score: after + (trial.candidate.other ? 2 : 1) * price };
		})
		.filter(({ after }) => Number.isFinite(after))
		.sort((a, b) => a.score - b.score);
	const [best] = scored;
	if (!best) return undefined;
	const gain = before.squares - best.score;
	// Ten times the price, because many terms were tried.
	if (!(gain > 10 * price && gain > before.squares / 2)) return undefined;
	const { state, top, term, weight, other, model } = best.candidate;
	const estimateOf = (wanted: string): number =>
		best.result.parameters.find(({ name }) => name === wanted)?.estimate ?? Number.NaN;
	return {
		state,
		top,
		term: other ? term.replace(`${other}*`, `${Number(estimateOf(other).toPrecision(3))}*`) : term,
		weight: estimateOf(weight),
		before: before.squares,
		after: best.after,
		nearly: scored
			.slice(1)
			.filter(({ score }) => score < best.score + nearlyAsGood * price)
			.slice(0, 5)
			.map(({ candidate }) => `${candidate.term} in ${candidate.top}`),
		text: printModel(model),
	};
}

/** Prices of a number within which another term is as good. */
const nearlyAsGood = 3;

/** All products of powers of the states, by degree. */
function monomials({ graph, components }: Model): Term[] {
	return Array.from({ length: degree }, (_, d) => exponents(components.length, d + 1))
		.flat()
		.map((powers) => ({
			text: powers
				.flatMap((power, i) => (power > 0 ? [components[i] + (power > 1 ? `^${power}` : "")] : []))
				.join("*"),
			node: graph.product(
				powers.flatMap((power, i) =>
					power > 0 ? [graph.pow(graph.sym(components[i]), graph.const(power))] : [],
				),
			),
		}));
}

/** Terms that level off: x/(1 + v*x). */
function saturations(
	{ graph, components }: Model,
	other: string,
	size: (component: string) => number,
): Term[] {
	return components.map((x) => ({
		scale: 1 / size(x),
		text: `${x}/(1 + ${other}*${x})`,
		node: graph.div(
			graph.sym(x),
			graph.sum([graph.const(1), graph.product([graph.sym(other), graph.sym(x)])]),
		),
		other,
	}));
}

/** Exponents of all monomials of a degree. */
function exponents(nVariables: number, total: number): number[][] {
	if (nVariables === 1) return [[total]];
	return Array.from({ length: total + 1 }, (_, used) =>
		exponents(nVariables - 1, used).map((rest) => [total - used, ...rest]),
	).flat();
}

/** A name that the model does not use. */
function freeName(model: Model, letter: string): string {
	const taken = new Set([
		...model.params.map(({ name }) => name),
		...model.components,
		...[...model.inputs, ...model.measures, ...model.conditions, ...model.lets].map(({ name }) => name),
	]);
	let name = letter;
	while (taken.has(name)) name += letter;
	return name;
}
