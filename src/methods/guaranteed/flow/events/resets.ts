/** What events set: all states right after one, as Taylor models of the unknowns. */
import type { TaylorModel, TaylorSpace } from "../../../../interval/taylor/taylor-model.ts";
import { TaylorEvaluator } from "../../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../../lower/interval/series.ts";
import { identity } from "../../../../num/linear/dense.ts";
import type { GuaranteedSystem } from "../../system.ts";
import type { FlowSet } from "../flow-set.ts";

export class Resets {
	readonly #space: TaylorSpace;
	readonly #series: readonly SeriesEvaluator[];
	readonly #resets: readonly TaylorEvaluator[];

	constructor({ resetTapes }: GuaranteedSystem, space: TaylorSpace) {
		this.#space = space;
		this.#series = resetTapes.map((tape) => new SeriesEvaluator(tape, space));
		this.#resets = resetTapes.map((tape, k) => new TaylorEvaluator(tape, space, this.#series[k]));
	}

	/** The states of a set after an event, from models and bounds of all symbols at its instant; false where they are not defined for all of it. */
	apply(set: FlowSet, event: number, symbols: readonly TaylorModel[], box: Float64Array): boolean {
		const { M } = this.#space;
		this.#series[event].order(
			0,
			symbols.map(({ c }) => c),
		);
		const reset = this.#resets[event];
		if (!reset.evaluate(symbols, 1e-14, box)) return false;
		const radii = set.R.map((_, i) => reset.output(i).r);
		if (!radii.every((radius) => radius < 1e100)) return false;
		for (let i = 0; i < radii.length; i++) set.P.set(reset.output(i).c.subarray(0, M), i * M);
		set.C = identity(radii.length);
		set.R = radii;
		set.B = radii.slice();
		set.isStiff = false;
		return true;
	}
}
