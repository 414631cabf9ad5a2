/**
 * An SBML model as text of the model language. What a species is called is what its id stands for in SBML: its concentration, or its
 * amount where it has only substance units. Where its compartment changes, its amount is the state, and the concentration follows.
 */
import { solveAlgebraic } from "./algebraic.ts";
import type { Compartment, Participant, SbmlModel, Species } from "./document.ts";
import { apply, type Formula, named, numeral, over, plus, replace, times, zero } from "./formula.ts";
import { FormulaText, factorialDefinition } from "./formula-text.ts";
import { Names } from "./names.ts";
import type { Problems } from "./problems.ts";

/** What is to be shown of a model, by its id: each an expression of the language. */
export interface TextColumn {
	readonly id: string;
	readonly value: string;
	/** Of a species. */
	readonly amount?: string;
	readonly concentration?: string;
}

export interface OdeText {
	readonly text: string;
	readonly columns: readonly TextColumn[];
	/** A name that nothing in the text has. */
	fresh(wanted: string): string;
	/** How an id is called in the text; `undefined` for one that the model does not have. */
	nameOf(id: string): string | undefined;
	/** The state that keeps the value of an id, or its amount; `undefined` where it is no state. */
	stateOf(id: string): string | undefined;
}

interface Quantity {
	readonly id: string;
	readonly span: { readonly start: number; readonly end: number };
	readonly value?: number;
	readonly constant: boolean;
	readonly species?: Species;
	readonly compartment?: Compartment;
}

/** How constants, and values of states at the start, are declared in place of what the model says of them: statements for a name. */
export type Declared = ReadonlyMap<string, (name: string) => readonly string[]>;

export function odeText(model: SbmlModel, problems: Problems, declared: Declared = new Map()): OdeText {
	return new Writer(model, problems, declared).write();
}

/** The state of a species whose compartment changes; no id has a space in it. */
const amountOf = (id: string): string => `${id} amount`;
const startOf = (id: string): string => `${id} 0`;
/** The value at the start where it is declared elsewhere. */
const givenOf = (id: string): string => `${id} start`;

class Writer {
	readonly names = new Names();
	readonly quantities = new Map<string, Quantity>();
	readonly assigned = new Map<string, Formula>();
	readonly rates = new Map<string, Formula>();
	readonly reactionOf = new Map<string, Formula>();
	readonly initial = new Map<string, Formula>();
	/** Set by events. */
	readonly targets = new Set<string>();
	/** Set by events whose values are those of an earlier instant. */
	readonly delayed = new Set<string>();
	/** Changed by reactions: with the sum of what they make and take. */
	readonly net = new Map<string, Formula[]>();
	readonly starts = new Map<string, Formula>();
	readonly startLets: string[] = [];
	readonly busy = new Set<string>();
	readonly text: FormulaText;

	constructor(
		readonly model: SbmlModel,
		readonly problems: Problems,
		readonly declared: Declared,
	) {
		const { compartments, species, parameters, reactions, functions } = model;
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
		for (const { id } of [...reactions, ...functions]) this.names.of(id);
		this.text = new FormulaText(
			functions,
			this.names,
			(id) => this.names.of(id, id.replace(/ (0|amount|start)$/, "_$1")),
			this.names.fresh("factorial"),
		);
		this.#gather();
	}

	write(): OdeText {
		this.#check();
		this.problems.throwIfAny();
		const { text, model, names } = this;
		const name = (id: string): string => text.nameOf(id);
		const params: string[] = [];
		const states: string[] = [];
		const lets: string[] = [];
		const equations: string[] = [];
		for (const quantity of this.quantities.values()) {
			const { id, value } = quantity;
			const rule = this.assigned.get(id);
			const own = this.declared.get(id);
			const isKept = this.#isState(id) || this.#holdsAmount(id);
			if (own && !rule) params.push(...own(name(isKept ? givenOf(id) : id)));
			if (own && !rule && !isKept) continue;
			if (rule) lets.push(`let   ${name(id)} = ${text.number(this.#withRates(rule))}`);
			else if (this.#isState(id)) {
				const held = this.#holdsAmount(id) ? amountOf(id) : id;
				const start = this.#stateStart(quantity);
				states.push(`state ${name(held)}${start ? ` = ${text.number(start)}` : ""}`);
				equations.push(`${name(held)}' = ${text.number(this.#withRates(this.#slope(id)))}`);
				if (held !== id) lets.push(`let   ${name(id)} = ${text.number(over(named(held), this.#size(id)))}`);
			} else if (this.#holdsAmount(id)) {
				lets.push(`let   ${name(amountOf(id))} = ${text.number(this.#stateStart(quantity) ?? zero)}`);
				lets.push(`let   ${name(id)} = ${text.number(over(named(amountOf(id)), this.#size(id)))}`);
			} else {
				const start = this.#givenStart(quantity);
				if (!start) params.push(`param ${name(id)}`);
				else if (start.kind === "number") params.push(`param ${name(id)} = ${start.text}`);
				else lets.push(`let   ${name(id)} = ${text.number(start)}`);
				if (start && value === undefined) this.starts.set(id, named(id));
			}
		}
		for (const { id, rate } of model.reactions)
			if (rate) lets.push(`let   ${name(id)} = ${text.number(this.#withRates(rate))}`);
		const events = model.events.flatMap((event) => this.#event(event));
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
			[...this.startLets, ...lets],
			equations,
			events,
		];
		return {
			text: blocks
				.filter((block) => block.length > 0)
				.map((block) => `${block.join("\n")}\n`)
				.join("\n"),
			columns,
			fresh: (wanted) => names.fresh(wanted),
			nameOf: (id) => (this.quantities.has(id) || this.reactionOf.has(id) ? name(id) : undefined),
			stateOf: (id) => {
				if (!this.quantities.has(id) || !this.#isState(id)) return undefined;
				return name(this.#holdsAmount(id) ? amountOf(id) : id);
			},
		};
	}

	#declare(quantity: Quantity): void {
		if (this.quantities.has(quantity.id))
			this.problems.add(quantity.span, `"${quantity.id}" is declared twice`, "Give one of them another id.");
		this.quantities.set(quantity.id, quantity);
		this.names.of(quantity.id);
	}

	#gather(): void {
		const { model, problems } = this;
		for (const { symbol, math } of model.initial) this.initial.set(symbol, math);
		for (const { kind, variable, math, span } of model.rules) {
			if (kind === "algebraic") continue;
			if (!this.quantities.has(variable))
				problems.add(span, `a rule for "${variable}", which is not declared`, "Check the id.");
			if (this.assigned.has(variable) || this.rates.has(variable))
				problems.add(span, `a second rule for "${variable}"`, "Take one out.");
			(kind === "assignment" ? this.assigned : this.rates).set(variable, math);
		}
		for (const { assignments, delay, late } of model.events)
			for (const { variable } of assignments) {
				this.targets.add(variable);
				if (delay && !late) this.delayed.add(variable);
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
			[...this.quantities.values()]
				.filter(
					({ id, constant }) =>
						!constant && !this.assigned.has(id) && !this.rates.has(id) && !this.net.has(id),
				)
				.map(({ id }) => id),
		);
		const algebraic = model.rules.filter(({ kind }) => kind === "algebraic");
		const definitions = new Map([...this.assigned, ...this.reactionOf]);
		const isBoundary = (id: string): boolean => this.quantities.get(id)!.species?.boundary === true;
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
		const species = this.quantities.get(id)?.species;
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
		const list = this.net.get(id) ?? [];
		list.push(sign > 0 ? flow : apply("minus", flow));
		this.net.set(id, list);
	}

	/** Names that nothing declares, in every formula. */
	#check(): void {
		const { model, problems } = this;
		const functions = new Map(model.functions.map((each) => [each.id, each]));
		const look = (formula: Formula | undefined, bound: ReadonlySet<string> = new Set()): void => {
			if (!formula) return;
			replace(formula, (part) => {
				const known = (id: string): boolean =>
					bound.has(id) || this.quantities.has(id) || this.reactionOf.has(id);
				if ((part.kind === "name" || part.kind === "rate") && !known(part.id)) {
					const reaction = model.reactions.some(({ id }) => id === part.id);
					const what = reaction ? `reaction "${part.id}" has no rate` : `unknown id "${part.id}"`;
					problems.add(
						part.span,
						what,
						reaction ? "Give it a kinetic law." : "Declare it as a parameter, species or compartment.",
					);
				} else if (part.kind === "call") {
					const definition = functions.get(part.id);
					if (!definition?.body)
						problems.add(part.span, `unknown function "${part.id}"`, "Declare it as a functionDefinition.");
					else if (definition.params.length !== part.args.length)
						problems.add(
							part.span,
							`"${part.id}" takes ${definition.params.length} arguments, not ${part.args.length}`,
							"",
						);
				}
				return undefined;
			});
		};
		for (const { params, body } of model.functions) look(body, new Set(params));
		for (const formula of [
			...this.assigned.values(),
			...this.rates.values(),
			...this.initial.values(),
			...this.reactionOf.values(),
		])
			look(formula);
		for (const { trigger, delay, priority, assignments } of model.events)
			for (const formula of [trigger, delay, priority, ...assignments.map(({ math }) => math)]) look(formula);
		for (const { species } of this.quantities.values())
			if (species && !this.quantities.get(species.compartment)?.compartment)
				problems.add(
					species.span,
					`species "${species.id}" is in "${species.compartment}", which is no compartment`,
					"Check the id.",
				);
	}

	#isState(id: string): boolean {
		return !this.assigned.has(id) && (this.rates.has(id) || this.net.has(id) || this.targets.has(id));
	}
	#varies(id: string): boolean {
		return this.#isState(id) || this.assigned.has(id);
	}
	/**
	 * Whether the amount of a species is what is kept, and its concentration follows. Where an event sets the size of the compartment,
	 * the amount stays; where an event sets the concentration some time after its values are known, the size is that of the later instant.
	 */
	#holdsAmount(id: string): boolean {
		const species = this.quantities.get(id)?.species;
		if (!species || species.isAmount || this.assigned.has(id) || !this.#varies(species.compartment))
			return false;
		if (this.targets.has(species.compartment)) return true;
		if (this.rates.has(id)) return false;
		return !(this.delayed.has(id) && this.#isState(species.compartment));
	}
	#size(id: string): Formula {
		return named(this.quantities.get(id)!.species!.compartment);
	}

	/** The derivative of what is kept of a state. */
	#slope(id: string): Formula {
		const rule = this.rates.get(id);
		const species = this.quantities.get(id)?.species;
		if (rule) {
			if (!this.#holdsAmount(id)) return rule;
			const size = this.#size(id);
			return plus([
				times(rule, size),
				times(named(id), { kind: "rate", id: species!.compartment, span: species!.span }),
			]);
		}
		const net = this.net.get(id);
		const isDiluted =
			species && !species.isAmount && !this.#holdsAmount(id) && this.#varies(species.compartment);
		if (!net) return isDiluted ? over(this.#diluted(id, zero), this.#size(id)) : zero;
		const total = net.length === 1 ? net[0] : apply("plus", ...net);
		if (species!.isAmount || this.#holdsAmount(id)) return total;
		return over(this.#diluted(id, total), this.#size(id));
	}

	/** What changes the amount of a species, less what the growth of its compartment takes from its concentration. */
	#diluted(id: string, total: Formula): Formula {
		const { compartment, span } = this.quantities.get(id)!.species!;
		if (!this.#isState(compartment)) return total;
		return plus([total, apply("minus", times(named(id), { kind: "rate", id: compartment, span }))]);
	}

	/** Rates of change as derivatives of states, or 0 where nothing changes. */
	#withRates(formula: Formula): Formula {
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
			if (!this.#holdsAmount(id)) return this.#isState(id) ? part : zero;
			const size = this.#size(id);
			const own: Formula = this.#isState(id) ? { kind: "rate", id: amountOf(id), span } : zero;
			const { compartment } = this.quantities.get(id)!.species!;
			const growth = this.#withRates({ kind: "rate", id: compartment, span });
			return over(plus([own, apply("minus", times(named(id), growth))]), size);
		});
	}

	/** The value of what an id stands for at the start, in terms of what is constant. */
	#startValue(id: string): Formula {
		const known = this.starts.get(id);
		if (known) return known;
		const quantity = this.quantities.get(id);
		if (this.busy.has(id)) {
			const span = quantity?.span ?? { start: 0, end: 1 };
			this.problems.add(
				span,
				`"${id}" is defined by itself`,
				"Rules and initial assignments go round in a circle. Take one out.",
			);
			return zero;
		}
		if (quantity && !this.#varies(id) && !this.#holdsAmount(id)) return named(id);
		this.busy.add(id);
		const formula = quantity
			? (this.#givenStart(quantity) ?? zero)
			: this.#atStart(this.reactionOf.get(id) ?? zero);
		this.busy.delete(id);
		return this.#keepStart(id, formula);
	}

	/** Short ones are written where they are used, others get a name. */
	#keepStart(id: string, formula: Formula): Formula {
		let short = formula;
		if (formula.kind !== "number" && formula.kind !== "name") {
			this.startLets.push(`let   ${this.text.nameOf(startOf(id))} = ${this.text.number(formula)}`);
			short = named(startOf(id));
		}
		this.starts.set(id, short);
		return short;
	}

	/** What is said of the value of an id at the start; `undefined` where nothing is. */
	#givenStart({ id, value, species }: Quantity): Formula | undefined {
		if (this.declared.has(id) && !this.assigned.has(id)) return named(givenOf(id));
		const math = this.assigned.get(id) ?? this.initial.get(id);
		if (math) {
			const wasBusy = this.busy.has(id);
			this.busy.add(id);
			const formula = this.#atStart(math);
			if (!wasBusy) this.busy.delete(id);
			return formula;
		}
		if (!species) return value === undefined ? undefined : numeral(value);
		const { initialAmount, initialConcentration, isAmount, compartment } = species;
		const size = this.#startValue(compartment);
		if (initialAmount !== undefined)
			return isAmount ? numeral(initialAmount) : over(numeral(initialAmount), size);
		if (initialConcentration !== undefined)
			return isAmount ? times(numeral(initialConcentration), size) : numeral(initialConcentration);
		return zero;
	}

	/** The same of what is kept of it. */
	#stateStart(quantity: Quantity): Formula | undefined {
		const { id, species } = quantity;
		const amount = species?.initialAmount;
		const isOwn = this.initial.has(id) || this.declared.has(id);
		if (this.#holdsAmount(id) && amount !== undefined && !isOwn) return numeral(amount);
		if (this.#holdsAmount(id)) return times(this.#startValue(id), this.#startValue(species!.compartment));
		if (!species && quantity.value === undefined && !isOwn) return undefined;
		return this.#startValue(id);
	}

	#atStart(formula: Formula): Formula {
		return replace(formula, (part) => {
			if (part.kind === "time") return zero;
			if (part.kind === "name") return this.#startValue(part.id);
			if (part.kind !== "rate") return undefined;
			const rate = this.#withRates(part);
			if (rate.kind !== "rate") return this.#atStart(rate);
			return this.#atStart(this.#slope(rate.id.replace(/ amount$/, "")));
		});
	}

	#event({
		id,
		trigger,
		delay,
		priority,
		initially,
		persistent,
		late,
		assignments,
	}: SbmlModel["events"][number]): string[] {
		const { text } = this;
		const number = (formula: Formula): string => text.number(this.#withRates(formula));
		const set = assignments.map(({ variable, math, span: place }) => {
			if (!this.#isState(variable))
				this.problems.add(
					place,
					`an event sets "${variable}", which a rule determines`,
					"Take one of them out.",
				);
			if (!this.#holdsAmount(variable)) return `${text.nameOf(variable)} = ${number(math)}`;
			const size = this.#size(variable);
			return `${text.nameOf(amountOf(variable))} = ${number(times(math, size))}`;
		});
		if (set.length === 0) return [];
		const options = [
			...(delay ? [`, delay: ${number(delay)}`] : []),
			...(priority ? [`, priority: ${number(priority)}`] : []),
			...(persistent ? [] : [", persistent: false"]),
			...(initially ? [] : [", initially: false"]),
			...(late ? [", late: true"] : []),
		];
		const condition = text.condition(this.#withRates(trigger));
		const head = `when ${condition}${options.join("")}`;
		return [...(id === undefined ? [] : [`# ${id.replace(/[^\w]/g, "_")}`]), `${head} { ${set.join(", ")} }`];
	}

	#columns(): TextColumn[] {
		const { text } = this;
		const own = [...this.quantities.values()].flatMap(({ id, species, value }): TextColumn[] => {
			const symbol = text.nameOf(id);
			if (!species) {
				const isKnown = value !== undefined || this.#varies(id) || this.initial.has(id);
				return isKnown ? [{ id, value: symbol }] : [];
			}
			const size = this.#size(id);
			const amount = species.isAmount
				? named(id)
				: this.#holdsAmount(id)
					? named(amountOf(id))
					: times(named(id), size);
			const concentration = species.isAmount ? over(named(id), size) : named(id);
			return [{ id, value: symbol, amount: text.number(amount), concentration: text.number(concentration) }];
		});
		return [...own, ...[...this.reactionOf.keys()].map((id) => ({ id, value: text.nameOf(id) }))];
	}
}
