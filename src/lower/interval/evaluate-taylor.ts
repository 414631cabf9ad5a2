/** A tape in Taylor models: rigorous, with the series of plain floating point as guesses of reciprocals. */
import { domain } from "../../interval/domain.ts";
import type { JetFunction } from "../../interval/jets.ts";
import { TaylorFunctions } from "../../interval/taylor-functions.ts";
import type { TaylorModel, TaylorSpace } from "../../interval/taylor-model.ts";
import type { SeriesEvaluator } from "./series.ts";
import type { Instruction, Tape } from "./tape.ts";

export class TaylorEvaluator {
	readonly slots: readonly TaylorModel[];
	readonly #tape: Tape;
	readonly #space: TaylorSpace;
	readonly #functions: TaylorFunctions;
	readonly #series: SeriesEvaluator;
	readonly #broken: Uint8Array;
	readonly #bounds = new Float64Array(4);

	constructor(tape: Tape, space: TaylorSpace, series: SeriesEvaluator) {
		this.#tape = tape;
		this.#space = space;
		this.#series = series;
		this.#functions = new TaylorFunctions(space);
		this.slots = tape.instructions.map(() => space.model());
		this.#broken = new Uint8Array(tape.instructions.length);
	}

	/** All slots for these models of the symbols; whether every output is defined and continuous all over the domain. */
	evaluate(symbols: readonly TaylorModel[], negligible: number): boolean {
		const { instructions, outputs } = this.#tape;
		const broken = this.#broken;
		const before = domain.left;
		for (let k = 0; k < instructions.length; k++) {
			domain.left = false;
			const way = this.#one(instructions[k], k, symbols, negligible);
			const { op, a, b, c, d } = instructions[k];
			let bad = domain.left ? 1 : 0;
			if (op === "if")
				bad |=
					broken[a] | broken[b] | (way === 1 ? broken[c] : way === 0 ? broken[d] : broken[c] | broken[d]);
			else if (op !== "const" && op !== "sym") {
				bad |= broken[a];
				if (op === "add" || op === "mul" || op === "min" || op === "max") bad |= broken[b];
			}
			broken[k] = bad;
		}
		domain.left = before;
		return outputs.every((slot) => broken[slot] === 0 && this.slots[slot].r < Number.POSITIVE_INFINITY);
	}

	output(i: number): TaylorModel {
		return this.slots[this.#tape.outputs[i]];
	}

	/** The slot that is undefined first, for a message: the operation and its argument's bounds. */
	get trouble(): { readonly op: string; readonly lo: number; readonly hi: number } | undefined {
		const { instructions } = this.#tape;
		const k = instructions.findIndex(
			(_, i) => this.#broken[i] === 1 || this.slots[i].r === Number.POSITIVE_INFINITY,
		);
		if (k < 0) return undefined;
		this.#space.boundsInto(this.#bounds, 0, this.slots[instructions[k].a]);
		return { op: instructions[k].op, lo: this.#bounds[0], hi: this.#bounds[1] };
	}

	/** For `if`: 1 or 0 where decided, -1 where not. */
	#one(
		{ op, a, b, c, d, n, value }: Instruction,
		k: number,
		symbols: readonly TaylorModel[],
		negligible: number,
	): number {
		const s = this.slots;
		const space = this.#space;
		const out = s[k];
		switch (op) {
			case "const":
				space.constantInto(out, value.lo, value.hi);
				return 0;
			case "sym":
				space.copyInto(out, symbols[n]);
				return 0;
			case "add":
				space.addInto(out, s[a], s[b]);
				return 0;
			case "mul":
				space.mulInto(out, s[a], s[b]);
				return 0;
			case "scale":
				space.scaleInto(out, s[a], value.lo, value.hi);
				return 0;
			case "powInt":
				space.mulInto(out, s[a], s[a]);
				for (let i = 2; i < n; i++) space.mulInto(out, out, s[a]);
				return 0;
			case "recip": {
				const from = this.#series.offset(k);
				const guess = this.#series.values.subarray(from, from + space.size);
				this.#functions.reciprocalInto(out, s[a], guess, s[a].top === 0 ? 0 : space.timeOrder);
				if (!(out.r < Number.POSITIVE_INFINITY)) this.#functions.applyInto(out, "recip", s[a], negligible);
				return 0;
			}
			case "abs":
			case "sign":
			case "min":
			case "max":
			case "if":
				return this.#branch({ op, a, b, c, d, n, value }, out);
			default:
				this.#functions.applyInto(out, op as JetFunction, s[a], negligible, value);
				return 0;
		}
	}

	#branch({ op, a, b, c, d, n }: Instruction, out: TaylorModel): number {
		const s = this.slots;
		const space = this.#space;
		const bounds = this.#bounds;
		space.boundsInto(bounds, 0, s[a]);
		if (op === "abs" || op === "sign") {
			const [lo, hi] = bounds;
			const sign = lo > 0 ? 1 : hi < 0 ? -1 : 0;
			if (op === "abs") {
				if (sign !== 0) space.scaleInto(out, s[a], sign, sign);
				else space.constantInto(out, 0, Math.max(-lo, hi));
			} else if (sign !== 0) space.constantInto(out, sign, sign);
			else {
				space.constantInto(out, -1, 1);
				domain.left = true;
			}
			if (Number.isNaN(lo) || Number.isNaN(hi)) out.r = Number.POSITIVE_INFINITY;
			return 0;
		}
		space.boundsInto(bounds, 2, s[b]);
		const [aLo, aHi, bLo, bHi] = bounds;
		if (op === "if") {
			const yes = n === 1 ? aHi <= bLo : aHi < bLo;
			const no = n === 1 ? aLo > bHi : aLo >= bHi;
			space.copyInto(out, s[yes ? c : d]);
			if (!yes && !no) domain.left = true;
			return yes ? 1 : no ? 0 : -1;
		}
		const first = op === "min" ? aHi <= bLo : aLo >= bHi;
		const second = op === "min" ? bHi <= aLo : bLo >= aHi;
		if (first) space.copyInto(out, s[a]);
		else if (second) space.copyInto(out, s[b]);
		else {
			const pick = op === "min" ? Math.min : Math.max;
			space.constantInto(out, pick(aLo, bLo), pick(aHi, bHi));
		}
		return 0;
	}
}
