/**
 * How often rᵀMr / rᵀr exceeds c, where r = (I - BBᵀ)^½ z is what is left of independent normal z when a fit has taken directions
 * out of it: the saddlepoint approximation of `ratioTail` with the cumulants of N = M - c within I - BBᵀ,
 *
 *   det(I - 2sN(I - BBᵀ)) = Π(1 - 2sμᵢ) · det G,   G = I + Σ bᵢbᵢᵀ 2sμᵢ/(1 - 2sμᵢ),
 *
 * with μ and the rows bᵢ in the basis of the eigenvectors of M: no matrix is larger than the number of directions.
 */
import { log } from "../elementary/number.ts";
import { squared } from "../whole-power.ts";
import { normalTail } from "./incomplete-gamma.ts";

export interface Projected {
	/** Eigenvalues of M. */
	readonly weight: Float64Array;
	/** Row-major, one row an eigenvalue: B in the basis of the eigenvectors. */
	readonly taken: Float64Array;
	readonly nTaken: number;
}

export function projectedRatioTail(form: Projected, c: number): number {
	const { weight } = form;
	let most = Number.NEGATIVE_INFINITY;
	for (const each of weight) most = Math.max(most, each);
	if (!(c < most)) return 0;
	if (!(cumulantsAt(form, c, 0).slope < 0)) return 1;
	// The slope rises from below zero to a pole, which lies beyond that of the largest weight when its direction is taken out.
	// That one's own pole, where numbers end, is passed by.
	let [lo, hi] = [0, 0.999 / (2 * (most - c))];
	for (let k = 0; k < 60; k++) {
		const { isInside, slope } = cumulantsAt(form, c, hi);
		if (!isInside || slope > 0) break;
		[lo, hi] = [hi, 2 * hi];
	}
	for (let k = 0; k < 50; k++) {
		const s = (lo + hi) / 2;
		const { isInside, slope } = cumulantsAt(form, c, s);
		if (isInside && slope < 0) lo = s;
		else hi = s;
	}
	const { cumulant, curvature } = cumulantsAt(form, c, lo);
	const w = Math.sqrt(-2 * cumulant);
	// So near to the mean the correction is 0/0.
	if (!(w > 1e-4)) return 0.5;
	return Math.min(1, normalTail(w + log((lo * Math.sqrt(curvature)) / w) / w));
}

interface Cumulants {
	/** Whether s lies before the pole: as many negative eigenvalues of G as factors. */
	readonly isInside: boolean;
	readonly cumulant: number;
	readonly slope: number;
	readonly curvature: number;
}

function cumulantsAt({ weight, taken, nTaken: p }: Projected, c: number, s: number): Cumulants {
	const g = new Float64Array(p * p);
	const first = new Float64Array(p * p);
	const second = new Float64Array(p * p);
	for (let j = 0; j < p; j++) g[j * p + j] = 1;
	let [logs, slope, curvature, nNegative] = [0, 0, 0, 0];
	for (let i = 0; i < weight.length; i++) {
		const mu = weight[i] - c;
		const rest = 1 - 2 * s * mu;
		const share = mu / rest;
		if (rest < 0) nNegative++;
		logs += log(Math.abs(rest));
		slope += share;
		curvature += 2 * squared(share);
		for (let j = 0; j < p; j++) {
			const b = taken[i * p + j];
			for (let k = 0; k <= j; k++) {
				const product = b * taken[i * p + k];
				g[j * p + k] += 2 * s * share * product;
				first[j * p + k] += (2 * share * product) / rest;
				second[j * p + k] += (8 * squared(share) * product) / rest;
			}
		}
	}
	for (let j = 0; j < p; j++)
		for (let k = 0; k < j; k++)
			for (const matrix of [g, first, second]) matrix[k * p + j] = matrix[j * p + k];
	// Gauss-Jordan: G⁻¹G′ and G⁻¹G″; the pivots' signs are those of G's eigenvalues (Sylvester).
	for (let j = 0; j < p; j++) {
		const pivot = g[j * p + j];
		if (pivot < 0) nNegative--;
		logs += log(Math.abs(pivot));
		for (let i = 0; i < p; i++) {
			if (i === j) continue;
			const factor = g[i * p + j] / pivot;
			for (const matrix of [g, first, second])
				for (let k = 0; k < p; k++) matrix[i * p + k] -= factor * matrix[j * p + k];
		}
	}
	let [trace, traceOfSecond, traceOfSquare] = [0, 0, 0];
	for (let j = 0; j < p; j++) {
		trace += first[j * p + j] / g[j * p + j];
		traceOfSecond += second[j * p + j] / g[j * p + j];
		for (let k = 0; k < p; k++)
			traceOfSquare += (first[j * p + k] / g[j * p + j]) * (first[k * p + j] / g[k * p + k]);
	}
	return {
		isInside: nNegative === 0,
		cumulant: -0.5 * logs,
		slope: slope - 0.5 * trace,
		curvature: curvature - 0.5 * (traceOfSecond - traceOfSquare),
	};
}
