/** A model as it is simulated. */
import { InputError } from "../../errors.ts";
import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs, foldInputs } from "../../model/formula-inputs.ts";
import type { Model } from "../../model/model.ts";

/**
 * Combinations written out, formulas of inputs put in their places; refused where the model holds something unknown. Random
 * inputs are 0, as they are in the mean, unless they are to be drawn.
 */
export function withFormulas(source: Model, keepsRandom = false): Model {
	const [unknown] = source.unknowns;
	if (unknown)
		throw new InputError(
			`unknown ${unknown.name}`,
			"is an unknown function, and a simulation needs to know it",
			"Replace it by a formula.",
		);
	const bounded = source.inputs.find(({ knowledge }) => knowledge.kind === "set");
	if (bounded)
		throw new InputError(
			`input ${bounded.name}`,
			"is known within bounds only, and a simulation needs to know it",
			`Write a formula of t, or  input ${bounded.name}  and give its column.`,
		);
	const model = foldFormulaInputs(expandCombinations(source).model);
	if (keepsRandom) return model;
	return foldInputs(model, new Map(randomInputs(model).map(({ name }) => [name, model.graph.zero])));
}

export function randomInputs({ inputs }: Model): Model["inputs"] {
	return inputs.filter(({ knowledge }) => knowledge.kind === "distribution");
}
