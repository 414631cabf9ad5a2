/**
 * How well a covariance suits the data: restricted likelihood (REML, of the contrasts alone) or likelihood with the mean
 * at its best (ML), with exact derivatives by the parameters of the covariance.
 *
 * References: Stein, Interpolation of Spatial Data, 1999, section 6.4; Patterson, Thompson, Biometrika 58, 1971.
 */

import { log } from "../../../num/elementary/number.ts";
import {
	choleskyInto,
	choleskyInverse,
	choleskyLogDeterminant,
	choleskySolveInto,
} from "../../../num/linear/cholesky.ts";
import { transposed } from "../../../num/linear/dense.ts";
import { Reflections } from "../../../num/linear/reflections.ts";
import { IntrinsicKriging } from "./intrinsic-kriging.ts";

export type Criterion = "reml" | "ml";

export interface LikelihoodProblem {
	/** Mean functions (n × m) and data. */
	readonly p: Float64Array;
	readonly nMean: number;
	readonly y: Float64Array;
	/** Covariance of the data with noise. */
	readonly k: Float64Array;
	/** Its derivatives by each parameter. */
	readonly dk: readonly Float64Array[];
}

/** Negative logarithm and its gradient; Infinity where the covariance is not positive definite. */
export function negLogLikelihood(
	criterion: Criterion,
	{ p, nMean, y, k, dk }: LikelihoodProblem,
): { value: number; gradient: Float64Array } {
	const kriging = new IntrinsicKriging(k, p, y, nMean);
	const n = y.length;
	const refused = { value: Number.POSITIVE_INFINITY, gradient: new Float64Array(dk.length) };
	if (!kriging.isDefinite) return refused;
	const size = n - kriging.rank;
	let quadratic = 0;
	for (let i = 0; i < size; i++) quadratic += kriging.rotatedY[kriging.rank + i] * kriging.solved[i];
	let value: number;
	let inverse: Float64Array;
	if (criterion === "reml") {
		const determinant = choleskyLogDeterminant(kriging.factor, size);
		value = 0.5 * (quadratic + determinant + size * log(2 * Math.PI));
		inverse = dk.length > 0 ? projectedInverse(kriging) : k;
	} else {
		const factor = k.slice();
		if (!choleskyInto(factor, n)) return refused;
		value = 0.5 * (quadratic + choleskyLogDeterminant(factor, n) + n * log(2 * Math.PI));
		inverse = dk.length > 0 ? choleskyInverse(factor, n) : k;
	}
	if (Number.isNaN(value)) return refused;
	const c = dk.length > 0 ? kriging.dual : y;
	const gradient = Float64Array.from(dk, (d) => {
		let sum = 0;
		for (let i = 0; i < n; i++) {
			const ci = c[i];
			const row = i * n;
			for (let j = 0; j < n; j++) sum += (inverse[row + j] - ci * c[j]) * d[row + j];
		}
		return sum / 2;
	});
	return { value, gradient };
}

/** REML of a covariance that is a sum of fixed parts: these are reduced to contrasts once, and each value is cheap. */
export class ContrastParts {
	readonly #size: number;
	readonly #y: Float64Array;
	readonly #parts: readonly Float64Array[];

	/** `p`: mean functions (n × nMean); `parts`: n × n each. */
	constructor(p: Float64Array, nMean: number, y: Float64Array, parts: readonly Float64Array[]) {
		const n = y.length;
		const reflections = new Reflections(p, n, nMean);
		const { rank } = reflections;
		const size = n - rank;
		this.#size = size;
		const rotated = y.slice();
		reflections.applyTransposeInto(rotated);
		this.#y = rotated.slice(rank);
		this.#parts = parts.map((part) => {
			const whole = part.slice();
			reflections.congruenceInto(whole);
			const block = new Float64Array(size * size);
			for (let i = 0; i < size; i++)
				for (let j = 0; j < size; j++) block[i * size + j] = whole[(rank + i) * n + rank + j];
			return block;
		});
	}

	/** Of Σ sizes · parts, with its derivative by each size, computed where it is asked for. */
	negLogReml(sizes: Float64Array): { readonly value: number; gradient(): Float64Array } {
		const found = this.#factored(sizes);
		return found
			? { value: found.value, gradient: () => this.#gradient(found) }
			: { value: Number.POSITIVE_INFINITY, gradient: () => new Float64Array(sizes.length) };
	}

	#gradient({ w, c }: { readonly w: Float64Array; readonly c: Float64Array }): Float64Array {
		const size = this.#size;
		// W⁻¹ - c cᵀ. Both triangles are alike: the lower one counts twice.
		const inverse = choleskyInverse(w, size);
		for (let i = 0; i < size; i++) {
			const ci = c[i];
			const row = i * size;
			for (let j = 0; j < i; j++) inverse[row + j] = 2 * (inverse[row + j] - ci * c[j]);
			inverse[row + i] -= ci * ci;
		}
		return Float64Array.from(this.#parts, (part) => lowerProduct(inverse, part, size) / 2);
	}

	/** L of the sum W = L Lᵀ, and W⁻¹ y; undefined where it is not positive definite. */
	#factored(sizes: Float64Array): { value: number; w: Float64Array; c: Float64Array } | undefined {
		const size = this.#size;
		const w = new Float64Array(size * size);
		for (let q = 0; q < sizes.length; q++) addLower(w, sizes[q], this.#parts[q], size);
		if (!choleskyInto(w, size)) return undefined;
		const c = this.#y.slice();
		choleskySolveInto(c, w, size);
		let quadratic = 0;
		for (let i = 0; i < size; i++) quadratic += c[i] * this.#y[i];
		const value = 0.5 * (quadratic + choleskyLogDeterminant(w, size) + size * log(2 * Math.PI));
		return Number.isNaN(value) ? undefined : { value, w, c };
	}
}

/** The lower triangle of w + a·part, in w. */
function addLower(w: Float64Array, a: number, part: Float64Array, n: number): void {
	for (let i = 0; i < n; i++) for (let at = i * n, end = at + i; at <= end; at++) w[at] += a * part[at];
}

/** Σ a_ij b_ij over the lower triangle. */
function lowerProduct(a: Float64Array, b: Float64Array, n: number): number {
	let sum = 0;
	for (let i = 0; i < n; i++) for (let at = i * n, end = at + i; at <= end; at++) sum += a[at] * b[at];
	return sum;
}

/** Z W⁻¹ Zᵀ. */
function projectedInverse({ factor, n, rank, reflections }: IntrinsicKriging): Float64Array {
	const size = n - rank;
	const inverse = choleskyInverse(factor, size);
	const full = new Float64Array(n * n);
	for (let i = 0; i < size; i++) {
		const row = full.subarray((rank + i) * n, (rank + i + 1) * n);
		row.set(inverse.subarray(i * size, (i + 1) * size), rank);
		reflections.applyInto(row);
	}
	// Rows are done; the columns likewise, as rows of the transpose.
	const columns = transposed(full, n, n);
	for (let j = 0; j < n; j++) reflections.applyInto(columns.subarray(j * n, (j + 1) * n));
	return transposed(columns, n, n);
}
