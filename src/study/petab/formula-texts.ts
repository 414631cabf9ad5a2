/** Formulas of PEtab as text of the model language. */
import { InputError } from "../../errors.ts";
import type { PetabChange, PetabObservable, PetabProblem } from "../../formats/petab/problem.ts";
import { type Formula, namesIn, replace } from "../../formats/sbml/formula.ts";
import { FormulaText } from "../../formats/sbml/formula-text.ts";
import { Names } from "../../formats/sbml/names.ts";
import { ModelError } from "../../model/diagnostic.ts";
import { evaluate } from "../../model/evaluate.ts";
import { parseModel } from "../../model/language/parse-model.ts";

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

/** The error of a formula that a condition sets `id` to. */
export function noNumber(id: string, place: string, why = ""): InputError {
	return new InputError(
		place,
		`the formula that ${id} is set to comes to no number${why === "" ? "" : ` (${why})`}`,
		"Look for a division by zero, or a logarithm, root or power of a negative number.",
	);
}

/** What a formula comes to where its names stand for numbers; throws where that is no finite number. */
export function numberOf(
	id: string,
	{ value, place }: PetabChange,
	names: ReadonlyMap<string, number>,
	time: number,
): number {
	const used = [...namesIn(value)];
	const text = textOf(value, (name) => (names.has(name) ? `p${used.indexOf(name)}` : undefined), place);
	const lines = used.map((name, i) => `param p${i} = ${names.get(name)}\n`);
	const source = `${lines.join("")}state clock = 0\nclock' = 1\nmeasure value = ${text}\n`;
	try {
		const number = evaluate(parseModel(source, place).measures[0].value, () => time);
		if (Number.isFinite(number)) return number;
	} catch (error) {
		if (error instanceof ModelError) throw noNumber(id, place, error.diagnostics[0].message);
		throw error;
	}
	throw noNumber(id, place);
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
