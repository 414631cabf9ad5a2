/** Numbers that describe a posterior: means, spreads, quantiles, correlations, in natural units. */

import { squared } from "../../../num/whole-power.ts";
import type { PosteriorUnknown } from "../likelihood/unknowns.ts";
import { naturalValues } from "../likelihood/unknowns.ts";

export interface Marginal {
	readonly name: string;
	/** Natural values of the particles. */
	readonly values: Float64Array;
	readonly mean: number;
	readonly sd: number;
	readonly q05: number;
	readonly q50: number;
	readonly q95: number;
	/** Standard deviation in the sampled coordinate. */
	readonly sampledSd: number;
}

export function marginals(unknowns: readonly PosteriorUnknown[], z: Float64Array, n: number): Marginal[] {
	const theta = naturalValues(unknowns, z, n);
	return unknowns.map(({ name }, i) => {
		const values = theta.slice(i * n, (i + 1) * n);
		const sorted = values.slice().sort();
		const { mean, sd } = moments(values);
		return {
			name,
			values,
			mean,
			sd,
			q05: quantile(sorted, 0.05),
			q50: quantile(sorted, 0.5),
			q95: quantile(sorted, 0.95),
			sampledSd: moments(z.subarray(i * n, (i + 1) * n)).sd,
		};
	});
}

export function moments(values: ArrayLike<number>): { mean: number; sd: number } {
	const n = values.length;
	let mean = 0;
	for (let b = 0; b < n; b++) mean += values[b] / n;
	let sum = 0;
	for (let b = 0; b < n; b++) sum += squared(values[b] - mean);
	return { mean, sd: Math.sqrt(sum / Math.max(n - 1, 1)) };
}

/** Of each coordinate of weighted draws in columns; the weights sum to 1. */
export function weightedMoments(
	z: Float64Array,
	weights: ArrayLike<number>,
): { means: Float64Array; sds: Float64Array } {
	const n = weights.length;
	const means = new Float64Array(n > 0 ? z.length / n : 0);
	const sds = new Float64Array(means.length);
	for (let i = 0; i < means.length; i++) {
		for (let b = 0; b < n; b++) if (weights[b] > 0) means[i] += weights[b] * z[i * n + b];
		let square = 0;
		for (let b = 0; b < n; b++) if (weights[b] > 0) square += weights[b] * squared(z[i * n + b] - means[i]);
		sds[i] = Math.sqrt(square);
	}
	return { means, sds };
}

/** Of sorted values, between neighbours linearly. */
export function quantile(sorted: Float64Array, p: number): number {
	const at = p * (sorted.length - 1);
	const i = Math.floor(at);
	const next = Math.min(i + 1, sorted.length - 1);
	return sorted[i] + (at - i) * (sorted[next] - sorted[i]);
}

/** Correlation of two columns of sampled coordinates. */
export function correlation(z: Float64Array, n: number, i: number, j: number): number {
	const [a, b] = [z.subarray(i * n, (i + 1) * n), z.subarray(j * n, (j + 1) * n)];
	const [ma, mb] = [moments(a), moments(b)];
	let sum = 0;
	for (let k = 0; k < n; k++) sum += (a[k] - ma.mean) * (b[k] - mb.mean);
	return sum / (Math.max(n - 1, 1) * ma.sd * mb.sd);
}
