/** The system as it is: its model without noise and with nothing known, simulated with given values. */
import { parseModel } from "../model/language/parse-model.ts";
import type { Model } from "../model/model.ts";
import type { InputSignal } from "../solve/piecewise-inputs.ts";
import { simulateRecord } from "../study/simulate/simulate.ts";
import type { Family } from "./family.ts";

/** How strongly the term that the given model lacks is there. */
const dose = "dose_of_the_missing_term";

export interface TrueRecord {
	readonly times: Float64Array;
	readonly input?: InputSignal;
	/** Initial values of all components. */
	readonly start: Readonly<Record<string, number>>;
}

export class TrueSystem {
	readonly #model: Model;

	constructor(
		family: Pick<Family, "name" | "params" | "states" | "equations" | "outputs"> &
			Partial<Pick<Family, "known" | "input" | "missing">>,
		readonly outputs: readonly string[],
	) {
		const { known = {}, params, equations, missing } = family;
		const [where, term] = missing ?? [];
		const lines = [
			...(family.input === undefined ? [] : ["input u"]),
			...Object.entries(known).map(([name, value]) => `param ${name} = ${value}`),
			...[...Object.keys(params), dose].map((name) => `param ${name}`),
			`state ${Object.keys(family.states).join(", ")}`,
			...Object.entries(equations).map(
				([left, right]) => `${left} = ${right}${left === where ? ` + ${dose}*(${term})` : ""}`,
			),
			...outputs.map((name) => `measure ${name} = ${family.outputs[name]}`),
		];
		this.#model = parseModel(lines.join("\n"), family.name);
	}

	/** Outputs one after the other; undefined where the solution does not reach the end. */
	simulate(
		values: Readonly<Record<string, number>>,
		missing: number,
		{ times, input, start }: TrueRecord,
	): Float64Array[] | undefined {
		const set = {
			...values,
			[dose]: missing,
			...Object.fromEntries(Object.entries(start).map(([name, value]) => [`${name}(0)`, value])),
		};
		const { outcome, columns } = simulateRecord(
			this.#model,
			set,
			{ name: "record", times, signals: new Map(input ? [["u", input]] : []), conditions: {} },
			{
				noise: false,
				rtol: 1e-9,
				atol: 1e-11,
				knots: [],
				amounts: [],
				concentrations: [],
				digits: 17,
			},
			1,
		);
		if (outcome !== "converged") return undefined;
		return this.outputs.map((name) => columns.find((column) => column.name === name)!.values);
	}
}
