/**
 * A tape in Taylor models: rigorous, with the series of plain floating point as guesses of reciprocals. Each slot has its range in plain interval
 * arithmetic beside it, and both are intersected: a sum of squares is positive whatever its model says, and a function is refused only where its argument may
 * really leave the domain. Where a model is no better than the range, the range takes its place.
 */
import { domain } from "../../interval/domain.ts";
import type { JetFunction } from "../../interval/taylor/jets.ts";
import { TaylorFunctions } from "../../interval/taylor/taylor-functions.ts";
import type { TaylorModel, TaylorSpace } from "../../interval/taylor/taylor-model.ts";
import { decided, inheritsBroken, intervalInstruction } from "./interval-instruction.ts";
import type { SeriesEvaluator } from "./series.ts";
import type { Instruction, Tape } from "./tape.ts";

interface Trouble {
	readonly op: string;
	readonly lo: number;
	readonly hi: number;
}

export class TaylorEvaluator {
	readonly slots: readonly TaylorModel[];
	/** Bounds of all slots, stride 2: of the models and of plain interval arithmetic, intersected. */
	readonly ranges: Float64Array;
	/** How far the argument of a corner (`abs`, `min`, `max`) reaches that may be on either side of it: all over the domain, and its polynomial at s = 0. */
	kink: { readonly whole: number; readonly start: number } | undefined;
	/** An undecided `sign` or `if` is anything between its sides, as is right for differential inclusions; else it is no model at all. */
	branches = false;
	/** One was undecided. */
	jumps = false;
	/** How much each variable has to do with that: by how much it moves what decides, times the jump. */
	readonly decides: Float64Array;
	readonly #tape: Tape;
	readonly #space: TaylorSpace;
	readonly #functions: TaylorFunctions;
	readonly #series: SeriesEvaluator;
	readonly #broken: Uint8Array;
	readonly #box: Float64Array;
	readonly #bounds = new Float64Array(2);
	readonly #work: TaylorModel;

	constructor(tape: Tape, space: TaylorSpace, series: SeriesEvaluator) {
		this.#tape = tape;
		this.#space = space;
		this.#series = series;
		this.#functions = new TaylorFunctions(space);
		this.slots = tape.instructions.map(() => space.model());
		this.ranges = new Float64Array(2 * tape.instructions.length);
		this.#broken = new Uint8Array(tape.instructions.length);
		this.#box = new Float64Array(2 * tape.symbols.length);
		this.#work = space.model();
		this.decides = new Float64Array(space.nVars);
	}

	/**
	 * All slots for these models of the symbols; whether every output is defined and continuous all over the domain. `known`: bounds of the symbols by
	 * other means, stride 2.
	 */
	evaluate(symbols: readonly TaylorModel[], negligible: number, known?: Float64Array): boolean {
		const { instructions, outputs } = this.#tape;
		const { ranges } = this;
		const broken = this.#broken;
		const box = this.#box;
		const before = domain.left;
		this.kink = undefined;
		this.jumps = false;
		this.decides.fill(0);
		symbols.forEach((model, i) => {
			this.#space.boundsInto(box, 2 * i, model);
			if (!known) return;
			box[2 * i] = Math.max(box[2 * i], known[2 * i]);
			box[2 * i + 1] = Math.min(box[2 * i + 1], known[2 * i + 1]);
		});
		for (let k = 0; k < instructions.length; k++) {
			const instruction = instructions[k];
			const { op, a, b, n } = instruction;
			domain.left = false;
			intervalInstruction(ranges, k, instruction, box, this.branches);
			const way = op === "if" ? decided(ranges, a, b, n) : 0;
			broken[k] = domain.left || inheritsBroken(broken, instruction, way) ? 1 : 0;
			domain.left = false;
			this.#one(instruction, k, symbols, negligible, way);
			this.#intersect(k, op === "const" || op === "sym");
		}
		domain.left = before;
		return outputs.every((slot) => broken[slot] === 0 && this.slots[slot].r < Number.POSITIVE_INFINITY);
	}

	output(i: number): TaylorModel {
		return this.slots[this.#tape.outputs[i]];
	}

	/** The operation by which an output is undefined, and its argument's bounds. */
	get trouble(): Trouble | undefined {
		const { instructions, outputs } = this.#tape;
		const isBad = (slot: number): boolean =>
			this.#broken[slot] === 1 || !(this.slots[slot].r < Number.POSITIVE_INFINITY);
		const trace = (k: number): Trouble => {
			const { op, a, b, c, d } = instructions[k];
			const isPair = op === "add" || op === "mul" || op === "min" || op === "max";
			const next = (op === "if" ? [a, b, c, d] : isPair ? [a, b] : [a]).find(
				(each) => each < k && isBad(each),
			);
			return next === undefined ? this.#troubleOf(k) : trace(next);
		};
		const first = outputs.find(isBad);
		return first === undefined ? undefined : trace(first);
	}

	#troubleOf(k: number): Trouble {
		const { op, a } = this.#tape.instructions[k];
		return { op, lo: this.ranges[2 * a], hi: this.ranges[2 * a + 1] };
	}

	/** Model and range of slot k know of one another. */
	#intersect(k: number, isGiven: boolean): void {
		const { ranges } = this;
		const model = this.slots[k];
		// What only a model that is undefined would tell is not known.
		if (domain.left) model.r = Number.POSITIVE_INFINITY;
		const lo = ranges[2 * k];
		const hi = ranges[2 * k + 1];
		if (!isGiven && hi - lo < Number.POSITIVE_INFINITY && !((hi - lo) * 0.5 > model.r) && model.r > 0) {
			this.#space.constantInto(model, lo, hi);
			return;
		}
		this.#space.boundsInto(this.#bounds, 0, model);
		const [least, most] = this.#bounds;
		// Bounds of two true enclosures meet; where one is undefined they may not.
		if (least > lo && least <= hi) ranges[2 * k] = least;
		if (most < hi && most >= lo) ranges[2 * k + 1] = most;
	}

	#one(
		{ op, a, b, c, d, n, value }: Instruction,
		k: number,
		symbols: readonly TaylorModel[],
		negligible: number,
		way: -1 | 0 | 1,
	): void {
		const s = this.slots;
		const space = this.#space;
		const out = s[k];
		switch (op) {
			case "const":
				return space.constantInto(out, value.lo, value.hi);
			case "sym":
				return space.copyInto(out, symbols[n]);
			case "add":
				return space.addInto(out, s[a], s[b]);
			case "mul":
				return space.mulInto(out, s[a], s[b]);
			case "scale":
				return space.scaleInto(out, s[a], value.lo, value.hi);
			case "powInt":
				space.mulInto(out, s[a], s[a]);
				for (let i = 2; i < n; i++) space.mulInto(out, out, s[a]);
				return;
			case "recip": {
				const from = this.#series.offset(k);
				const guess = this.#series.values.subarray(from, from + space.size);
				this.#functions.reciprocalInto(out, s[a], guess, s[a].top === 0 ? 0 : space.timeOrder);
				if (!(out.r < Number.POSITIVE_INFINITY)) this.#apply(out, "recip", a, negligible, value);
				return;
			}
			case "abs":
				return this.#absInto(out, s[a], this.ranges[2 * a], this.ranges[2 * a + 1]);
			case "sign": {
				const sign = this.ranges[2 * a] > 0 ? 1 : this.ranges[2 * a + 1] < 0 ? -1 : 0;
				if (sign === 0) this.#undecided(2, s[a]);
				return space.constantInto(out, sign === 0 ? -1 : sign, sign === 0 ? 1 : sign);
			}
			case "min":
			case "max":
				return this.#cornerInto(out, op, a, b);
			case "if":
				if (way >= 0) return space.copyInto(out, s[way === 1 ? c : d]);
				return this.#undecided(this.#eitherInto(out, s[c], s[d]), s[a], s[b]);
			default:
				return this.#apply(out, op as JetFunction, a, negligible, value);
		}
	}

	#apply(
		out: TaylorModel,
		f: JetFunction,
		a: number,
		negligible: number,
		exponent: Instruction["value"],
	): void {
		const [lo, hi] = [this.ranges[2 * a], this.ranges[2 * a + 1]];
		this.#functions.applyInto(out, f, this.slots[a], negligible, exponent, { lo, hi });
	}

	/** A jump of some size depends on the sign of a difference that may have either. */
	#undecided(size: number, left: TaylorModel, right?: TaylorModel): void {
		const { nVars, order, table } = this.#space;
		this.jumps = true;
		for (let v = 0; v < nVars && order > 0; v++) {
			const at = table.linear[v];
			this.decides[v] += Math.abs(left.c[at] - (right?.c[at] ?? 0)) * size;
		}
	}

	/** Anything between two models: their mean, and half their distance in the radius. Returns how far they are apart. */
	#eitherInto(out: TaylorModel, first: TaylorModel, second: TaylorModel): number {
		const space = this.#space;
		const distance = this.#work;
		space.scaleInto(distance, second, -1, -1);
		space.addInto(distance, distance, first);
		space.boundsInto(this.#bounds, 0, distance);
		const far = Math.max(Math.abs(this.#bounds[0]), Math.abs(this.#bounds[1]));
		space.addInto(out, first, second);
		space.scaleInto(out, out, 0.5, 0.5);
		out.r = (out.r + far / 2) * space.up;
		if (!(out.r < Number.POSITIVE_INFINITY)) out.r = Number.POSITIVE_INFINITY;
		return far;
	}

	/**
	 * |g| for g in [lo, hi]: where g may have either sign it is between α·g and the chord through both ends, α·g + β, so that how it goes with the unknowns
	 * is not lost at a corner.
	 */
	#absInto(out: TaylorModel, g: TaylorModel, lo: number, hi: number): void {
		const space = this.#space;
		if (!(lo < 0 && hi > 0)) return space.scaleInto(out, g, lo >= 0 ? 1 : -1, lo >= 0 ? 1 : -1);
		let start = 0;
		for (let m = 1; m < space.M; m++) start += 2 * Math.abs(g.c[m]);
		const ratio = ({ whole, start: from }: { whole: number; start: number }): number =>
			whole / (from + 1e-300);
		if (!this.kink || ratio(this.kink) < ratio({ whole: hi - lo, start }))
			this.kink = { whole: hi - lo, start };
		// Any slope in [-1, 1] makes α·g a lower bound; the upper one is reached at an end.
		const alpha = Math.min(Math.max((hi + lo) / (hi - lo), -1), 1);
		const beta = Math.max(hi - alpha * hi, -lo - alpha * lo) * (1 + 2 ** -40);
		space.scaleInto(out, g, alpha, alpha);
		const half = beta / 2;
		out.c[0] += half;
		out.r = (out.r + half + Math.abs(out.c[0]) * 2 ** -52) * space.up;
		if (!(out.r < Number.POSITIVE_INFINITY)) out.r = Number.POSITIVE_INFINITY;
	}

	/** min(a, b) = b - max(b - a, 0) = (a + b - |a - b|)/2, and the like for max. */
	#cornerInto(out: TaylorModel, op: "min" | "max", a: number, b: number): void {
		const { ranges } = this;
		const space = this.#space;
		const s = this.slots;
		const first = op === "min" ? ranges[2 * a + 1] <= ranges[2 * b] : ranges[2 * a] >= ranges[2 * b + 1];
		const second = op === "min" ? ranges[2 * b + 1] <= ranges[2 * a] : ranges[2 * b] >= ranges[2 * a + 1];
		if (first || second) return space.copyInto(out, s[first ? a : b]);
		const difference = this.#work;
		space.scaleInto(difference, s[b], -1, -1);
		space.addInto(difference, difference, s[a]);
		space.boundsInto(this.#bounds, 0, difference);
		const lo = Math.max(this.#bounds[0], (ranges[2 * a] - ranges[2 * b + 1]) * (1 + 2 ** -40) - 1e-300);
		const hi = Math.min(this.#bounds[1], (ranges[2 * a + 1] - ranges[2 * b]) * (1 + 2 ** -40) + 1e-300);
		this.#absInto(out, difference, lo, hi);
		space.scaleInto(out, out, op === "min" ? -0.5 : 0.5, op === "min" ? -0.5 : 0.5);
		space.scaleInto(difference, s[a], 0.5, 0.5);
		space.addInto(out, out, difference);
		space.scaleInto(difference, s[b], 0.5, 0.5);
		space.addInto(out, out, difference);
	}
}
