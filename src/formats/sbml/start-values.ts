/** Values at the start, in terms of what is constant. */
import { type Formula, named, numeral, over, replace, times, zero } from "./formula.ts";
import type { FormulaText } from "./formula-text.ts";
import type { Quantities, Quantity } from "./quantities.ts";

const startOf = (id: string): string => `${id} 0`;
/** The value at the start where it is declared elsewhere. */
export const givenOf = (id: string): string => `${id} start`;

export class StartValues {
	/** Statements that give names to what is used. */
	readonly lets: string[] = [];
	readonly #starts = new Map<string, Formula>();
	readonly #busy = new Set<string>();

	constructor(
		readonly quantities: Quantities,
		readonly text: FormulaText,
		/** Ids whose values are declared elsewhere. */
		readonly declared: { has(id: string): boolean },
		/** What `time` is then. */
		readonly time: number,
	) {}

	/** Its start is what its name stands for. */
	takeConstant(id: string): void {
		this.#starts.set(id, named(id));
	}

	/** The value of what an id stands for at the start, in terms of what is constant. */
	#startValue(id: string): Formula {
		const known = this.#starts.get(id);
		if (known) return known;
		const quantity = this.quantities.all.get(id);
		if (this.#busy.has(id)) {
			const span = quantity?.span ?? { start: 0, end: 1 };
			this.quantities.problems.add(
				span,
				`"${id}" is defined by itself`,
				"Rules and initial assignments go round in a circle. Take one out.",
			);
			return zero;
		}
		if (quantity && !this.quantities.varies(id) && !this.quantities.holdsAmount(id)) return named(id);
		this.#busy.add(id);
		const formula = quantity
			? (this.givenStart(quantity) ?? zero)
			: this.#atStart(this.quantities.reactionOf.get(id) ?? zero);
		this.#busy.delete(id);
		return this.#keepStart(id, formula);
	}

	/** Short ones are written where they are used, others get a name. */
	#keepStart(id: string, formula: Formula): Formula {
		let short = formula;
		if (formula.kind !== "number" && formula.kind !== "name") {
			this.lets.push(`let   ${this.text.nameOf(startOf(id))} = ${this.text.number(formula)}`);
			short = named(startOf(id));
		}
		this.#starts.set(id, short);
		return short;
	}

	/** What is said of the value of an id at the start; `undefined` where nothing is. */
	givenStart({ id, value, species }: Quantity): Formula | undefined {
		if (this.declared.has(id) && !this.quantities.assigned.has(id)) return named(givenOf(id));
		const math = this.quantities.assigned.get(id) ?? this.quantities.initial.get(id);
		if (math) {
			const wasBusy = this.#busy.has(id);
			this.#busy.add(id);
			const formula = this.#atStart(math);
			if (!wasBusy) this.#busy.delete(id);
			return formula;
		}
		if (!species) return value === undefined || !Number.isFinite(value) ? undefined : numeral(value);
		const { initialAmount, initialConcentration, isAmount, compartment } = species;
		const size = this.#startValue(compartment);
		if (initialAmount !== undefined)
			return isAmount ? numeral(initialAmount) : over(numeral(initialAmount), size);
		if (initialConcentration !== undefined)
			return isAmount ? times(numeral(initialConcentration), size) : numeral(initialConcentration);
		return zero;
	}

	/** The same of what is kept of it. */
	stateStart(quantity: Quantity): Formula | undefined {
		const { id, species } = quantity;
		const amount = species?.initialAmount;
		const isOwn = this.quantities.initial.has(id) || this.declared.has(id);
		if (this.quantities.holdsAmount(id) && amount !== undefined && !isOwn) return numeral(amount);
		if (this.quantities.holdsAmount(id))
			return times(this.#startValue(id), this.#startValue(species!.compartment));
		if (!species && quantity.value === undefined && !isOwn) return undefined;
		return this.#startValue(id);
	}

	#atStart(formula: Formula): Formula {
		return replace(formula, (part) => {
			if (part.kind === "time") return numeral(this.time);
			if (part.kind === "name") return this.#startValue(part.id);
			if (part.kind !== "rate") return undefined;
			const rate = this.quantities.withRates(part);
			if (rate.kind !== "rate") return this.#atStart(rate);
			return this.#atStart(this.quantities.slope(rate.id.replace(/ amount$/, "")));
		});
	}
}
