/**
 * Changes of one equation that might explain what a model leaves unexplained: a monomial of the states is added, or a state
 * that levels off; or a term that is there levels off with a state that it is proportional to.
 */
import { decimalConstant } from "../../model/decimal-constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Equation, Knowledge, Model } from "../../model/model.ts";
import { printExpression } from "../../model/print/expression.ts";
import { symbolsOf } from "../../model/walk.ts";
import { log } from "../../num/elementary/number.ts";
import { reread } from "./derived-knowledge.ts";

const degree = 3;
/** Changes tried at most: the simple ones come first. */
const mostTerms = 96;

export interface Candidate {
	readonly state: string;
	/** Highest derivative whose equation is changed. */
	readonly top: string;
	/** In the model language, without its weight: `x1^2`, `x1/(1 + v*x1)`. */
	readonly term: string;
	/** The term that it stands for; added to the others where there is none. */
	readonly replaces?: string;
	readonly model: Model;
	/** The names of its weight, and of the other number in it, where it has them. */
	readonly weight?: string;
	readonly other?: string;
}

interface Change {
	readonly text: string;
	readonly node: Node;
	readonly replaces?: Node;
	readonly other?: string;
	/** What the other number may be of the size of. */
	readonly scale?: number;
}

/** `size`: how large a state typically is. */
export function candidatesFor(model: Model, size: (component: string) => number): Candidate[] {
	const weight = freeName(model, "w");
	const other = freeName(model, "v");
	const scaleOf = (x: string): number => 1 / size(x);
	const everywhere = (changes: readonly Change[]): [string, Change][] =>
		changes.flatMap((change) => model.states.map(({ name }): [string, Change] => [name, change]));
	const rights = new Map(equationsOf(model).map(({ left, right }) => [left.name, right]));
	const levelling = model.states.flatMap(({ name }) =>
		levelled(model, rights.get(topOf(model, name))!, other, scaleOf).map((change): [string, Change] => [
			name,
			change,
		]),
	);
	return [
		...everywhere(monomials(model, 1)),
		...everywhere(monomials(model, 2)),
		...levelling,
		...everywhere(saturations(model, other, scaleOf)),
		...everywhere(monomials(model, degree)),
	]
		.slice(0, mostTerms)
		.map(([state, change]): Candidate => {
			return {
				state,
				top: topOf(model, state),
				term: change.text,
				...(change.replaces ? { replaces: printExpression(change.replaces) } : { weight }),
				...(change.other ? { other } : {}),
				model: changed(model, state, change, weight),
			};
		});
}

/** How many numbers a change has that the model had not. */
export function freedomOf({ weight, other }: Candidate): number {
	return (weight ? 1 : 0) + (other ? 1 : 0);
}

/** The model with one equation changed, solved for its highest derivative. */
function changed(model: Model, state: string, change: Change, weight: string): Model {
	const { graph } = model;
	const { node, replaces, other, scale } = change;
	const equations = equationsOf(model).map((equation): Equation => {
		if (equation.left.name !== topOf(model, state)) return equation;
		const more = replaces ? [node, graph.neg(replaces)] : [graph.product([graph.sym(weight), node])];
		return { left: equation.left, right: graph.sum([equation.right, ...more]), span: equation.span };
	});
	const names = symbolsOf(equations.map(({ right }) => right));
	const lets = model.lets.some(({ name }) => names.has(name)) ? model.lets : [];
	const { span } = model.states[0];
	const middle = decimalConstant(graph, log(scale ?? 1));
	const positive: Knowledge = {
		kind: "distribution",
		distribution: { family: "lognormal", args: [middle, graph.const(1.5)], named: new Map() },
	};
	const params = [
		...model.params,
		...(replaces ? [] : [{ name: weight, knowledge: { kind: "none" } as const, span }]),
		...(other ? [{ name: other, knowledge: positive, span }] : []),
	];
	return reread({ ...model, lets, equations, params });
}

function topOf(model: Model, state: string): string {
	return state + "'".repeat(model.states.find(({ name }) => name === state)!.order);
}

/** One equation a state, solved for its highest derivative: as written, with the names that it has, where it is so written. */
function equationsOf(model: Model): Equation[] {
	const { graph, components, rhs } = model;
	const written = model.states.map(({ name }) =>
		model.equations.find(({ left }) => left.op === "sym" && left.name === topOf(model, name)),
	);
	if (written.every((equation) => equation !== undefined)) return written;
	return model.states.map(({ name, order, components: own, span }) => ({
		left: graph.sym(topOf(model, name)),
		right: rhs[components.indexOf(own[order - 1])],
		span,
	}));
}

/** All products of powers of the states of a degree. */
function monomials({ graph, components }: Model, total: number): Change[] {
	return exponents(components.length, total).map((powers) => ({
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
function saturations(model: Model, other: string, scaleOf: (component: string) => number): Change[] {
	return model.components.map((x) => {
		const node = level(model, model.graph.sym(x), x, other);
		return { text: `${x}/(1 + ${other}*${x})`, node, other, scale: scaleOf(x) };
	});
}

/** Each term of an equation that is proportional to a state, levelling off with it. */
function levelled(
	model: Model,
	right: Node,
	other: string,
	scaleOf: (component: string) => number,
): Change[] {
	const terms = right.op === "add" ? right.args : [right];
	return terms.flatMap((replaces) => {
		const factors = replaces.op === "mul" ? replaces.args : [replaces];
		return model.components
			.filter((x) => factors.some(({ op, name }) => op === "sym" && name === x))
			.map((x): Change => {
				const node = level(model, replaces, x, other);
				return { text: printExpression(node), node, replaces, other, scale: scaleOf(x) };
			});
	});
}

function level({ graph }: Model, term: Node, x: string, other: string): Node {
	return graph.div(term, graph.sum([graph.const(1), graph.product([graph.sym(other), graph.sym(x)])]));
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
