/**
 * Events as text of the model language. Where a species is kept as its amount, a concentration that is set is that amount over the
 * size that the compartment has when the event happens.
 */
import type { Span } from "../../model/model.ts";
import type { SbmlEvent } from "./document.ts";
import { type Formula, named, times } from "./formula.ts";
import type { FormulaText } from "./formula-text.ts";
import { amountOf, type Quantities } from "./quantities.ts";

interface Set {
	readonly variable: string;
	readonly math: Formula;
}

export class EventText {
	/** States of its own, all of which stay as they are until they are set: what waits for the size of a later instant. */
	readonly states: string[] = [];
	/** Where each event of the text stands in the file. */
	readonly spans: Span[] = [];

	constructor(
		readonly quantities: Quantities,
		readonly text: FormulaText,
	) {}

	lines(event: SbmlEvent): string[] {
		const { id, trigger, delay, priority, initially, persistent, late, assignments } = event;
		const { quantities } = this;
		for (const { variable, span } of assignments)
			if (!quantities.isState(variable))
				quantities.problems.add(
					span,
					`an event sets "${variable}", which a rule determines`,
					"Take one of them out.",
				);
		if (assignments.length === 0) return [];
		const options = [
			...(delay ? [`, delay: ${this.#number(delay)}`] : []),
			...(priority ? [`, priority: ${this.#number(priority)}`] : []),
			...(persistent ? [] : [", persistent: false"]),
			...(initially ? [] : [", initially: false"]),
			...(late ? [", late: true"] : []),
		];
		const head = `when ${this.text.condition(quantities.withRates(trigger))}${options.join("")}`;
		const waits = delay && !late && assignments.some(({ variable }) => quantities.holdsAmount(variable));
		const written = waits ? this.#inTwoSteps(head, assignments) : [`${head} { ${this.#set(assignments)} }`];
		this.spans.push(...written.map(() => event.span));
		return [...(id === undefined ? [] : [`# ${id.replace(/[^\w]/g, "_")}`]), ...written];
	}

	#number(formula: Formula): string {
		return this.text.number(this.quantities.withRates(formula));
	}

	#set(assignments: readonly Set[]): string {
		const { quantities } = this;
		const each = assignments.map(({ variable, math }) => {
			const isAmount = quantities.holdsAmount(variable);
			const value = isAmount ? times(math, quantities.size(variable)) : math;
			return `${this.text.nameOf(isAmount ? amountOf(variable) : variable)} = ${this.#number(value)}`;
		});
		return each.join(", ");
	}

	/** The values are those of the trigger, the sizes those of the later instant: the event keeps the values, and another sets them at once. */
	#inTwoSteps(head: string, assignments: readonly Set[]): string[] {
		const place = this.states.length;
		const state = (what: string): string => {
			const id = `${what} next ${place}`;
			this.states.push(this.text.nameOf(id));
			return id;
		};
		const isDue = this.text.nameOf(state("is"));
		const held = assignments.map(({ variable }) => ({ variable, math: named(state(variable)) }));
		const keep = held.map(({ math }, i) => `${this.#number(math)} = ${this.#number(assignments[i].math)}`);
		return [
			`${head} { ${keep.join(", ")}, ${isDue} = 1 }`,
			`when ${isDue} > 0.5, priority: 1e300 { ${this.#set(held)}, ${isDue} = 0 }`,
		];
	}
}
