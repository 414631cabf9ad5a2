/**
 * What the ids of an SBML model stand for: what determines each, and how it changes. Where the compartment of a species changes, its
 * amount is what is kept, and the concentration follows.
 */
import { solveAlgebraic } from "./algebraic.ts";
import type { Compartment, Participant, SbmlModel, Species } from "./document.ts";
import {
	applied,
	apply,
	type Formula,
	named,
	namesIn,
	numeral,
	over,
	plus,
	replace,
	times,
	zero,
} from "./formula.ts";
import type { Names } from "./names.ts";
import type { Problems } from "./problems.ts";

export interface Quantity {
	readonly id: string;
	readonly span: { readonly start: number; readonly end: number };
	readonly value?: number;
	readonly constant: boolean;
	readonly species?: Species;
	readonly compartment?: Compartment;
}

/** The state of a species whose compartment changes; no id has a space in it. */
export const amountOf = (id: string): string => `${id} amount`;

export class Quantities {
	readonly all = new Map<string, Quantity>();
	readonly assigned = new Map<string, Formula>();
	readonly rates = new Map<string, Formula>();
	readonly reactionOf = new Map<string, Formula>();
	readonly initial = new Map<string, Formula>();
	/** Set by events. */
	readonly #targets = new Set<string>();
	#used?: Set<string>;
	/** Changed by reactions: with the sum of what they make and take. */
	readonly #net = new Map<string, Formula[]>();

	constructor(
		readonly model: SbmlModel,
		readonly problems: Problems,
		readonly names: Names,
		/** What is set on the way from elsewhere: a state, too. */
		kept: Iterable<string> = [],
	) {
		for (const id of kept) this.#targets.add(id);
		const { compartments, species, parameters, reactions } = model;
		for (const each of compartments) this.#declare({ ...each, value: each.size ?? 1, compartment: each });
		for (const each of species)
			this.#declare({ id: each.id, span: each.span, constant: each.constant, species: each });
		for (const each of parameters) this.#declare(each);
		for (const { reactants, products } of reactions)
			for (const { id, stoichiometry, math, span } of [...reactants, ...products])
				if (id !== undefined) {
					this.#declare({ id, span, value: stoichiometry ?? 1, constant: false });
					if (math) this.assigned.set(id, math);
				}
		const ids = new Set(this.all.keys());
		for (const { id, span } of [...reactions, ...model.functions]) {
			if (ids.has(id)) problems.add(span, `"${id}" is declared twice`, "Give one of them another id.");
			ids.add(id);
		}
		this.#gather();
	}

	isState(id: string): boolean {
		return !this.assigned.has(id) && (this.rates.has(id) || this.#net.has(id) || this.#targets.has(id));
	}
	varies(id: string): boolean {
		return this.isState(id) || this.assigned.has(id);
	}
	/** Whether the amount of a species is what is kept, and its concentration follows: where the size of its compartment changes. */
	holdsAmount(id: string): boolean {
		const species = this.all.get(id)?.species;
		if (!species || species.isAmount || this.assigned.has(id) || !this.varies(species.compartment))
			return false;
		return !this.rates.has(id) || this.#targets.has(species.compartment);
	}
	/** The value of a constant that is infinite or no number; `undefined` of everything else, and of what has still to be given. */
	beyond(id: string): number | undefined {
		const quantity = this.all.get(id);
		if (!quantity || this.isState(id)) return undefined;
		const math = this.assigned.get(id) ?? this.initial.get(id);
		const value = math ? this.#plain(math) : quantity.value;
		if (value === undefined || Number.isFinite(value)) return undefined;
		return !math && Number.isNaN(value) && this.#isUsed(id) ? undefined : value;
	}
	#isUsed(id: string): boolean {
		const { rules, initial, reactions, events } = this.model;
		const parts = reactions.flatMap(({ reactants, products }) => [...reactants, ...products]);
		this.#used ??= new Set(
			[
				...[...rules, ...initial, ...parts].map(({ math }) => math),
				...reactions.map(({ rate }) => rate),
				...events.flatMap(({ trigger, delay, priority, assignments }) => [
					trigger,
					delay,
					priority,
					...assignments.map(({ math }) => math),
				]),
			].flatMap((formula) => (formula ? [...namesIn(formula)] : [])),
		);
		return this.#used.has(id);
	}
	#plain(formula: Formula): number | undefined {
		if (formula.kind === "number") return formula.value;
		if (formula.kind === "name") return this.all.get(formula.id)?.value;
		const isSign = formula.kind === "apply" && formula.op === "minus" && formula.args.length === 1;
		const inside = isSign ? this.#plain(formula.args[0]) : undefined;
		return inside === undefined ? undefined : -inside;
	}
	size(id: string): Formula {
		return named(this.all.get(id)!.species!.compartment);
	}

	/** The derivative of what is kept of a state. */
	slope(id: string): Formula {
		const rule = this.rates.get(id);
		const species = this.all.get(id)?.species;
		if (rule) {
			if (!this.holdsAmount(id)) return rule;
			const size = this.size(id);
			return plus([
				times(rule, size),
				times(named(id), { kind: "rate", id: species!.compartment, span: species!.span }),
			]);
		}
		const net = this.#net.get(id);
		if (!net) return zero;
		const total = net.length === 1 ? net[0] : applied("plus", net);
		return species!.isAmount || this.holdsAmount(id) ? total : over(total, this.size(id));
	}

	/** Rates of change as derivatives of states, or 0 where nothing changes. */
	withRates(formula: Formula): Formula {
		return replace(formula, (part) => {
			if (part.kind !== "rate" || part.id.endsWith(" amount")) return undefined;
			const { id, span } = part;
			const cause = this.assigned.has(id) ? "an assignment rule" : this.reactionOf.has(id) && "a kinetic law";
			if (cause) {
				this.problems.add(
					span,
					`the rate of "${id}", which ${cause} determines`,
					"Take the rate of what it is made of.",
				);
				return zero;
			}
			if (!this.holdsAmount(id)) return this.isState(id) ? part : zero;
			const size = this.size(id);
			const own: Formula = this.isState(id) ? { kind: "rate", id: amountOf(id), span } : zero;
			const { compartment } = this.all.get(id)!.species!;
			const growth = this.withRates({ kind: "rate", id: compartment, span });
			return over(plus([own, apply("minus", times(named(id), growth))]), size);
		});
	}

	#declare(quantity: Quantity): void {
		if (this.all.has(quantity.id))
			this.problems.add(quantity.span, `"${quantity.id}" is declared twice`, "Give one of them another id.");
		this.all.set(quantity.id, quantity);
		this.names.of(quantity.id);
	}

	#gather(): void {
		const { model, problems } = this;
		for (const { symbol, math, span } of model.initial) {
			if (!this.all.has(symbol))
				problems.add(span, `an initial assignment for "${symbol}", which is not declared`, "Check the id.");
			if (this.initial.has(symbol))
				problems.add(span, `a second initial assignment for "${symbol}"`, "Take one out.");
			this.initial.set(symbol, math);
		}
		for (const { kind, variable, math, span } of model.rules) {
			if (kind === "algebraic") continue;
			if (!this.all.has(variable))
				problems.add(span, `a rule for "${variable}", which is not declared`, "Check the id.");
			if (this.assigned.has(variable) || this.rates.has(variable))
				problems.add(span, `a second rule for "${variable}"`, "Take one out.");
			(kind === "assignment" ? this.assigned : this.rates).set(variable, math);
		}
		for (const { assignments } of model.events) {
			const own = new Set<string>();
			for (const { variable, span } of assignments) {
				if (!this.all.has(variable))
					problems.add(span, `an event sets "${variable}", which is not declared`, "Check the id.");
				if (own.has(variable)) problems.add(span, `the event sets "${variable}" twice`, "Take one out.");
				own.add(variable);
				this.#targets.add(variable);
			}
		}
		for (const { id, rate, reactants, products, fast, span } of model.reactions) {
			if (fast)
				problems.add(
					span,
					`reaction "${id}" is fast: infinitely fast reactions are not supported`,
					"Give it a large rate instead.",
				);
			if (!rate) continue;
			this.reactionOf.set(id, rate);
			for (const each of products) this.#take(each, id, 1);
			for (const each of reactants) this.#take(each, id, -1);
		}
		const free = new Set(
			[...this.all.values()]
				.filter(
					({ id, constant }) =>
						!constant && !this.assigned.has(id) && !this.rates.has(id) && !this.#net.has(id),
				)
				.map(({ id }) => id),
		);
		const algebraic = model.rules.filter(({ kind }) => kind === "algebraic");
		const definitions = new Map([...this.assigned, ...this.reactionOf]);
		const isGiven = ({ id, value, species }: Quantity): boolean =>
			this.initial.has(id) ||
			Number.isFinite(value ?? species?.initialAmount ?? species?.initialConcentration);
		const firmness = (id: string): number => {
			const quantity = this.all.get(id)!;
			const signs = [this.#targets.has(id), quantity.species?.boundary, isGiven(quantity)];
			return signs.reduce((sum, sign) => 2 * sum + Number(sign === true), 0);
		};
		const functions = new Map(model.functions.map((each) => [each.id, each]));
		// What events set, what stands at the border of a system, and what has a value is left as it is where anything else can give way.
		const likeliest = [...free].sort((a, b) => firmness(a) - firmness(b));
		const solved = solveAlgebraic(algebraic, likeliest, { definitions, functions }, problems);
		for (const [id, math] of solved) this.assigned.set(id, math);
	}

	#take(
		{ species: id, id: own, stoichiometry, math, factor: scale, span }: Participant,
		reaction: string,
		sign: number,
	): void {
		const species = this.all.get(id)?.species;
		if (!species) {
			this.problems.add(span, `reaction "${reaction}" uses "${id}", which is no species`, "Check the id.");
			return;
		}
		if (species.boundary || species.constant || this.assigned.has(id) || this.rates.has(id)) return;
		const count = own === undefined ? (math ?? numeral(stoichiometry ?? 1)) : named(own);
		const amount = scale ? times(scale, count) : count;
		const factor = species.conversionFactor ?? this.model.conversionFactor;
		const parts = [...(factor === undefined ? [] : [named(factor)]), amount, named(reaction)];
		const flow = times(...parts);
		const list = this.#net.get(id) ?? [];
		list.push(sign > 0 ? flow : apply("minus", flow));
		this.#net.set(id, list);
	}
}
