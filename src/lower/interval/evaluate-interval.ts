/**
 * A tape in interval arithmetic. The result holds every value; `sound` says whether all functions were defined and
 * continuous all over the arguments, as a proof that solutions exist needs it.
 */
import type { Bounds } from "../../interval/arithmetic.ts";
import { domain } from "../../interval/domain.ts";
import type { Interval } from "../../interval/interval.ts";
import { decided, inheritsBroken, intervalInstruction, isBeyond } from "./interval-instruction.ts";
import { isReachable } from "./reachable.ts";
import type { Tape } from "./tape.ts";

export class IntervalEvaluator {
	readonly #tape: Tape;
	readonly #values: Float64Array;
	readonly #broken: Uint8Array;
	readonly #branches: boolean;

	/**
	 * `branches`: an undecided `sign` or `if` is enclosed without complaint, as is right for the derivatives of
	 * continuous functions with corners.
	 */
	constructor(tape: Tape, branches = false) {
		this.#tape = tape;
		this.#values = new Float64Array(2 * tape.instructions.length);
		this.#broken = new Uint8Array(tape.instructions.length);
		this.#branches = branches;
	}

	/** The outputs for symbols in `box` (stride 2, in the order of the tape) into `out`; whether the result is sound. */
	evaluate(box: Bounds, out: Float64Array): boolean {
		const { instructions, outputs } = this.#tape;
		const values = this.#values;
		const broken = this.#broken;
		const before = domain.left;
		for (let k = 0; k < instructions.length; k++) {
			const instruction = instructions[k];
			const { op, a, b, n } = instruction;
			domain.left = false;
			intervalInstruction(values, k, instruction, box, this.#branches);
			const way = op === "if" ? decided(values, a, b, n) : 0;
			broken[k] = domain.left || inheritsBroken(broken, instruction, way) ? 1 : 0;
		}
		domain.left = before;
		let sound = true;
		outputs.forEach((slot, i) => {
			out[2 * i] = values[2 * slot];
			out[2 * i + 1] = values[2 * slot + 1];
			if (broken[slot]) sound = false;
		});
		return sound;
	}

	/** Whether output i has no value anywhere in the box that was evaluated last: something that it is made of is beyond its domain all over it. */
	isNowhere(i: number): boolean {
		const { instructions, outputs } = this.#tape;
		const values = this.#values;
		const none = new Uint8Array(instructions.length);
		for (const [k, instruction] of instructions.entries()) {
			const { op, a, b, c, d, n } = instruction;
			const way = op === "if" ? decided(values, a, b, n) : 0;
			// On one side of a condition there may be a value.
			const isOpen = way < 0 && (none[c] & none[d]) === 0 && (none[a] | none[b]) === 0;
			const isNone = isBeyond(instruction, values) || (!isOpen && inheritsBroken(none, instruction, way));
			none[k] = isNone ? 1 : 0;
		}
		return none[outputs[i]] === 1;
	}

	/** Whether output i may have a value of an interval somewhere in the box that was evaluated last. */
	isReachable(i: number, values: Interval): boolean {
		return isReachable(this.#tape, this.#values, i, values);
	}

	/** The first operation that was not defined or not continuous, and the bounds of its argument. */
	get trouble(): { readonly op: string; readonly lo: number; readonly hi: number } | undefined {
		const k = this.#broken.indexOf(1);
		if (k < 0) return undefined;
		const { op, a } = this.#tape.instructions[k];
		return { op, lo: this.#values[2 * a], hi: this.#values[2 * a + 1] };
	}
}
