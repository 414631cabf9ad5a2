/**
 * Elementary functions of Taylor models. A function is expanded at the middle c of the model, g = c + x: the first
 * coefficients act on the model of x by Horner's rule, and the rest is bounded by Lagrange's form, f^(n+1)/(n+1)! on
 * the range of g times |x|^(n+1) [makino2003]. A reciprocal is better proved from a guess: for |1 - g·W| <= e < 1 the
 * truth is within |W|·e/(1 - e) of W.
 */

import { mag as magnitude, mid } from "../measure.ts";
import { type JetFunction, jetInto } from "./jets.ts";
import type { TaylorModel, TaylorSpace } from "./taylor-model.ts";

const maxOrder = 24;
/** Coefficients that are computed at first. */
const firstKnown = 7;
const unused = { lo: 0, hi: 0 };
const everything = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };

export class TaylorFunctions {
	readonly #space: TaylorSpace;
	readonly #x: TaylorModel;
	readonly #acc: TaylorModel;
	readonly #constant: TaylorModel;
	readonly #range = new Float64Array(2);
	readonly #at = new Float64Array(2 * maxOrder + 4);
	readonly #over = new Float64Array(2 * maxOrder + 4);

	constructor(space: TaylorSpace) {
		this.#space = space;
		this.#x = space.model();
		this.#acc = space.model();
		this.#constant = space.model();
	}

	/**
	 * f of a model; the order of the expansion is the least that makes its remainder negligible beside `negligible`. `within`: bounds of the model by other
	 * means.
	 */
	applyInto(
		out: TaylorModel,
		f: JetFunction,
		a: TaylorModel,
		negligible: number,
		exponent: { readonly lo: number; readonly hi: number } = unused,
		within: { readonly lo: number; readonly hi: number } = everything,
	): void {
		const space = this.#space;
		const x = this.#x;
		const acc = this.#acc;
		const c = a.c[0];
		space.copyInto(x, a);
		x.c[0] = 0;
		space.boundsInto(this.#range, 0, a);
		const least = Math.max(this.#range[0], within.lo);
		const most = Math.min(this.#range[1], within.hi);
		const reach = Math.max(Math.abs(most - c), Math.abs(c - least)) * (1 + 2 ** -50);
		const size = Math.min(space.mag(x), reach);
		if (!(size < Number.POSITIVE_INFINITY)) {
			space.constantInto(out, 0, 0);
			out.r = Number.POSITIVE_INFINITY;
			return;
		}
		const lo = Math.min(least, c);
		const hi = Math.max(most, c);
		// Most expansions are short, and high powers of intervals take long: the jet grows as it is asked for, with the same first coefficients.
		let known = firstKnown;
		jetInto(this.#over, f, lo, hi, known, exponent);
		let order = 1;
		let left = this.#remainder(order, size);
		for (let n = 2; n <= maxOrder && left > negligible; n++) {
			if (n + 1 > known) {
				known = Math.min(2 * known, maxOrder + 1);
				jetInto(this.#over, f, lo, hi, known, exponent);
			}
			const next = this.#remainder(n, size);
			if (next < left) {
				left = next;
				order = n;
			}
		}
		jetInto(this.#at, f, c, c, order, exponent);
		space.constantInto(acc, this.#at[2 * order], this.#at[2 * order + 1]);
		for (let k = order - 1; k >= 0; k--) {
			space.mulInto(acc, acc, x);
			space.constantInto(this.#constant, this.#at[2 * k], this.#at[2 * k + 1]);
			space.addInto(acc, acc, this.#constant);
		}
		space.copyInto(out, acc);
		out.r = (acc.r + left) * space.up;
	}

	/** 1/a from a guess of the polynomial; an infinite radius where it is not proved that a is never 0. */
	reciprocalInto(out: TaylorModel, a: TaylorModel, guess: Float64Array, guessTop: number): void {
		const space = this.#space;
		const w = this.#x;
		const acc = this.#acc;
		w.c.fill(0);
		w.c.set(guess.subarray(0, (guessTop + 1) * space.M));
		w.top = guessTop;
		w.r = 0;
		space.mulInto(acc, a, w);
		acc.c[0] -= 1;
		// Subtracting 1 from a number near 1 is exact; elsewhere the rounding is far below what makes e < 1 fail.
		const e = (space.mag(acc) + Math.abs(acc.c[0]) * 2 ** -52 + 2 ** -53) * space.up;
		const norm = space.norm(w);
		space.copyInto(out, w);
		out.r = e < 0.5 ? (norm * e * (1 / (1 - e)) + 1e-300) * (1 + 1e-12) : Number.POSITIVE_INFINITY;
	}

	#remainder(order: number, size: number): number {
		const most = magnitude(this.#over[2 * order + 2], this.#over[2 * order + 3]);
		let power = most;
		for (let k = 0; k <= order; k++) power *= size;
		return Number.isNaN(power) ? Number.POSITIVE_INFINITY : power * (1 + 1e-12) + 1e-300;
	}
}

/** The middles of a jet at a point: what a plain evaluation uses. */
export function jetNumbers(
	f: JetFunction,
	c: number,
	order: number,
	exponent: { readonly lo: number; readonly hi: number } = unused,
): Float64Array {
	const jet = new Float64Array(2 * order + 2);
	jetInto(jet, f, c, c, order, exponent);
	return Float64Array.from({ length: order + 1 }, (_, k) => mid(jet[2 * k], jet[2 * k + 1]));
}
