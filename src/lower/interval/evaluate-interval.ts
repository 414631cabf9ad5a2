/**
 * A tape in interval arithmetic. The result holds every value; `sound` says whether all functions were defined and
 * continuous all over the arguments, as a proof that solutions exist needs it.
 */
import {
	absInto,
	addInto,
	type Bounds,
	hullInto,
	maxInto,
	minInto,
	mulInto,
	sqrInto,
} from "../../interval/arithmetic.ts";
import { divInto } from "../../interval/division.ts";
import { domain } from "../../interval/domain.ts";
import {
	acosInto,
	asinInto,
	atanInto,
	coshInto,
	cosInto,
	expInto,
	logInto,
	powIntInto,
	powInto,
	sinhInto,
	sinInto,
	tanhInto,
	tanInto,
} from "../../interval/functions.ts";
import type { Instruction, Tape } from "./tape.ts";

const one = Float64Array.of(1, 1);
const constant = new Float64Array(2);
const functions = {
	exp: expInto,
	log: logInto,
	sin: sinInto,
	cos: cosInto,
	tan: tanInto,
	asin: asinInto,
	acos: acosInto,
	atan: atanInto,
	sinh: sinhInto,
	cosh: coshInto,
	tanh: tanhInto,
} as const;

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
			const { op, a, b, c, d, n } = instructions[k];
			domain.left = false;
			this.#one(instructions[k], k, box);
			let bad = domain.left ? 1 : 0;
			if (op === "if") {
				const way = decided(values, a, b, n);
				bad |=
					broken[a] | broken[b] | (way === 1 ? broken[c] : way === 0 ? broken[d] : broken[c] | broken[d]);
			} else if (op !== "const" && op !== "sym") {
				bad |= broken[a];
				if (op === "add" || op === "mul" || op === "min" || op === "max") bad |= broken[b];
			}
			broken[k] = bad;
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

	/** The first operation that was not defined or not continuous, and the bounds of its argument. */
	get trouble(): { readonly op: string; readonly lo: number; readonly hi: number } | undefined {
		const k = this.#broken.indexOf(1);
		if (k < 0) return undefined;
		const { op, a } = this.#tape.instructions[k];
		return { op, lo: this.#values[2 * a], hi: this.#values[2 * a + 1] };
	}

	#one({ op, a, b, c, d, n, value }: Instruction, k: number, box: Bounds): void {
		const v = this.#values;
		const o = 2 * k;
		switch (op) {
			case "const":
				v[o] = value.lo;
				v[o + 1] = value.hi;
				return;
			case "sym":
				v[o] = box[2 * n];
				v[o + 1] = box[2 * n + 1];
				return;
			case "add":
				return addInto(v, o, v, 2 * a, v, 2 * b);
			case "mul":
				return a === b ? sqrInto(v, o, v, 2 * a) : mulInto(v, o, v, 2 * a, v, 2 * b);
			case "scale":
				constant[0] = value.lo;
				constant[1] = value.hi;
				return mulInto(v, o, constant, 0, v, 2 * a);
			case "powInt":
				return powIntInto(v, o, v, 2 * a, n);
			case "recip":
				return divInto(v, o, one, 0, v, 2 * a);
			case "pow":
				constant[0] = value.lo;
				constant[1] = value.hi;
				return powInto(v, o, v, 2 * a, constant, 0);
			case "abs":
				return absInto(v, o, v, 2 * a);
			case "min":
				return minInto(v, o, v, 2 * a, v, 2 * b);
			case "max":
				return maxInto(v, o, v, 2 * a, v, 2 * b);
			case "sign": {
				const lo = v[2 * a];
				const hi = v[2 * a + 1];
				v[o] = lo > 0 ? 1 : lo === 0 && hi === 0 ? 0 : -1;
				v[o + 1] = hi < 0 ? -1 : lo === 0 && hi === 0 ? 0 : 1;
				if (!this.#branches && lo <= 0 && hi >= 0 && lo < hi) domain.left = true;
				return;
			}
			case "if": {
				const way = decided(v, a, b, n);
				if (way < 0) {
					if (!this.#branches) domain.left = true;
					return hullInto(v, o, v, 2 * c, v, 2 * d);
				}
				const from = 2 * (way === 1 ? c : d);
				v[o] = v[from];
				v[o + 1] = v[from + 1];
				return;
			}
			default:
				return functions[op](v, o, v, 2 * a);
		}
	}
}

/** Whether a < b (n = 1: a <= b): 1 certainly, 0 certainly not, -1 not known. */
function decided(v: Bounds, a: number, b: number, n: number): -1 | 0 | 1 {
	if (n === 1 ? v[2 * a + 1] <= v[2 * b] : v[2 * a + 1] < v[2 * b]) return 1;
	if (n === 1 ? v[2 * a] > v[2 * b + 1] : v[2 * a] >= v[2 * b + 1]) return 0;
	return -1;
}
