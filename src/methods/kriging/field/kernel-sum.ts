/** A learned function in the form in which it is evaluated: a sum of covariances around centres, and a polynomial. */

import { squared } from "../../../num/whole-power.ts";
import type { FieldFunction } from "./field-design.ts";
import { monomialAt, monomialSlope } from "./monomials.ts";

export class KernelSum {
	readonly #x: Float64Array;

	constructor(
		readonly fn: FieldFunction,
		readonly hyper: Float64Array,
		/** Scaled, row by row. */
		readonly centres: Float64Array,
		readonly weights: Float64Array,
		readonly trend: Float64Array,
	) {
		this.#x = new Float64Array(fn.centre.length);
	}

	/** At arguments in natural units. */
	value(args: ArrayLike<number>): number {
		const { covariance, basis } = this.fn;
		const { weights, trend, hyper } = this;
		const x = this.#scale(args);
		let value = 0;
		for (let i = 0; i < weights.length; i++) value += weights[i] * covariance.value(hyper, this.#distance(i));
		for (let j = 0; j < basis.length; j++) value += trend[j] * monomialAt(basis[j], x);
		return value;
	}

	gradientInto(out: Float64Array, args: ArrayLike<number>): void {
		const { covariance, basis, scale } = this.fn;
		const { weights, centres, trend, hyper } = this;
		const x = this.#scale(args);
		const d = x.length;
		for (let a = 0; a < d; a++) {
			out[a] = 0;
			for (let j = 0; j < basis.length; j++) out[a] += trend[j] * monomialSlope(basis[j], x, a);
		}
		for (let i = 0; i < weights.length; i++) {
			const slope = weights[i] * covariance.slope(hyper, this.#distance(i));
			for (let a = 0; a < d; a++) out[a] += slope * (x[a] - centres[i * d + a]);
		}
		for (let a = 0; a < d; a++) out[a] /= scale[a];
	}

	#scale(args: ArrayLike<number>): Float64Array {
		const { centre, scale } = this.fn;
		for (let i = 0; i < centre.length; i++) this.#x[i] = (args[i] - centre[i]) / scale[i];
		return this.#x;
	}

	#distance(i: number): number {
		const x = this.#x;
		const d = x.length;
		let sum = 0;
		for (let a = 0; a < d; a++) sum += squared(x[a] - this.centres[i * d + a]);
		return Math.sqrt(sum);
	}
}
