/** A learned function in the form in which it is evaluated: a sum of covariances around centres, and a polynomial. */

import type { FieldFunction } from "./field-design.ts";
import { monomialAt, monomialSlope } from "./monomials.ts";

export class KernelSum {
	readonly #x: Float64Array;
	readonly #squares: Float64Array;
	readonly #slopes: Float64Array;

	constructor(
		readonly fn: FieldFunction,
		readonly hyper: Float64Array,
		/** Scaled, row by row. */
		readonly centres: Float64Array,
		readonly weights: Float64Array,
		readonly trend: Float64Array,
	) {
		this.#x = new Float64Array(fn.centre.length);
		this.#squares = new Float64Array(fn.centre.length);
		this.#slopes = new Float64Array(fn.centre.length);
	}

	/** At arguments in natural units. */
	value(args: ArrayLike<number>): number {
		const { covariance, basis } = this.fn;
		const { weights, centres, trend, hyper } = this;
		const x = this.#scale(args);
		const d = x.length;
		const squares = this.#squares;
		let value = 0;
		for (let i = 0, at = 0; i < weights.length; i++) {
			for (let a = 0; a < d; a++, at++) squares[a] = (x[a] - centres[at]) * (x[a] - centres[at]);
			value += weights[i] * covariance.value(hyper, squares, 0);
		}
		for (let j = 0; j < basis.length; j++) value += trend[j] * monomialAt(basis[j], x);
		return value;
	}

	gradientInto(out: Float64Array, args: ArrayLike<number>): void {
		const { covariance, basis, scale } = this.fn;
		const { weights, centres, trend, hyper } = this;
		const x = this.#scale(args);
		const d = x.length;
		const squares = this.#squares;
		const slopes = this.#slopes;
		for (let a = 0; a < d; a++) {
			out[a] = 0;
			for (let j = 0; j < basis.length; j++) out[a] += trend[j] * monomialSlope(basis[j], x, a);
		}
		for (let i = 0; i < weights.length; i++) {
			for (let a = 0, at = i * d; a < d; a++, at++) squares[a] = (x[a] - centres[at]) * (x[a] - centres[at]);
			covariance.slopesInto(slopes, hyper, squares, 0);
			for (let a = 0, at = i * d; a < d; a++, at++) out[a] += weights[i] * slopes[a] * (x[a] - centres[at]);
		}
		for (let a = 0; a < d; a++) out[a] /= scale[a];
	}

	#scale(args: ArrayLike<number>): Float64Array {
		const { centre, scale } = this.fn;
		for (let i = 0; i < centre.length; i++) this.#x[i] = (args[i] - centre[i]) / scale[i];
		return this.#x;
	}
}
