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

/** What an observable and its noise are made of: the noise may name the observable itself, and in version 2 formulas any of them. */
export function observedBy(
	{ id, formula, noise }: PetabObservable,
	{ observables, version }: Pick<PetabProblem, "observables" | "version">,
): { formula: Formula; noise: Formula } {
	// What is on the way already is left as it is, and then unknown, unless the model has it.
	const whole = (part: Formula, path: readonly string[]): Formula =>
		replace(part, (each) => {
			if (each.kind !== "name" || path.includes(each.id)) return undefined;
			const other = version === 2 || each.id === id ? observables.get(each.id) : undefined;
			return other && whole(other.formula, [...path, other.id]);
		});
	return { formula: whole(formula, [id]), noise: whole(noise, []) };
}

/** The id that the model has for an id of the tables; a parameter of one reaction has the reaction's before its own. */
export function modelId({ aliases }: Pick<PetabProblem, "aliases">, id: string): string {
	return aliases.get(id)?.replace(".", "_") ?? id;
}
