/**
 * What may be in the equations: every weight that inversion estimates. A parameter p of the equations is a combination
 * A c of terms that are known in each experiment; a plain parameter and the weight of a basis function have the term 1.
 * What differs from record to record without a law has a weight in each, whose term is 1 there and 0 elsewhere.
 */

import { type Experiment, unitOf } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import { numberLaw } from "../../../estimate/law/declared.ts";
import { spreadParams } from "../../../estimate/observe/spread.ts";
import { expandBases } from "../../../model/basis.ts";
import { constantValue } from "../../../model/constant.ts";
import { evaluate } from "../../../model/evaluate.ts";
import { foldFormulaInputs } from "../../../model/formula-inputs.ts";
import type { Node } from "../../../model/graph.ts";
import type { Knowledge, Model } from "../../../model/model.ts";
import { printExpression } from "../../../model/print/expression.ts";
import { powersOf } from "./term-odds.ts";

export interface Weight {
	/** `p2[c2]`, `g[s1(x)]`, `k`; `k of rig-2` for that of one record. */
	readonly name: string;
	/** The same for all records. */
	readonly label: string;
	/** The record whose weight it is; undefined where all share it. */
	readonly record?: string;
	/** The parameter or function that it is part of. */
	readonly of: string;
	/** What it multiplies there, as text. */
	readonly term: string;
	/** What it multiplies, as far as it is an expression of conditions. */
	readonly factor: Node;
	/** Which parameter of the equations; -1 where it was left out of them. */
	readonly inner: number;
	readonly kind: "combination" | "function" | "parameter";
	/** Of the arguments in what it multiplies, where its function is a polynomial. */
	readonly powers?: Readonly<Record<string, number>>;
	readonly start: number;
	/** False for what the model says is known by a set or a distribution: its value is found, it is never dropped. */
	readonly selectable: boolean;
}

export interface Candidates {
	/** With bases and formula inputs written out; combinations stand in it as plain parameters. */
	readonly model: Model;
	/** Parameters of the equations. */
	readonly inner: readonly string[];
	readonly weights: readonly Weight[];
}

/** `functionsOfConditions`: weights of unknown functions are combinations of 1 and all conditions. */
export function candidatesOf(
	original: Model,
	start: Readonly<Record<string, number>>,
	functionsOfConditions: boolean,
	/** Whose records there are: for weights that differ from one to the other. */
	records: readonly string[] = [],
): Candidates {
	const { model, weights: basis } = expandBases(foldFormulaInputs(original));
	const { graph } = model;
	const spreads = spreadParams(model);
	const free = model.params.filter(({ name, knowledge }) => knowledge.kind !== "exact" && !spreads.has(name));
	const conditions = functionsOfConditions ? model.conditions.map(({ name }) => graph.sym(name)) : [];
	const basisOf = new Map(basis.map((weight) => [weight.name, weight]));
	const powersBy = powersOf(original.unknowns, basis);
	const weights = free.flatMap(({ name, knowledge, terms, byRecord }, inner): Weight[] => {
		const own = basisOf.get(name);
		// Weights of each record are what conditions could make them.
		const factors = own ? [graph.one, ...(byRecord ? [] : conditions)] : (terms ?? [graph.one]);
		return factors.flatMap((factor) => {
			const text = printExpression(factor);
			const product = own && factor !== graph.one ? `${own.label}*${text}` : own?.label;
			const label = own ? `${own.of}[${product}]` : terms ? `${name}[${text}]` : name;
			const powers = factor === graph.one ? powersBy.get(name) : undefined;
			const weightOf = (record?: string): Weight => {
				const full = record === undefined ? label : `${label} of ${record}`;
				return {
					name: full,
					label,
					...(record === undefined ? {} : { record }),
					of: own?.of ?? name,
					term: product ?? text,
					factor,
					inner,
					kind: own ? "function" : terms ? "combination" : "parameter",
					...(powers ? { powers } : {}),
					start: start[full] ?? start[label] ?? centre(knowledge),
					selectable: knowledge.kind === "none",
				};
			};
			return byRecord ? records.map(weightOf) : [weightOf()];
		});
	});
	return { model, inner: free.map(({ name }) => name), weights };
}

/** Values of the weights' factors in each experiment: row-major experiments × weights. */
export function factorValues(
	{ weights, model }: Candidates,
	experiments: readonly Experiment[],
): Float64Array {
	const values = new Float64Array(experiments.length * weights.length);
	experiments.forEach((experiment, e) => {
		for (const { name } of model.conditions)
			if (!Number.isFinite(experiment.conditions[name]))
				throw new InputError(
					`experiment ${experiment.name}`,
					`has no value of the condition ${name}`,
					`Give it with the record:  conditions: { ${name}: 0 }.`,
				);
		const known = new Map<Node, number>();
		weights.forEach(({ factor, name, record }, w) => {
			if (record !== undefined && record !== unitOf(experiment)) return;
			let value = known.get(factor);
			if (value === undefined)
				known.set(factor, (value = evaluate(factor, (symbol) => experiment.conditions[symbol])));
			if (!Number.isFinite(value))
				throw new InputError(
					name,
					`its term ${printExpression(factor)} is ${value} in experiment ${experiment.name}`,
					"Use a term that is defined for every condition.",
				);
			values[e * weights.length + w] = value;
		});
	});
	return values;
}

/** Where to start: 0 for what nothing is known of. */
function centre(knowledge: Knowledge): number {
	if (knowledge.kind === "set") return (constantValue(knowledge.lo) + constantValue(knowledge.hi)) / 2;
	if (knowledge.kind !== "distribution") return 0;
	return numberLaw("weight", knowledge.distribution).centre;
}
