/** A quantity that differs between records, in the model language: a number, a condition, an expression, or one of several expressions. */

/** A number, or an expression of parameters by what it is written as. */
export type Variant = number | string;

export class Varied {
	readonly #cases: readonly string[];
	constructor(readonly values: readonly Variant[]) {
		this.#cases = [...new Set(values.filter((value) => typeof value === "string"))];
	}

	get #isOne(): boolean {
		return this.values.every((value) => value === this.values[0]);
	}

	/** Statements that declare it. */
	lines(name: string): string[] {
		const [first] = this.values;
		if (this.#isOne)
			return [typeof first === "number" ? `param ${name} = ${first}` : `let   ${name} = ${first}`];
		if (this.#cases.length === 0) return [`condition ${name}`];
		const cases = this.#cases.map((text, i) => `${text}, ${name}_case == ${i + 1}`);
		return [
			`condition ${name}_case, ${name}_value`,
			`let   ${name} = piecewise(${cases.join(", ")}, ${name}_value)`,
		];
	}

	/** Values of the conditions that these declare, at one of the places. */
	conditions(name: string, place: number): Record<string, number> {
		const value = this.values[place];
		if (this.#isOne) return {};
		if (this.#cases.length === 0) return { [name]: value as number };
		if (typeof value === "number") return { [`${name}_case`]: 0, [`${name}_value`]: value };
		return { [`${name}_case`]: this.#cases.indexOf(value) + 1, [`${name}_value`]: 0 };
	}
}
