/**
 * An SBML model as text of the model language. What a species is called is what its id stands for in SBML: its concentration, or its
 * amount where it has only substance units. Where its compartment changes, its amount is the state, and the concentration follows.
 */
import type { Span } from "../../model/model.ts";
import { checkNames } from "./check-names.ts";
import type { SbmlModel } from "./document.ts";
import { EventText } from "./event-text.ts";
import { named, over, times, zero } from "./formula.ts";
import { FormulaText, factorialDefinition } from "./formula-text.ts";
import { Names } from "./names.ts";
import type { Problems } from "./problems.ts";
import { amountOf, Quantities } from "./quantities.ts";
import { givenOf, StartValues } from "./start-values.ts";

/** What is to be shown of a model, by its id: each an expression of the language. */
export interface TextColumn {
	readonly id: string;
	readonly value: string;
	/** Of a species. */
	readonly amount?: string;
	readonly concentration?: string;
	/** Of a constant that is infinite or no number, in place of its value. */
	readonly fixed?: number;
}

export interface OdeText {
	readonly text: string;
	readonly columns: readonly TextColumn[];
	/** Where each of its events stands in the file; none where it has parts from other files. */
	readonly eventSpans: readonly Span[];
	/** A name that nothing in the text has. */
	fresh(wanted: string): string;
	/** How an id is called in the text; `undefined` for one that the model does not have. */
	nameOf(id: string): string | undefined;
	/** The state that keeps the value of an id, or its amount; `undefined` where it is no state. */
	stateOf(id: string): string | undefined;
}

/** How constants, and values of states at the start, are declared in place of what the model says of them: statements for a name. */
export type Declared = ReadonlyMap<string, (name: string) => readonly string[]>;

/** `kept`: what is set on the way from elsewhere, and a state therefore. `time`: when it begins. */
export function odeText(
	model: SbmlModel,
	problems: Problems,
	declared: Declared = new Map(),
	{ kept = [], time = 0 }: { kept?: Iterable<string>; time?: number } = {},
): OdeText {
	return new Writer(model, problems, declared, kept, time).write();
}

class Writer {
	readonly names = new Names();
	readonly quantities: Quantities;
	readonly text: FormulaText;
	readonly starts: StartValues;

	constructor(
		readonly model: SbmlModel,
		readonly problems: Problems,
		readonly declared: Declared,
		kept: Iterable<string>,
		time: number,
	) {
		const { names } = this;
		const { reactions, functions } = model;
		this.quantities = new Quantities(model, problems, names, kept);
		for (const { id } of [...reactions, ...functions]) names.of(id);
		this.text = new FormulaText(
			functions,
			names,
			(id) => names.of(id, id.replace(/ (0|amount|start)$/, "_$1")),
			names.fresh("factorial"),
		);
		this.starts = new StartValues(this.quantities, this.text, declared, time);
	}

	write(): OdeText {
		const { quantities } = this;
		checkNames(quantities);
		this.problems.throwIfAny();
		const { text, model, names, starts } = this;
		const name = (id: string): string => text.nameOf(id);
		const params: string[] = [];
		const states: string[] = [];
		const lets: string[] = [];
		const equations: string[] = [];
		for (const quantity of quantities.all.values()) {
			const { id, value } = quantity;
			if (quantities.beyond(id) !== undefined) continue;
			const rule = quantities.assigned.get(id);
			const own = this.declared.get(id);
			const isKept = quantities.isState(id) || quantities.holdsAmount(id);
			if (own && !rule) params.push(...own(name(isKept ? givenOf(id) : id)));
			if (own && !rule && !isKept) continue;
			if (rule) lets.push(`let   ${name(id)} = ${text.number(quantities.withRates(rule))}`);
			else if (quantities.isState(id)) {
				const held = quantities.holdsAmount(id) ? amountOf(id) : id;
				const start = starts.stateStart(quantity);
				states.push(`state ${name(held)}${start ? ` = ${text.number(start)}` : ""}`);
				equations.push(`${name(held)}' = ${text.number(quantities.withRates(quantities.slope(id)))}`);
				if (held !== id)
					lets.push(`let   ${name(id)} = ${text.number(over(named(held), quantities.size(id)))}`);
			} else if (quantities.holdsAmount(id)) {
				lets.push(`let   ${name(amountOf(id))} = ${text.number(starts.stateStart(quantity) ?? zero)}`);
				lets.push(`let   ${name(id)} = ${text.number(over(named(amountOf(id)), quantities.size(id)))}`);
			} else {
				const start = starts.givenStart(quantity);
				if (!start) params.push(`param ${name(id)}`);
				else if (start.kind === "number") params.push(`param ${name(id)} = ${start.text}`);
				else lets.push(`let   ${name(id)} = ${text.number(start)}`);
				if (start && !Number.isFinite(value)) starts.takeConstant(id);
			}
		}
		for (const { id, rate } of model.reactions)
			if (rate) lets.push(`let   ${name(id)} = ${text.number(quantities.withRates(rate))}`);
		const happening = new EventText(quantities, text);
		const events = model.events.flatMap((event) => happening.lines(event));
		for (const kept of happening.states) {
			states.push(`state ${kept} = 0`);
			equations.push(`${kept}' = 0`);
		}
		if (states.length === 0) {
			const clock = names.fresh("clock");
			states.push(`state ${clock} = 0`);
			equations.push(`${clock}' = 1`);
		}
		const functions = model.functions.flatMap((each) => text.definition(each) ?? []);
		const columns = this.#columns();
		if (text.usesFactorial) functions.push(factorialDefinition(text.factorialName));
		this.problems.throwIfAny();
		const blocks = [
			params,
			functions.map((each) => `function ${each}`),
			states,
			[...starts.lets, ...lets],
			equations,
			events,
		];
		return {
			text: blocks
				.filter((block) => block.length > 0)
				.map((block) => `${block.join("\n")}\n`)
				.join("\n"),
			columns,
			eventSpans: this.problems.isOfOneFile ? happening.spans : [],
			fresh: (wanted) => names.fresh(wanted),
			nameOf: (id) => (quantities.all.has(id) || quantities.reactionOf.has(id) ? name(id) : undefined),
			stateOf: (id) => {
				if (!quantities.all.has(id) || !quantities.isState(id)) return undefined;
				return name(quantities.holdsAmount(id) ? amountOf(id) : id);
			},
		};
	}

	#columns(): TextColumn[] {
		const { text, quantities } = this;
		const own = [...quantities.all.values()].flatMap(({ id, species, value }): TextColumn[] => {
			const symbol = text.nameOf(id);
			const fixed = quantities.beyond(id);
			if (fixed !== undefined) return [{ id, value: "0", fixed }];
			if (!species) {
				const isKnown = Number.isFinite(value) || quantities.varies(id) || quantities.initial.has(id);
				return isKnown ? [{ id, value: symbol }] : [];
			}
			const size = quantities.size(id);
			const amount = species.isAmount
				? named(id)
				: quantities.holdsAmount(id)
					? named(amountOf(id))
					: times(named(id), size);
			const concentration = species.isAmount ? over(named(id), size) : named(id);
			return [{ id, value: symbol, amount: text.number(amount), concentration: text.number(concentration) }];
		});
		return [...own, ...[...quantities.reactionOf.keys()].map((id) => ({ id, value: text.nameOf(id) }))];
	}
}
