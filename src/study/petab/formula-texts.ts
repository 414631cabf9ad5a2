/** Formulas of PEtab as text of the model language. */
import { InputError } from "../../errors.ts";
import type { PetabObservable, PetabProblem } from "../../formats/petab/problem.ts";
import { type Formula, replace } from "../../formats/sbml/formula.ts";
import { FormulaText } from "../../formats/sbml/formula-text.ts";
import { Names } from "../../formats/sbml/names.ts";

/** How ids of a formula are written; `undefined` for one that is not there. */
export type NameOf = (id: string) => string | undefined;

export function textOf(formula: Formula, nameOf: NameOf, place: string): string {
	const known = (id: string): string => {
		const name = nameOf(id);
		if (name !== undefined) return name;
		throw new InputError(
			place,
			`unknown id "${id}" in a formula`,
			"Declare it in the model or in the parameter table.",
		);
	};
	return new FormulaText([], new Names(), known, "").number(formula);
}

/** The noise may name the observable itself: then its formula is meant. */
export function noiseOf({ id, formula, noise }: PetabObservable): Formula {
	return replace(noise, (part) => (part.kind === "name" && part.id === id ? formula : undefined));
}

/** The id that the model has for an id of the tables; a parameter of one reaction has the reaction's before its own. */
export function modelId({ aliases }: Pick<PetabProblem, "aliases">, id: string): string {
	return aliases.get(id)?.replace(".", "_") ?? id;
}
