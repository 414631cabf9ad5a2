/**
 * Whether equations may jump somewhere in a box. Their derivatives say nothing of it: a step has slope 0 on both sides. Mean
 * values and signs of slopes prove something only where there is no jump.
 */
import type { Bounds } from "../../../../interval/arithmetic.ts";
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import type { Tape } from "../../../../lower/interval/tape.ts";

export class JumpCheck {
	readonly #evaluator: IntervalEvaluator | undefined;
	readonly #out: Float64Array;
	#found = false;

	constructor(tape: Tape) {
		const mayJump = tape.instructions.some(({ op }) => op === "sign" || op === "if");
		this.#evaluator = mayJump ? new IntervalEvaluator(tape) : undefined;
		this.#out = new Float64Array(2 * tape.outputs.length);
	}

	/** Certainly no jump in the box. */
	none(box: Bounds): boolean {
		this.#found = this.#evaluator !== undefined && !this.#evaluator.evaluate(box, this.#out);
		return !this.#found;
	}

	/** The operation that the last box failed by. */
	get trouble() {
		return this.#found ? this.#evaluator?.trouble : undefined;
	}
}
