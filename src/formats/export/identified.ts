/** A model with its numbers: what is exported. */
import { InputError } from "../../errors.ts";
import type { Node } from "../../model/graph.ts";
import type { Model } from "../../model/model.ts";
import { Names } from "./names.ts";

/** An input as it was recorded: between samples it is held, or goes straight. */
export interface RecordedInput {
	readonly name: string;
	readonly times: readonly number[];
	readonly values: readonly number[];
	readonly isHeld: boolean;
}

export interface Identified {
	readonly title: string;
	/** Without combinations and inputs that are formulas. */
	readonly model: Model;
	/** Unknown parameters and conditions, in their order, with their numbers. */
	readonly params: ReadonlyMap<string, number>;
	/** Initial values, by component; those that formulas of parameters give are written as these, unless the model begins at rest. */
	readonly initial: Float64Array;
	readonly isAtRest: boolean;
	readonly inputs: readonly RecordedInput[];
	/** Before and after each instant at which a condition of the time changes: a solver stops there, and steps over none. */
	readonly knots: readonly number[];
	/** Where a simulation begins and ends when nothing else is asked for. */
	readonly span: { readonly from: number; readonly to: number };
}

/** The expressions of a model under names that a language takes. */
export interface Layout {
	readonly names: Names;
	readonly states: readonly string[];
	readonly params: readonly { readonly name: string; readonly value: number }[];
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	readonly rhs: readonly Node[];
	readonly values: readonly Node[];
	/** Of each state, in terms of parameters. */
	readonly start: readonly Node[];
}

export function layoutOf({ model, params, initial, isAtRest, inputs }: Identified): Layout {
	const names = new Names();
	const { graph, components, measures } = model;
	const states = components.map((each) => names.of(each));
	const own = [...params].map(([name, value]) => ({ name: names.of(name), value }));
	const inputNames = inputs.map(({ name }) => names.of(name));
	const outputs = measures.map(({ name }) => names.of(`output ${name}`, name));
	return {
		names,
		states,
		params: own,
		inputs: inputNames,
		outputs,
		rhs: model.rhs,
		values: measures.map(({ value }) => value),
		start: model.initial.map((knowledge, i) =>
			knowledge.kind === "exact" && !isAtRest ? knowledge.value : graph.const(initial[i]),
		),
	};
}

/** Programs have no events. */
export function refuseEvents({ model }: Identified, language: string): void {
	if (model.events.length > 0)
		throw new InputError(
			model.fileName,
			`has events, which are not written in ${language}`,
			"SBML has them:  --to sbml",
		);
}
