/**
 * Step 1 for long records with a covariance of compact support (the paper's): the matrix is a band, and all that states
 * and derivatives with their variances need of its inverse lies within twice that band. Cost and memory grow in proportion
 * to the record, times band² and band.
 */
import { InternalError } from "../../../errors.ts";
import { bandedCholeskyInto, bandedInverse, bandedSolveInto } from "../../../num/linear/banded-cholesky.ts";
import { choleskyInto, choleskyInverse } from "../../../num/linear/cholesky.ts";
import type { Radial } from "../field/radial.ts";
import { type Instant, meanRow, type Posterior, type Samples, type Smoother } from "./smoother.ts";
import { type TimeHyper, timeCovariance } from "./time-covariance.ts";

export class BandedSmoother implements Smoother {
	readonly form = "banded";
	readonly isDefinite: boolean;
	readonly #reach: number;
	/** K⁻¹ near the diagonal. */
	readonly #inverse: Float64Array;
	/** K⁻¹ (y - P β), and K⁻¹ P column by column. */
	readonly #dual: Float64Array;
	readonly #solvedMean: readonly Float64Array[];
	readonly #beta: Float64Array;
	readonly #betaCovariance: Float64Array;

	constructor(
		readonly samples: Samples,
		readonly radial: Radial,
		readonly hyper: TimeHyper,
		readonly meanDegree: number,
	) {
		if (!(radial.support < Number.POSITIVE_INFINITY))
			throw new InternalError(`${radial.name} has no compact support`);
		const { t, order, y, variance } = samples;
		const n = t.length;
		const band = bandOf(t, hyper.length);
		const a = new Float64Array(n * (band + 1));
		for (let i = 0; i < n; i++)
			for (let j = Math.max(0, i - band); j <= i; j++)
				a[i * (band + 1) + band - i + j] =
					timeCovariance(radial, hyper, t[i] - t[j], order[i], order[j]) + (i === j ? variance[i] : 0);
		this.isDefinite = bandedCholeskyInto(a, n, band);
		// Two samples that both reach one instant are less than two lengths apart.
		this.#reach = Math.min(n - 1, bandOf(t, 2 * hyper.length));
		this.#inverse = bandedInverse(a, n, band, this.#reach);
		const q = meanDegree + 1;
		const mean = Array.from(t, (ti, i) => meanRow(ti - t[0], order[i], meanDegree));
		this.#solvedMean = Array.from({ length: q }, (_, j) => {
			const column = Float64Array.from(mean, (row) => row[j]);
			bandedSolveInto(column, a, n, band);
			return column;
		});
		const normal = new Float64Array(q * q);
		const right = new Float64Array(q);
		for (let i = 0; i < n; i++)
			for (let j = 0; j < q; j++) {
				right[j] += this.#solvedMean[j][i] * y[i];
				for (let k = 0; k < q; k++) normal[j * q + k] += this.#solvedMean[j][i] * mean[i][k];
			}
		choleskyInto(normal, q);
		this.#betaCovariance = choleskyInverse(normal, q);
		this.#beta = right.map((_, j) => {
			let sum = 0;
			for (let k = 0; k < q; k++) sum += this.#betaCovariance[j * q + k] * right[k];
			return sum;
		});
		this.#dual = y.map((yi, i) => yi - mean[i].reduce((sum, p, j) => sum + p * this.#beta[j], 0));
		bandedSolveInto(this.#dual, a, n, band);
	}

	posterior(instants: readonly Instant[]): Posterior {
		const { t } = this.samples;
		const mean = new Float64Array(instants.length);
		const variance = new Float64Array(instants.length);
		instants.forEach((instant, at) => {
			const from = lowerBound(t, instant.t - this.hyper.length);
			const k: number[] = [];
			for (let i = from; i < t.length && t[i] < instant.t + this.hyper.length; i++)
				k.push(
					timeCovariance(this.radial, this.hyper, instant.t - t[i], instant.order, this.samples.order[i]),
				);
			const row = meanRow(instant.t - t[0], instant.order, this.meanDegree);
			let value = 0;
			let left = timeCovariance(this.radial, this.hyper, 0, instant.order, instant.order);
			for (let i = 0; i < k.length; i++) {
				value += k[i] * this.#dual[from + i];
				const line = (from + i) * (this.#reach + 1);
				left -= k[i] * k[i] * this.#inverse[line];
				for (let j = i + 1; j < k.length; j++) left -= 2 * k[i] * k[j] * this.#inverse[line + j - i];
			}
			const q = row.length;
			for (let j = 0; j < q; j++) {
				value += row[j] * this.#beta[j];
				for (let i = 0; i < k.length; i++) row[j] -= k[i] * this.#solvedMean[j][from + i];
			}
			for (let a = 0; a < q; a++)
				for (let b = 0; b < q; b++) left += row[a] * this.#betaCovariance[a * q + b] * row[b];
			mean[at] = value;
			variance[at] = Math.max(left, 0);
		});
		return { mean, variance };
	}
}

/** Most samples by which two may be apart and still be nearer in time than `length`. */
function bandOf(t: Float64Array, length: number): number {
	let band = 0;
	for (let i = 0, from = 0; i < t.length; i++) {
		while (t[i] - t[from] >= length) from++;
		band = Math.max(band, i - from);
	}
	return band;
}

function lowerBound(t: Float64Array, time: number): number {
	let lo = 0;
	let hi = t.length;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (t[middle] <= time) lo = middle + 1;
		else hi = middle;
	}
	return lo;
}
