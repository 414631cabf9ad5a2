/** The evidence of sets of terms of a linear problem: through its triangle, with all digits, or by a quick look. */

import { log } from "../../../num/elementary/number.ts";
import { choleskyInto } from "../../../num/linear/cholesky.ts";
import { solveTriangleInto } from "../../../num/linear/householder.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";
import { triangulateDampedInto } from "../descent/damped-triangle.ts";
import { mostByWidth, priorFor, wideVariance } from "./evidence.ts";

/** A linear least-squares problem by its triangle: subsets of its columns are cheap to judge. */
export class LinearEvidence {
	readonly #n: number;
	/** RᵀR and RᵀQᵀb, for the quick look. */
	readonly #gram: Float64Array;
	readonly #right: Float64Array;
	readonly #square: number;
	readonly #columns: Float64Array;
	readonly #lower: Float64Array;
	readonly #rhs: Float64Array;
	readonly #lowerRhs: Float64Array;
	readonly #work: Float64Array;
	readonly #prior: Float64Array;
	/** Prior variances at which values are nearly what the data alone say. */
	readonly #wide: Float64Array;

	constructor(
		readonly scales: EffectScales,
		/** R and Qᵀb of all unknowns, and the sum of squares that no unknown can explain. */
		readonly triangle: Float64Array,
		readonly qtb: Float64Array,
		readonly rest: number,
		readonly variance: number,
		/** A first guess of the values, for the scales of the prior. */
		readonly guess: Float64Array,
	) {
		const n = qtb.length;
		this.#n = n;
		this.#columns = new Float64Array(n * n);
		this.#lower = new Float64Array(n * n);
		this.#rhs = new Float64Array(n);
		this.#lowerRhs = new Float64Array(n);
		this.#work = new Float64Array(n * n + n);
		this.#prior = new Float64Array(n);
		this.#wide = Float64Array.from({ length: n }, (_, u) => wideVariance(scales, u));
		this.#gram = new Float64Array(n * n);
		this.#right = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			for (let j = i; j < n; j++) {
				this.#right[j] += triangle[i * n + j] * qtb[i];
				for (let k = i; k <= j; k++) this.#gram[j * n + k] += triangle[i * n + j] * triangle[i * n + k];
			}
		}
		for (let j = 0; j < n; j++) for (let k = 0; k < j; k++) this.#gram[k * n + j] = this.#gram[j * n + k];
		this.#square = qtb.reduce((sum, value) => sum + value * value, rest);
	}

	/** Minus twice the log evidence of the terms, and their values: through the triangle, with all digits. */
	judge(active: readonly number[]): { cost: number; values: Float64Array } {
		const n = this.#n;
		const k = active.length;
		const noise = Math.sqrt(this.variance);
		const columns = this.#columns;
		const lower = this.#lower;
		const right = this.#rhs;
		const lowerRight = this.#lowerRhs;
		let values = this.#roughValues(
			active,
			Float64Array.from(active, (u) => this.guess[u]),
		);
		const prior = priorFor(this.scales, active, values);
		columns.fill(0, 0, n * k);
		lower.fill(0, 0, k * k);
		lowerRight.fill(0, 0, k);
		right.set(this.qtb);
		for (let j = 0; j < k; j++) {
			for (let i = 0; i <= active[j]; i++) columns[j * n + i] = this.triangle[i * n + active[j]];
			// The prior as one more observation: 0 = a / sd.
			lower[j * k + j] = noise / Math.sqrt(prior.variance[j]);
		}
		triangulateDampedInto(columns, n, active, lower, right, lowerRight, k);
		let left = this.rest;
		for (let i = k; i < n; i++) left += right[i] * right[i];
		for (let i = 0; i < k; i++) left += lowerRight[i] * lowerRight[i];
		let cost = left / this.variance + prior.penalty;
		for (let j = 0; j < k; j++)
			cost += 2 * log(Math.abs(columns[j * n + j]) / noise) + log(prior.variance[j]);
		values = right.slice(0, k);
		solveTriangleInto(values, columns, n, k);
		return { cost: Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost, values };
	}

	/** Values with the prior that suits a guess, good enough to find the prior that suits them. */
	#roughValues(active: readonly number[], guess: Float64Array): Float64Array {
		const k = active.length;
		const prior = priorFor(this.scales, active, guess).variance;
		active.forEach((u, i) => {
			this.#prior[u] = prior[i];
		});
		if (!(this.look(active, this.#prior) < Number.POSITIVE_INFINITY)) return guess;
		const l = this.#work;
		const values = l.slice(this.#n * this.#n, this.#n * this.#n + k);
		for (let i = k - 1; i >= 0; i--) {
			values[i] /= l[i * k + i];
			for (let j = 0; j < i; j++) values[j] -= l[i * k + j] * values[i];
		}
		return values;
	}

	/**
	 * About the same in a tenth of the time: with a given prior, and by normal equations, which lose digits where columns are
	 * nearly alike. Good for choosing what to judge.
	 */
	look(active: readonly number[], prior: Float64Array): number {
		const n = this.#n;
		const k = active.length;
		const l = this.#work;
		const z = l.subarray(n * n, n * n + k);
		let cost = this.#square / this.variance + this.#costOf(active);
		for (let i = 0; i < k; i++) {
			const row = active[i] * n;
			for (let j = 0; j <= i; j++) l[i * k + j] = this.#gram[row + active[j]] / this.variance;
			l[i * k + i] += 1 / prior[active[i]];
			z[i] = this.#right[active[i]] / this.variance;
		}
		let determinant = 1;
		for (let i = 0; i < k; i++) {
			let sum = z[i];
			for (let j = 0; j <= i; j++) {
				let entry = l[i * k + j];
				for (let m = 0; m < j; m++) entry -= l[i * k + m] * l[j * k + m];
				if (j < i) {
					l[i * k + j] = entry / l[j * k + j];
					sum -= l[i * k + j] * z[j];
				} else {
					if (!(entry > 0)) return Number.POSITIVE_INFINITY;
					// Logarithms are taken of products, a few at a time.
					determinant *= entry * prior[active[i]];
					if (!(determinant < 1e200)) {
						cost += log(determinant);
						determinant = 1;
					}
					l[i * k + i] = Math.sqrt(entry);
				}
			}
			z[i] = sum / l[i * k + i];
			cost -= z[i] * z[i];
		}
		return cost + log(determinant);
	}

	/** Of terms before the data. */
	#costOf(unknowns: readonly number[]): number {
		let cost = 0;
		for (const u of unknowns) cost += this.scales.cost[u];
		return cost;
	}

	/**
	 * `look` for sets that differ in some terms only, each with the prior that suits its own values: one that suits others is narrow where these
	 * have little, and a set with much there, which may be the true one, would look hundreds of times worse than it is. The terms that stay are
	 * eliminated once, with a prior that lets them follow. Gives what a set costs more than none of those terms, or Infinity where it is more than `most`.
	 */
	lookWithin(
		stays: readonly number[],
		block: readonly number[],
	): ((places: ArrayLike<number>, count: number, most: number) => number) | undefined {
		const left = this.#besides(stays, block);
		if (!left) return undefined;
		const m = block.length;
		const r = new Float64Array(m * m);
		const z = new Float64Array(m);
		const cost = (places: ArrayLike<number>, count: number, variance: (i: number) => number): number => {
			let value = 0;
			let determinant = 1;
			for (let i = 0; i < count; i++) {
				let sum = left[m * m + places[i]];
				for (let j = 0; j <= i; j++) {
					let entry = left[places[i] * m + places[j]];
					for (let h = 0; h < j; h++) entry -= r[i * m + h] * r[j * m + h];
					if (j < i) {
						r[i * m + j] = entry / r[j * m + j];
						sum -= r[i * m + j] * z[j];
					} else {
						entry += 1 / variance(i);
						if (!(entry > 0)) return Number.POSITIVE_INFINITY;
						determinant *= entry * variance(i);
						if (!(determinant < 1e200)) {
							value += log(determinant);
							determinant = 1;
						}
						r[i * m + i] = Math.sqrt(entry);
					}
				}
				z[i] = sum / r[i * m + i];
				value -= z[i] * z[i];
			}
			return value + log(determinant);
		};
		return (places, count, most) => {
			const wide = cost(places, count, (i) => this.#wide[block[places[i]]]);
			const own = Array.from({ length: count }, (_, i) => block[places[i]]);
			if (!(wide + this.#costOf(own) - mostByWidth * count < most)) return Number.POSITIVE_INFINITY;
			const values = z.slice(0, count);
			for (let i = count - 1; i >= 0; i--) {
				values[i] /= r[i * m + i];
				for (let j = 0; j < i; j++) values[j] -= r[i * m + j] * values[i];
			}
			const { variance, penalty } = priorFor(this.scales, own, values);
			return cost(places, count, (i) => variance[i]) + penalty;
		};
	}

	/** What terms that stay leave of the equations of a block, and of their right-hand side (the last row). */
	#besides(stays: readonly number[], block: readonly number[]): Float64Array | undefined {
		const n = this.#n;
		const k = stays.length;
		const m = block.length;
		const gram = (a: number, b: number): number => this.#gram[a * n + b] / this.variance;
		const l = new Float64Array(k * k);
		for (let i = 0; i < k; i++)
			for (let j = 0; j <= i; j++)
				l[i * k + j] = gram(stays[i], stays[j]) + (i === j ? 1 / this.#wide[stays[i]] : 0);
		if (!choleskyInto(l, k)) return undefined;
		const solved = new Float64Array((m + 1) * k);
		for (let c = 0; c <= m; c++)
			for (let i = 0; i < k; i++) {
				let sum = c < m ? gram(stays[i], block[c]) : this.#right[stays[i]] / this.variance;
				for (let j = 0; j < i; j++) sum -= l[i * k + j] * solved[c * k + j];
				solved[c * k + i] = sum / l[i * k + i];
			}
		const left = new Float64Array((m + 1) * m);
		for (let c = 0; c <= m; c++)
			for (let d = 0; d < m; d++) {
				let sum = c < m ? gram(block[c], block[d]) : this.#right[block[d]] / this.variance;
				for (let i = 0; i < k; i++) sum -= solved[c * k + i] * solved[d * k + i];
				left[c * m + d] = sum;
			}
		return left;
	}

	/** Prior variances of all unknowns that suit the given terms. */
	priorAround(active: readonly number[], values: Float64Array): Float64Array {
		const all = [...Array(this.#n).keys()];
		const full = new Float64Array(this.#n);
		active.forEach((u, k) => {
			full[u] = values[k];
		});
		const own = priorFor(this.scales, active, values).variance;
		// Terms that are out have the width that they would have without a value of their own.
		const common = priorFor(this.scales, all, full).variance;
		active.forEach((u, k) => {
			common[u] = own[k];
		});
		return common;
	}
}
