/**
 * Outputs as Taylor models at one instant. Where an output may be on either side of a jump it is no smooth function of the unknowns: it is then known between two
 * numbers that hold both sides, as a model without terms. Where it is defined for a part of the unknowns only, the same two numbers hold its values there: a
 * value without an output is consistent with no datum.
 */
import type { TaylorModel, TaylorSpace } from "../../../interval/taylor-model.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../lower/interval/series.ts";
import type { Tape } from "../../../lower/interval/tape.ts";

export class OutputModels {
	readonly #tape: Tape;
	readonly #space: TaylorSpace;
	readonly #together: SmoothModels;
	/** Each output by itself, from when it is first needed. */
	#apart: LoneOutput[] | undefined;
	#isSmooth = true;

	constructor(tape: Tape, space: TaylorSpace) {
		this.#tape = tape;
		this.#space = space;
		this.#together = new SmoothModels(tape, space);
	}

	/** For models of all symbols and their bounds; false where an output is undefined. */
	evaluate(symbols: readonly TaylorModel[], bounds: Float64Array): boolean {
		this.#isSmooth = this.#together.evaluate(symbols, bounds);
		if (this.#isSmooth) return true;
		this.#apart ??= this.#tape.outputs.map(
			(slot) => new LoneOutput({ ...this.#tape, outputs: [slot] }, this.#space),
		);
		return this.#apart.every((each) => each.evaluate(symbols, bounds));
	}

	output(i: number): TaylorModel {
		return this.#isSmooth ? this.#together.output(i) : this.#apart![i].model;
	}

	/** It is known between two numbers only. */
	isHull(i: number): boolean {
		return !this.#isSmooth && this.#apart![i].isHull;
	}

	/** It may be undefined for a part of the unknowns. */
	isPartial(i: number): boolean {
		return !this.#isSmooth && this.#apart![i].isPartial;
	}
}

class LoneOutput {
	model: TaylorModel;
	isHull = false;
	isPartial = false;
	readonly #space: TaylorSpace;
	readonly #smooth: SmoothModels;
	readonly #hull: IntervalEvaluator;
	readonly #bounds = new Float64Array(2);

	constructor(tape: Tape, space: TaylorSpace) {
		this.#space = space;
		this.model = space.model();
		this.#smooth = new SmoothModels(tape, space);
		this.#hull = new IntervalEvaluator(tape, true);
	}

	evaluate(symbols: readonly TaylorModel[], bounds: Float64Array): boolean {
		this.isHull = !this.#smooth.evaluate(symbols, bounds);
		this.isPartial = false;
		if (!this.isHull) {
			this.model = this.#smooth.output(0);
			return true;
		}
		this.isPartial = !this.#hull.evaluate(bounds, this.#bounds);
		const [lo, hi] = this.#bounds;
		if (!(Math.abs(lo) < 1e300 && Math.abs(hi) < 1e300)) return false;
		this.model = this.#space.model();
		this.#space.constantInto(this.model, lo, hi);
		return true;
	}
}

/** A tape in Taylor models at an instant, with its series as guesses. */
class SmoothModels {
	readonly #series: SeriesEvaluator;
	readonly #models: TaylorEvaluator;

	constructor(tape: Tape, space: TaylorSpace) {
		this.#series = new SeriesEvaluator(tape, space);
		this.#models = new TaylorEvaluator(tape, space, this.#series);
	}

	evaluate(symbols: readonly TaylorModel[], bounds: Float64Array): boolean {
		this.#series.order(
			0,
			symbols.map(({ c }) => c),
		);
		return this.#models.evaluate(symbols, 1e-14, bounds);
	}

	output(i: number): TaylorModel {
		return this.#models.output(i);
	}
}
