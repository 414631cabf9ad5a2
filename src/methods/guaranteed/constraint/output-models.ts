/**
 * Outputs as Taylor models at one instant. Where an output may be on either side of a jump it is no smooth function of the unknowns: it is then known between two
 * numbers that hold both sides, as a model without terms. Where it is defined for a part of the unknowns only, the same two numbers hold its values there: a
 * value without an output is consistent with no datum. They may be infinite: who asks says which of them matter.
 */
import type { Interval } from "../../../interval/interval.ts";
import type { TaylorModel, TaylorSpace } from "../../../interval/taylor/taylor-model.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../lower/interval/series.ts";
import type { Tape } from "../../../lower/interval/tape.ts";

/** Numbers up to here are bounds; what is larger may overflow on the way. */
const most = 1e300;

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

	/** For models of all symbols and their bounds. */
	evaluate(symbols: readonly TaylorModel[], bounds: Float64Array): void {
		this.#isSmooth = this.#together.evaluate(symbols, bounds);
		if (this.#isSmooth) return;
		this.#apart ??= this.#tape.outputs.map(
			(slot) => new LoneOutput({ ...this.#tape, outputs: [slot] }, this.#space),
		);
		for (const each of this.#apart) each.evaluate(symbols, bounds);
	}

	/** The model; of an output without bounds, or beyond `far`, of those of its values that are within. */
	output(i: number, far: Interval): TaylorModel {
		return this.#isSmooth ? this.#together.output(i) : this.#apart![i].within(far);
	}

	/** It is known between two numbers only. */
	isHull(i: number): boolean {
		return !this.#isSmooth && this.#apart![i].isHull;
	}

	/** It may be undefined for a part of the unknowns. */
	isPartial(i: number): boolean {
		return !this.#isSmooth && this.#apart![i].isPartial;
	}

	/** It has no bound, above or below. */
	isOpen(i: number): boolean {
		return !this.#isSmooth && this.#apart![i].isOpen;
	}

	/** It has no value, or none in an interval, whatever the unknowns are. */
	misses(i: number, bar: Interval): boolean {
		return !this.#isSmooth && this.#apart![i].misses(bar);
	}
}

class LoneOutput {
	isHull = false;
	isPartial = false;
	isNowhere = false;
	readonly #space: TaylorSpace;
	readonly #smooth: SmoothModels;
	readonly #hull: IntervalEvaluator;
	readonly #bounds = new Float64Array(2);

	constructor(tape: Tape, space: TaylorSpace) {
		this.#space = space;
		this.#smooth = new SmoothModels(tape, space);
		this.#hull = new IntervalEvaluator(tape, true);
	}

	evaluate(symbols: readonly TaylorModel[], bounds: Float64Array): void {
		this.isHull = !this.#smooth.evaluate(symbols, bounds);
		this.isPartial = this.isHull && !this.#hull.evaluate(bounds, this.#bounds);
		this.isNowhere = this.isPartial && this.#hull.isNowhere(0);
	}

	get isOpen(): boolean {
		const [lo, hi] = this.#bounds;
		return this.isHull && !(Math.abs(lo) < most && Math.abs(hi) < most);
	}

	misses({ lo, hi }: Interval): boolean {
		if (this.isNowhere || (this.isHull && (this.#bounds[1] < lo || this.#bounds[0] > hi))) return true;
		return this.isPartial && !this.#hull.isReachable(0, { lo, hi });
	}

	within({ lo, hi }: Interval): TaylorModel {
		if (!this.isHull) return this.#smooth.output(0);
		const model = this.#space.model();
		const [least, top] = this.#bounds;
		if (!this.isOpen) this.#space.constantInto(model, least, top);
		else if (this.misses({ lo, hi })) this.#space.constantInto(model, lo, hi);
		else this.#space.constantInto(model, Math.max(least, lo), Math.min(top, hi));
		return model;
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
