/** What data say of the unknowns, by the Taylor models of outputs at an instant. */
import { InputError } from "../../../errors.ts";
import type { Interval } from "../../../interval/interval.ts";
import type { TaylorModel, TaylorSpace } from "../../../interval/taylor/taylor-model.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import type { GuaranteedSystem } from "../system.ts";
import { type Bar, plainBar, sideBars } from "./bar.ts";
import type { Constraint } from "./constraint.ts";
import { OutputJumps } from "./output-jumps.ts";
import { OutputModels } from "./output-models.ts";

/** All that was measured at one instant. */
export interface Instant {
	readonly t: number;
	readonly data: readonly { readonly measure: number; readonly y: number }[];
}

/** No value is surely consistent. */
const nowhere = { innerLo: Number.MAX_VALUE, innerHi: -Number.MAX_VALUE };
/** No value is consistent at all. */
const never = { ...nowhere, range: [Number.MAX_VALUE, -Number.MAX_VALUE] as const };

/** A bar and as much again on either side: of an output without bounds nothing else matters. */
function around({ lo, hi }: Bar): Interval {
	const wide = hi - lo + (Math.abs(lo) + Math.abs(hi)) * 1e-9 + Number.MIN_VALUE;
	return { lo: lo - wide, hi: hi + wide };
}

type Common = Pick<Constraint, "variables" | "centre" | "scale" | "t" | "experiment">;

export class OutputConstraints {
	readonly #system: GuaranteedSystem;
	readonly #values: OutputModels;
	readonly #sides: OutputModels;
	readonly #assumed: OutputModels;
	readonly #spreads: IntervalEvaluator;
	readonly #spreadHulls: IntervalEvaluator;
	readonly #jumps: OutputJumps;
	readonly #M: number;

	constructor(system: GuaranteedSystem, space: TaylorSpace) {
		this.#system = system;
		this.#M = space.M;
		this.#values = new OutputModels(system.outputTape, space);
		this.#sides = new OutputModels(system.sideTape, space);
		this.#assumed = new OutputModels(system.assumptionTape, space);
		this.#spreads = new IntervalEvaluator(system.spreadTape);
		this.#spreadHulls = new IntervalEvaluator(system.spreadTape, true);
		this.#jumps = new OutputJumps(system);
	}

	/** For models of all symbols and their bounds; first one for each datum, then the sides. Undefined where a largest error is undefined. */
	constraints(
		symbols: readonly TaylorModel[],
		bounds: Float64Array,
		{ data }: Instant,
		common: Common,
	): Constraint[] | undefined {
		const { sided, model } = this.#system;
		const spreads = new Float64Array(2 * model.measures.length);
		this.#values.evaluate(symbols, bounds);
		const spreadJumps = !this.#spreads.evaluate(bounds, spreads);
		if (spreadJumps && !this.#spreadHulls.evaluate(bounds, spreads)) return undefined;
		if (sided.length > 0) this.#sides.evaluate(symbols, bounds);
		/** Output i of some models, which is about a measure, in a bar. */
		const made = (models: OutputModels, i: number, measure: number, bar: Bar): Constraint => {
			const mayJump = spreadJumps || this.#values.isHull(measure);
			const found = mayJump ? this.#jumps.of(measure, bounds) : undefined;
			const jump = models.isOpen(i) ? "open" : this.#values.isPartial(measure) ? "part" : found;
			const which = models.output(i, around(bar));
			const part = models.isPartial(i) ? nowhere : {};
			return {
				...common,
				coefficients: which.c.slice(0, this.#M),
				radius: which.r,
				output: model.measures[measure].name,
				...(jump ? { jump } : {}),
				...bar,
				...(models.isOpen(i) ? nowhere : part),
				...(models.misses(i, bar) ? never : {}),
			};
		};
		const plain = data.map(({ measure, y }): Constraint => {
			const least = Math.max(spreads[2 * measure], 0);
			const bar = sided.includes(measure)
				? sideBars(y, Math.max(spreads[2 * measure + 1], 0)).both
				: plainBar(y, least, this.#positive(spreads[2 * measure + 1], measure));
			return made(this.#values, measure, measure, bar);
		});
		const sides = data.flatMap(({ measure, y }): Constraint[] => {
			const k = sided.indexOf(measure);
			if (k < 0) return [];
			const { less, more } = sideBars(y, Math.max(spreads[2 * measure + 1], 0));
			return [
				{ ...made(this.#sides, 2 * k, measure, less), isSide: true },
				{ ...made(this.#sides, 2 * k + 1, measure, more), isSide: true },
			];
		});
		return [...plain, ...sides];
	}

	/** What is assumed, for models of all symbols: those that do not vary in time are said once, at the first instant. */
	assumptions(
		symbols: readonly TaylorModel[],
		bounds: Float64Array,
		isFirst: boolean,
		common: Common,
	): Constraint[] {
		const { assumptions } = this.#system;
		if (assumptions.length === 0) return [];
		this.#assumed.evaluate(symbols, bounds);
		return assumptions.flatMap(({ text, isStrict, varies }, k): Constraint[] => {
			if (!varies && !isFirst) return [];
			const own = { ...common, output: text, isSide: true };
			const { c, r } = this.#assumed.output(k, { lo: -1, hi: 1 });
			const coefficients = c.slice(0, this.#M);
			const most = coefficients.reduce((sum, value) => sum + Math.abs(value), r) * (1 + 2 ** -30);
			// At other times than the instants it is not looked at: no value is surely consistent with what varies.
			// Nor is any where it is undefined for some.
			const isPartial = this.#assumed.isPartial(k) || this.#assumed.isOpen(k);
			const surely =
				varies || isPartial
					? nowhere
					: { innerLo: isStrict ? Number.MIN_VALUE : 0, innerHi: Number.MAX_VALUE };
			return [
				{
					...own,
					coefficients,
					radius: r,
					lo: 0,
					hi: Math.max(most, Number.MIN_VALUE),
					...surely,
					...(this.#assumed.misses(k, { lo: 0, hi: Number.POSITIVE_INFINITY }) ? never : {}),
				},
			];
		});
	}

	#positive(spread: number, measure: number): number {
		if (spread >= 0) return spread;
		throw new InputError(
			`measure ${this.#system.model.measures[measure].name}`,
			`has a largest error of ${spread}`,
			"Write a positive one:  in x +- 0.1.",
		);
	}
}
