/**
 * A very short while in which equations may jump by the clock: whichever side holds, each state moves by at most the length of the while times
 * the bounds of its slope, on a box that is proved not to be left.
 */
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import type { Tape } from "../../../../lower/interval/tape.ts";

const UP = 1 + 2 ** -40;

export class Leap {
	readonly #rhs: IntervalEvaluator;
	readonly #nStates: number;

	constructor(rhs: Tape) {
		this.#rhs = new IntervalEvaluator(rhs, true);
		this.#nStates = rhs.outputs.length;
	}

	/** By how much each state may move at most, from a box of all symbols that holds inputs and time for all of the while; nothing where that has no bound. */
	radii(box: Float64Array, length: number): Float64Array | undefined {
		const n = this.#nStates;
		const slopes = new Float64Array(2 * n);
		let reach = new Float64Array(n);
		for (let round = 0; round < 6; round++) {
			const wide = box.slice();
			for (let i = 0; i < n; i++) {
				const more = (reach[i] + Math.abs(box[2 * i]) * 2 ** -50 + Math.abs(box[2 * i + 1]) * 2 ** -50) * UP;
				wide[2 * i] -= more;
				wide[2 * i + 1] += more;
			}
			if (!this.#rhs.evaluate(wide, slopes)) return undefined;
			const moved = reach.map(
				(_, i) => Math.max(Math.abs(slopes[2 * i]), Math.abs(slopes[2 * i + 1])) * length * UP + 1e-300,
			);
			if (!moved.every((value) => value < 1e100)) return undefined;
			// No solution can leave a box that it would need more than the whole while to cross.
			if (round > 0 && moved.every((value, i) => value < reach[i])) return moved;
			reach = moved.map((value, i) => 2 * Math.max(value, reach[i]) + 1e-290);
		}
		return undefined;
	}
}
