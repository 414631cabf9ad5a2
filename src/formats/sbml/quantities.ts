/**
 * What the ids of an SBML model stand for: what determines each, and how it changes. Where the compartment of a species changes, its
 * amount is what is kept, and the concentration follows.
 */
import { solveAlgebraic } from "./algebraic.ts";
import type { Compartment, Participant, SbmlModel, Species } from "./document.ts";
import { apply, type Formula, named, numeral, over, plus, replace, times, zero } from "./formula.ts";
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
	/** Set by events whose values are those of an earlier instant. */
	readonly #delayed = new Set<string>();
	/** Changed by reactions: with the sum of what they make and take. */
	readonly #net = new Map<string, Formula[]>();

	constructor(
		readonly model: SbmlModel,
		readonly problems: Problems,
		readonly names: Names,
	) {
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
		this.#gather();
	}

	isState(id: string): boolean {
		return !this.assigned.has(id) && (this.rates.has(id) || this.#net.has(id) || this.#targets.has(id));
	}
	varies(id: string): boolean {
		return this.isState(id) || this.assigned.has(id);
	}
	/**
	 * Whether the amount of a species is what is kept, and its concentration follows. Where an event sets the size of the compartment,
	 * the amount stays; where an event sets the concentration some time after its values are known, the size is that of the later instant.
	 */
	holdsAmount(id: string): boolean {
		const species = this.all.get(id)?.species;
		if (!species || species.isAmount || this.assigned.has(id) || !this.varies(species.compartment))
			return false;
		if (this.#targets.has(species.compartment)) return true;
		if (this.rates.has(id)) return false;
		return !(this.#delayed.has(id) && this.isState(species.compartment));
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
		const isDiluted =
			species && !species.isAmount && !this.holdsAmount(id) && this.varies(species.compartment);
		if (!net) return isDiluted ? over(this.#diluted(id, zero), this.size(id)) : zero;
		const total = net.length === 1 ? net[0] : apply("plus", ...net);
		if (species!.isAmount || this.holdsAmount(id)) return total;
		return over(this.#diluted(id, total), this.size(id));
	}

	/** What changes the amount of a species, less what the growth of its compartment takes from its concentration. */
	#diluted(id: string, total: Formula): Formula {
		const { compartment, span } = this.all.get(id)!.species!;
		if (!this.isState(compartment)) return total;
		return plus([total, apply("minus", times(named(id), { kind: "rate", id: compartment, span }))]);
	}

	/** Rates of change as derivatives of states, or 0 where nothing changes. */
	withRates(formula: Formula): Formula {
		return replace(formula, (part) => {
			if (part.kind !== "rate" || part.id.endsWith(" amount")) return undefined;
			const { id, span } = part;
			if (this.assigned.has(id)) {
				this.problems.add(
					span,
					`the rate of "${id}", which an assignment rule determines`,
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
		for (const { symbol, math } of model.initial) this.initial.set(symbol, math);
		for (const { kind, variable, math, span } of model.rules) {
			if (kind === "algebraic") continue;
			if (!this.all.has(variable))
				problems.add(span, `a rule for "${variable}", which is not declared`, "Check the id.");
			if (this.assigned.has(variable) || this.rates.has(variable))
				problems.add(span, `a second rule for "${variable}"`, "Take one out.");
			(kind === "assignment" ? this.assigned : this.rates).set(variable, math);
		}
		for (const { assignments, delay, late } of model.events)
			for (const { variable } of assignments) {
				this.#targets.add(variable);
				if (delay && !late) this.#delayed.add(variable);
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
		const isBoundary = (id: string): boolean => this.all.get(id)!.species?.boundary === true;
		const functions = new Map(model.functions.map((each) => [each.id, each]));
		// What stands at the border of a system is left as it is where anything else can give way.
		const likeliest = [...free].sort((a, b) => Number(isBoundary(a)) - Number(isBoundary(b)));
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
