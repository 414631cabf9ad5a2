/** A model as it is simulated. */
import { InputError } from "../errors.ts";
import { expandCombinations } from "../model/combination.ts";
import { foldFormulaInputs } from "../model/formula-inputs.ts";
import type { Model } from "../model/model.ts";

/** Combinations written out, formulas of inputs put in their places; refused where the model holds something unknown. */
export function withFormulas(source: Model): Model {
	const [unknown] = source.unknowns;
	if (unknown)
		throw new InputError(
			`unknown ${unknown.name}`,
			"is an unknown function, and a simulation needs to know it",
			"Replace it by a formula.",
		);
	const random = source.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (random)
		throw new InputError(
			`input ${random.name}`,
			"is a random process, and a simulation needs to know it",
			`Write a formula of t, or  input ${random.name}  and give its column.`,
		);
	const bounded = source.inputs.find(({ knowledge }) => knowledge.kind === "set");
	if (bounded)
		throw new InputError(
			`input ${bounded.name}`,
			"is known within bounds only, and a simulation needs to know it",
			`Write a formula of t, or  input ${bounded.name}  and give its column.`,
		);
	return foldFormulaInputs(expandCombinations(source).model);
}
