/** Inputs that are formulas of `t`, written out: what is left comes from data. */
import { replaced } from "./combination.ts";
import type { Node } from "./graph.ts";
import type { Model } from "./model.ts";
import { substitute } from "./walk.ts";

export function foldFormulaInputs(model: Model): Model {
	return foldInputs(
		model,
		new Map(
			model.inputs.flatMap(({ name, knowledge }) =>
				knowledge.kind === "formula" ? [[name, knowledge.value] as const] : [],
			),
		),
	);
}

/** These inputs written out. */
export function foldInputs(model: Model, formulas: ReadonlyMap<string, Node>): Model {
	if (formulas.size === 0) return model;
	const { graph } = model;
	const { rhs, measures, events, assumptions } = replaced(
		model,
		(node) => substitute(graph, [node], formulas)[0],
	);
	return {
		...model,
		inputs: model.inputs.filter(({ name }) => !formulas.has(name)),
		rhs,
		measures,
		events,
		...(assumptions && { assumptions }),
	};
}
