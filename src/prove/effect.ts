/** What a fault does to the outputs that no choice of the unknowns could do. */
import { Reflections } from "../num/linear/reflections.ts";
import { squared } from "../num/whole-power.ts";
import type { Design } from "./design.ts";
import type { TrueSystem } from "./truth-model.ts";

/** All outputs of all records, one after the other. */
export type Outputs = readonly (readonly Float64Array[])[];

export function simulateAll(
	system: TrueSystem,
	{ params, records }: Pick<Design, "params" | "records">,
	missing = 0,
): Outputs | undefined {
	const all = records.map((record) => system.simulate(params, missing, record));
	return all.some((each) => each === undefined) ? undefined : (all as Outputs);
}

/** In units of `scale`, the standard deviations of the outputs' noise: one vector. */
export function stacked(outputs: Outputs, scale: readonly number[]): Float64Array {
	return Float64Array.from(
		outputs.flatMap((record) => record.flatMap((values, o) => Array.from(values, (v) => v / scale[o]))),
	);
}

/** Root mean square of what is left of an effect when the unknowns are fitted to it, to first order. */
export class Leftover {
	readonly #basis: Reflections | undefined;
	readonly #n: number;

	constructor(system: TrueSystem, design: Design, sound: Outputs, scale: readonly number[]) {
		const { params, records, family } = design;
		const base = stacked(sound, scale);
		this.#n = base.length;
		const columns: Float64Array[] = [];
		const add = (changed: Pick<Design, "params" | "records">, by: number): void => {
			const moved = simulateAll(system, changed);
			if (moved) columns.push(stacked(moved, scale).map((value, i) => (value - base[i]) / by));
		};
		const share = 1e-4;
		for (const name of Object.keys(params))
			add({ params: { ...params, [name]: params[name] * (1 + share) }, records }, share);
		records.forEach((record, r) => {
			for (const [name, given] of Object.entries(family.states)) {
				if (typeof given === "number") continue;
				const by = share * (given[1] - given[0]);
				const start = { ...record.start, [name]: record.start[name] + by };
				add({ params, records: records.with(r, { ...record, start }) }, share);
			}
		});
		if (columns.length === 0 || columns.length >= this.#n) return;
		const m = columns.length;
		const matrix = new Float64Array(this.#n * m);
		columns.forEach((column, c) => {
			for (let i = 0; i < this.#n; i++) matrix[i * m + c] = column[i];
		});
		this.#basis = new Reflections(matrix, this.#n, m);
	}

	of(effect: Float64Array): number {
		const rest = effect.slice();
		if (this.#basis) {
			this.#basis.applyTransposeInto(rest);
			rest.fill(0, 0, this.#basis.rank);
		}
		return Math.sqrt(rest.reduce((sum, value) => sum + squared(value), 0) / this.#n);
	}
}
