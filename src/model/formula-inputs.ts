/** Inputs that are formulas of `t`, written out: what is left comes from data. */
import type { Model } from "./model.ts";
import { substitute } from "./walk.ts";

export function foldFormulaInputs(model: Model): Model {
	const formulas = new Map(
		model.inputs.flatMap(({ name, knowledge }) =>
			knowledge.kind === "formula" ? [[name, knowledge.value] as const] : [],
		),
	);
	if (formulas.size === 0) return model;
	const { graph } = model;
	const [...folded] = substitute(
		graph,
		[...model.rhs, ...model.measures.flatMap(({ value, spread }) => [value, spread ?? graph.zero])],
		formulas,
	);
	const measured = folded.slice(model.rhs.length);
	return {
		...model,
		inputs: model.inputs.filter(({ name }) => !formulas.has(name)),
		rhs: folded.slice(0, model.rhs.length),
		measures: model.measures.map((measure, i) => ({
			...measure,
			value: measured[2 * i],
			spread: measure.spread && measured[2 * i + 1],
		})),
	};
}
