/** The model of a PEtab problem in one period of an experiment, with numbers for all that is constant, and what is observed of it. */
import type { PetabChange, PetabObservable, PetabProblem } from "../../formats/petab/problem.ts";
import type { Participant, SbmlModel } from "../../formats/sbml/document.ts";
import { type OdeText, odeText } from "../../formats/sbml/ode-model.ts";
import type { Problems } from "../../formats/sbml/problems.ts";
import { translated } from "../../formats/sbml/read-sbml.ts";
import { ModelError } from "../../model/diagnostic.ts";
import type { Node } from "../../model/graph.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import type { Model } from "../../model/model.ts";
import { modelId, noNumber, observedBy, textOf } from "./formula-texts.ts";

export interface PeriodModel {
	readonly model: Model;
	/** Value and spread of each observable; names of placeholders are theirs. */
	readonly observed: ReadonlyMap<string, { readonly value: Node; readonly noise: Node }>;
	/** Names that placeholders of an observable have in these. */
	readonly placeholders: ReadonlyMap<string, ReadonlyMap<string, string>>;
	/** What every id of the model stands for, by id. */
	readonly quantities: ReadonlyMap<string, Node>;
	/** Ids that are states, or made of one. */
	readonly kept: ReadonlySet<string>;
	/** What the next period changes. */
	readonly changes: ReadonlyMap<string, Node>;
}

export interface PeriodSpec {
	readonly problem: PetabProblem;
	readonly sbml: SbmlModel;
	readonly problems: Problems;
	/** Numbers by id: parameters, sizes, values at the start. */
	readonly values: ReadonlyMap<string, number>;
	readonly observables: readonly PetabObservable[];
	readonly next: ReadonlyMap<string, PetabChange>;
	/** When the period begins: what `time` is in values at the start. */
	readonly start: number;
}

export function periodModel({
	problem,
	sbml,
	problems,
	values,
	observables,
	next,
	start,
}: PeriodSpec): PeriodModel {
	const own = new Map([...values].map(([id, value]) => [modelId(problem, id), value]));
	const text = odeText(withValues(sbml, own), problems, new Map(), { time: start });
	const further = [...own].filter(([id]) => text.nameOf(id) === undefined);
	const names = new Map(further.map(([id]) => [id, text.fresh(id)]));
	const lines = further.map(([id, value]) => `param ${names.get(id)} = ${value}`);
	const nameOf = (id: string): string | undefined => {
		const meant = modelId(problem, id);
		return text.nameOf(meant) ?? names.get(meant);
	};
	const shown: string[] = [];
	const measured = (expression: string): string => {
		const name = text.fresh("shown");
		shown.push(`measure ${name} = ${expression}`);
		return name;
	};
	const placeholders = new Map<string, Map<string, string>>();
	const observed = observables.map((observable) => {
		const { id, observablePlaceholders, noisePlaceholders, place } = observable;
		const { formula, noise } = observedBy(observable, problem);
		const own = new Map(
			[...observablePlaceholders, ...noisePlaceholders].map((each) => [each, text.fresh(each)]),
		);
		placeholders.set(id, own);
		const written = (part: typeof formula): string =>
			measured(textOf(part, (each) => own.get(each) ?? nameOf(each), place));
		return { id, value: written(formula), noise: written(noise) };
	});
	for (const own of placeholders.values()) for (const name of own.values()) lines.push(`param ${name}`);
	const changes = [...next].map(([id, { value, place }]) => ({
		id,
		place,
		name: measured(textOf(value, nameOf, place)),
	}));
	const quantities = next.size > 0 ? quantitiesOf(text, measured) : [];
	const source = `${text.text}\n${lines.join("\n")}\n${shown.join("\n")}\n`;
	const { measures, ...model } = parsed(source, translated(problems.fileName), changes);
	const nodes = new Map(measures.map(({ name, value }) => [name, value]));
	return {
		model: { ...model, measures: [] },
		observed: new Map(
			observed.map(({ id, value, noise }) => [id, { value: nodes.get(value)!, noise: nodes.get(noise)! }]),
		),
		placeholders,
		quantities: new Map(quantities.map(({ id, name }) => [id, nodes.get(name)!])),
		kept: new Set(quantities.flatMap(({ id }) => (text.stateOf(id) === undefined ? [] : [id]))),
		changes: new Map(changes.map(({ id, name }) => [id, nodes.get(name)!])),
	};
}

/** The model; where a change alone is at fault, that is said in its place of the table. */
function parsed(
	source: string,
	fileName: string,
	changes: readonly { readonly id: string; readonly name: string; readonly place: string }[],
): Model {
	try {
		return parseModel(source, fileName);
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		const lines = changes.map(({ id, name, place }) => {
			const start = source.lastIndexOf(`measure ${name} = `);
			return { id, place, start, end: source.indexOf("\n", start) };
		});
		const homes = error.diagnostics.map(({ span }) =>
			lines.find(({ start, end }) => span.start >= start && span.start < end),
		);
		const [first] = homes;
		if (!first || homes.includes(undefined)) throw error;
		const [{ message }] = error.diagnostics;
		throw noNumber(first.id, first.place, message);
	}
}

function quantitiesOf(
	{ columns }: OdeText,
	measured: (text: string) => string,
): { id: string; name: string }[] {
	return columns.map(({ id, value }) => ({ id, name: measured(value) }));
}

/** With other numbers for parameters, sizes, and values at the start; they count before initial assignments. */
function withValues(sbml: SbmlModel, values: ReadonlyMap<string, number>): SbmlModel {
	const counted = (each: Participant): Participant =>
		each.id !== undefined && values.has(each.id) ? { ...each, stoichiometry: values.get(each.id)! } : each;
	return {
		...sbml,
		reactions: sbml.reactions.map((each) => ({
			...each,
			reactants: each.reactants.map(counted),
			products: each.products.map(counted),
		})),
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
