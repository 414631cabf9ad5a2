/** What data say of the unknowns, by the Taylor models of outputs at an instant. */
import { InputError } from "../../../errors.ts";
import type { TaylorModel, TaylorSpace } from "../../../interval/taylor-model.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import type { GuaranteedSystem } from "../system.ts";
import { plainBar, sideBars } from "./bar.ts";
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

type Common = Pick<Constraint, "variables" | "centre" | "scale" | "t" | "experiment">;

export class OutputConstraints {
	readonly #system: GuaranteedSystem;
	readonly #values: OutputModels;
	readonly #sides: OutputModels;
	readonly #spreads: IntervalEvaluator;
	readonly #spreadHulls: IntervalEvaluator;
	readonly #jumps: OutputJumps;
	readonly #M: number;

	constructor(system: GuaranteedSystem, space: TaylorSpace) {
		this.#system = system;
		this.#M = space.M;
		this.#values = new OutputModels(system.outputTape, space);
		this.#sides = new OutputModels(system.sideTape, space);
		this.#spreads = new IntervalEvaluator(system.spreadTape);
		this.#spreadHulls = new IntervalEvaluator(system.spreadTape, true);
		this.#jumps = new OutputJumps(system);
	}

	/** For models of all symbols and their bounds; first one for each datum, then the sides. Undefined where an output is undefined. */
	constraints(
		symbols: readonly TaylorModel[],
		bounds: Float64Array,
		{ data }: Instant,
		common: Common,
	): Constraint[] | undefined {
		const { sided, model } = this.#system;
		const spreads = new Float64Array(2 * model.measures.length);
		if (!this.#values.evaluate(symbols, bounds)) return undefined;
		const spreadJumps = !this.#spreads.evaluate(bounds, spreads);
		if (spreadJumps && !this.#spreadHulls.evaluate(bounds, spreads)) return undefined;
		if (sided.length > 0 && !this.#sides.evaluate(symbols, bounds)) return undefined;
		const made = (which: TaylorModel, measure: number) => {
			const mayJump = spreadJumps || this.#values.isHull(measure);
			const found = mayJump ? this.#jumps.of(measure, bounds) : undefined;
			const jump = this.#values.isPartial(measure) ? "part" : found;
			return {
				...common,
				coefficients: which.c.slice(0, this.#M),
				radius: which.r,
				output: model.measures[measure].name,
				...(jump ? { jump } : {}),
			};
		};
		const plain = data.map(({ measure, y }): Constraint => {
			const least = Math.max(spreads[2 * measure], 0);
			const bar = sided.includes(measure)
				? sideBars(y, Math.max(spreads[2 * measure + 1], 0)).both
				: plainBar(y, least, this.#positive(spreads[2 * measure + 1], measure));
			const surely = this.#values.isPartial(measure) ? nowhere : {};
			return { ...made(this.#values.output(measure), measure), ...bar, ...surely };
		});
		const part = (i: number) => (this.#sides.isPartial(i) ? nowhere : {});
		const sides = data.flatMap(({ measure, y }): Constraint[] => {
			const k = sided.indexOf(measure);
			if (k < 0) return [];
			const { less, more } = sideBars(y, Math.max(spreads[2 * measure + 1], 0));
			return [
				{ ...made(this.#sides.output(2 * k), measure), ...less, ...part(2 * k), isSide: true },
				{ ...made(this.#sides.output(2 * k + 1), measure), ...more, ...part(2 * k + 1), isSide: true },
			];
		});
		return [...plain, ...sides];
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
