/** Whether an output, or its largest error, may be on either side of a jump, and what decides it. */
import { mid } from "../../../interval/measure.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../lower/interval/tape.ts";
import type { GuaranteedSystem } from "../system.ts";

/**
 * `clock`: the sample is at the time of the jump, as exactly as times are known. `states`: states or unknowns decide. `part`: the output is defined for a part
 * of these only. `open`: it has no bound there, and only its values near the bar are looked at.
 */
export type OutputJump = "clock" | "states" | "part" | "open";

export class OutputJumps {
	readonly #measures: readonly IntervalEvaluator[];
	/** Symbols that are not known before the search: states and parameters. */
	readonly #nOpen: number;
	readonly #out = new Float64Array(4);

	constructor({ model, symbols, nStates, params }: GuaranteedSystem) {
		this.#nOpen = nStates + params.length;
		this.#measures = model.measures.map(
			({ value, spread }) => new IntervalEvaluator(tapeOf([value, spread ?? model.graph.zero], symbols)),
		);
	}

	/** For bounds of all symbols, stride 2. */
	of(measure: number, bounds: Float64Array): OutputJump | undefined {
		const evaluator = this.#measures[measure];
		if (evaluator.evaluate(bounds, this.#out)) return undefined;
		const point = bounds.slice();
		for (let k = 0; k < this.#nOpen; k++) point.fill(mid(bounds[2 * k], bounds[2 * k + 1]), 2 * k, 2 * k + 2);
		return evaluator.evaluate(point, this.#out) ? "states" : "clock";
	}
}
