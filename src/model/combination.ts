/**
 * `param p(1, c2, c2^2)` is an unknown linear combination of the terms in its brackets: here it becomes plain unknown
 * weights, p = p[1]·1 + p[c2]·c2 + …, so that a method that knows only plain parameters can use it.
 */
import type { Node } from "./graph.ts";
import type { Knowledge, Model, Param } from "./model.ts";
import { printExpression } from "./print/expression.ts";
import { substitute } from "./walk.ts";

export interface CombinationWeight {
	readonly name: string;
	readonly of: string;
	readonly term: Node;
}

/** The model with every combination written out, and the weights that stand for it. */
export function expandCombinations(model: Model): { model: Model; weights: CombinationWeight[] } {
	const combinations = model.params.filter((param) => param.terms !== undefined);
	if (combinations.length === 0) return { model, weights: [] };
	const { graph } = model;
	const weights = combinations.flatMap((param) =>
		param.terms!.map((term) => ({ name: weightName(param, term), of: param.name, term })),
	);
	const replacement = new Map(
		combinations.map((param) => [
			param.name,
			graph.add(...param.terms!.map((term) => graph.mul(graph.sym(weightName(param, term)), term))),
		]),
	);
	const replace = (node: Node): Node => substitute(graph, [node], replacement)[0];
	return {
		weights,
		model: {
			...model,
			params: model.params.flatMap((param) =>
				param.terms === undefined
					? [param]
					: param.terms.map(
							(term): Param => ({
								name: weightName(param, term),
								knowledge: { kind: "none" },
								span: param.span,
							}),
						),
			),
			...replaced(model, replace),
		},
	};
}

function weightName(param: Param, term: Node): string {
	return `${param.name}[${printExpression(term)}]`;
}

/** What a model computes, with other expressions. */
export function replaced(
	model: Model,
	replace: (node: Node) => Node,
): Pick<Model, "rhs" | "measures" | "initial" | "states" | "events" | "assumptions" | "columns"> {
	const initial = model.initial.map(
		(knowledge): Knowledge =>
			knowledge.kind === "exact" ? { kind: "exact", value: replace(knowledge.value) } : knowledge,
	);
	let next = 0;
	return {
		...(model.columns && {
			columns: model.columns.map((column) => ({
				...column,
				value: replace(column.value),
				...(column.amount && { amount: replace(column.amount) }),
				...(column.concentration && { concentration: replace(column.concentration) }),
			})),
		}),
		events: model.events.map((event) => ({
			...event,
			trigger: replace(event.trigger),
			...(event.delay && { delay: replace(event.delay) }),
			...(event.priority && { priority: replace(event.priority) }),
			assignments: event.assignments.map(({ target, value }) => ({ target, value: replace(value) })),
		})),
		...(model.assumptions && {
			assumptions: model.assumptions.map((each) => ({ ...each, value: replace(each.value) })),
		}),
		...(model.lifted && { lifted: model.lifted.map(replace) }),
		rhs: model.rhs.map(replace),
		measures: model.measures.map((measure) => ({
			...measure,
			value: replace(measure.value),
			spread: measure.spread && replace(measure.spread),
			...(measure.correlated && { correlated: replace(measure.correlated) }),
		})),
		initial,
		states: model.states.map((state) => ({
			...state,
			initial: state.components.map(() => initial[next++]),
		})),
	};
}
