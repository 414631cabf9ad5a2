/** The model of a PEtab problem in one of its conditions, with numbers for all parameters, and what is observed of it. */
import { InputError } from "../../errors.ts";
import type { PetabObservable, PetabProblem } from "../../formats/petab/problem.ts";
import type { SbmlModel } from "../../formats/sbml/document.ts";
import { type OdeText, odeText } from "../../formats/sbml/ode-model.ts";
import type { Problems } from "../../formats/sbml/problems.ts";
import type { Node } from "../../model/graph.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import { reservedNames } from "../../model/language/vocabulary.ts";
import type { Model } from "../../model/model.ts";

export interface ConditionModel {
	readonly model: Model;
	readonly text: OdeText;
	/** Value and spread of each observable; names of placeholders are theirs. */
	readonly observed: ReadonlyMap<string, { readonly value: Node; readonly noise: Node }>;
	/** Names that placeholders have in these. */
	readonly placeholders: ReadonlyMap<string, string>;
	/** Ids that the condition sets at the start. */
	readonly set: ReadonlySet<string>;
}

export function conditionModel(
	{ parameters, observables, conditions }: PetabProblem,
	sbml: SbmlModel,
	problems: Problems,
	condition: string,
): ConditionModel {
	const nominal = (value: number | string): number =>
		typeof value === "number" ? value : parameters.get(value)!.nominal;
	const own = new Map([...conditions.get(condition)!.set].map(([id, value]) => [id, nominal(value)]));
	const values = new Map([
		...[...parameters.values()].map(({ id, nominal: value }) => [id, value] as const),
		...own,
	]);
	const text = odeText(withValues(sbml, values), problems);
	const further = [...values].filter(([id]) => text.nameOf(id) === undefined);
	const names = new Map(further.map(([id]) => [id, text.fresh(id)]));
	const placeholders = new Map<string, string>();
	const lines = further.map(([id, value]) => `param ${names.get(id)} = ${value}`);
	const nameOf = (id: string, place: string): string => {
		const known = text.nameOf(id) ?? names.get(id) ?? placeholders.get(id);
		if (known !== undefined) return known;
		if (id === "time") return "t";
		if (!/^(observable|noise)Parameter\d+_/.test(id))
			throw new InputError(
				place,
				`unknown id "${id}" in a formula`,
				"Declare it in the model or in the parameter table.",
			);
		placeholders.set(id, text.fresh(id));
		return placeholders.get(id)!;
	};
	const shown = [...observables.values()].map((observable) => ({
		id: observable.id,
		value: text.fresh("value"),
		noise: text.fresh("noise"),
		texts: textsOf(observable, nameOf),
	}));
	for (const { value, noise, texts } of shown)
		lines.push(`measure ${value} = ${texts.formula}`, `measure ${noise} = ${texts.noise}`);
	for (const name of placeholders.values()) lines.push(`param ${name}`);
	const { measures, ...model } = parseModel(`${text.text}\n${lines.join("\n")}\n`, problems.fileName);
	const nodes = new Map(measures.map(({ name, value }) => [name, value]));
	return {
		model: { ...model, measures: [] },
		text,
		observed: new Map(
			shown.map(({ id, value, noise }) => [id, { value: nodes.get(value)!, noise: nodes.get(noise)! }]),
		),
		placeholders,
		set: new Set(own.keys()),
	};
}

/** With other numbers for parameters, sizes, and values at the start; they count before initial assignments. */
function withValues(sbml: SbmlModel, values: ReadonlyMap<string, number>): SbmlModel {
	return {
		...sbml,
		parameters: sbml.parameters.map((each) =>
			values.has(each.id) ? { ...each, value: values.get(each.id)! } : each,
		),
		compartments: sbml.compartments.map((each) =>
			values.has(each.id) ? { ...each, size: values.get(each.id)! } : each,
		),
		species: sbml.species.map((each) => {
			const value = values.get(each.id);
			if (value === undefined) return each;
			const { initialAmount: _, initialConcentration: __, ...rest } = each;
			return each.isAmount ? { ...rest, initialAmount: value } : { ...rest, initialConcentration: value };
		}),
		initial: sbml.initial.filter(({ symbol }) => !values.has(symbol)),
	};
}

/** The formulas of an observable in the language. */
export function textsOf(
	{ formula, noise, place }: PetabObservable,
	nameOf: (id: string, place: string) => string,
): { formula: string; noise: string } {
	const written = (text: string): string =>
		text
			.replaceAll("**", "^")
			.replace(
				/(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)(\s*\()?/g,
				(whole, number, id, call) => {
					if (number !== undefined) return whole;
					if (call === undefined) return nameOf(id, place);
					const name = id === "ln" ? "log" : id;
					if (!reservedNames.has(name))
						throw new InputError(
							place,
							`unknown function "${id}" in a formula`,
							"Write it with the functions of PEtab.",
						);
					return `${name}(`;
				},
			);
	return { formula: written(formula), noise: written(noise) };
}
