/**
 * A curve through noisy samples with its derivative: the posterior of a twice integrated Wiener process (a quintic
 * smoothing spline) by a Kalman filter and a Rauch–Tung–Striebel smoother, in time linear in the number of samples.
 * Noise and roughness are estimated from the samples by maximum likelihood.
 *
 * References: Wahba, "Improper priors, spline smoothing and the problem of guarding against model errors in regression",
 * 1978; Särkkä, Bayesian Filtering and Smoothing, 2013, chapters 4 and 8.
 */

import { exp, log } from "../../num/elementary/number.ts";
import { normalQuantile75 } from "../../num/statistics/quantile.ts";
import { squared } from "../../num/whole-power.ts";

export interface SmoothCurve {
	/** Value and slope at the nodes that were asked for. */
	readonly value: Float64Array;
	readonly slope: Float64Array;
	/** Second derivative. */
	readonly bend: Float64Array;
	/** Standard deviation of the noise, as estimated. */
	readonly noise: number;
}

const q = 3;
/** Search range of log(roughness / noise), time counted in sample intervals. */
const range = { lo: -24, hi: 24, steps: 24 };

/** The likeliest noise is doubted where it is so many times what the quiet half of the samples shows, of so many differences. */
const louder = 3;
const fewestDifferences = 20;

/** `t` rises; `nodes` rise and hold every t. */
export function smoothCurve(t: Float64Array, y: Float64Array, nodes: Float64Array): SmoothCurve {
	const n = t.length;
	const unit = n > 1 ? (t[n - 1] - t[0]) / (n - 1) : 1;
	let mean = 0;
	for (const value of y) mean += value / n;
	let size = 0;
	for (const value of y) size += squared(value - mean) / n;
	size = Math.sqrt(size) || Math.abs(mean) || 1;
	const samples = { t: t.map((each) => (each - t[0]) / unit), y: y.map((each) => (each - mean) / size) };
	const cost = (z: number): number => filter(samples, samples.t, exp(z)).cost;
	const likeliest = minimum(cost);
	const quiet = quietNoise(samples.y);
	const loud = Math.sqrt(filter(samples, samples.t, exp(likeliest)).noise);
	const ratio = exp(loud > louder * quiet ? roughnessFor(samples, likeliest, quiet) : likeliest);
	const at = nodes.map((each) => (each - t[0]) / unit);
	const filtered = filter(samples, at, ratio);
	const states = smooth(filtered);
	return {
		value: Float64Array.from(nodes, (_, k) => mean + size * states[k * q]),
		slope: Float64Array.from(nodes, (_, k) => (size * states[k * q + 1]) / unit),
		bend: Float64Array.from(nodes, (_, k) => (size * states[k * q + 2]) / (unit * unit)),
		noise: size * Math.sqrt(filtered.noise),
	};
}

/**
 * Noise that half of the samples have at most: from the median of third differences, in which a smooth curve is small. A curve that
 * rests and then jumps is likeliest all noise for a process that is equally rough everywhere; where it rests, it shows how little of
 * that is noise.
 */
function quietNoise(y: Float64Array): number {
	const sizes = Array.from({ length: Math.max(y.length - q, 0) }, (_, i) =>
		Math.abs(y[i + 3] - 3 * y[i + 2] + 3 * y[i + 1] - y[i]),
	).sort((a, b) => a - b);
	if (sizes.length < fewestDifferences) return Number.POSITIVE_INFINITY;
	// Beside the sum of squares of 1, 3, 3, 1.
	return sizes[sizes.length >> 1] / (normalQuantile75 * Math.sqrt(20));
}

/** The smallest roughness, from the likeliest one up, that leaves no more noise than given. */
function roughnessFor(samples: { t: Float64Array; y: Float64Array }, from: number, noise: number): number {
	let [lo, hi] = [from, range.hi];
	for (let k = 0; k < 16; k++) {
		const middle = (lo + hi) / 2;
		if (Math.sqrt(filter(samples, samples.t, exp(middle)).noise) > noise) lo = middle;
		else hi = middle;
	}
	return hi;
}

/** Coarse grid, then golden section. */
function minimum(cost: (z: number) => number): number {
	const width = (range.hi - range.lo) / range.steps;
	let best = range.lo;
	let least = Number.POSITIVE_INFINITY;
	for (let k = 0; k <= range.steps; k++) {
		const z = range.lo + k * width;
		const value = cost(z);
		if (value < least) [best, least] = [z, value];
	}
	const golden = (Math.sqrt(5) - 1) / 2;
	let [lo, hi] = [best - width, best + width];
	let [a, b] = [hi - golden * (hi - lo), lo + golden * (hi - lo)];
	let [fa, fb] = [cost(a), cost(b)];
	for (let k = 0; k < 16; k++) {
		if (fa < fb) {
			[hi, b, fb] = [b, a, fa];
			a = hi - golden * (hi - lo);
			fa = cost(a);
		} else {
			[lo, a, fa] = [a, b, fb];
			b = lo + golden * (hi - lo);
			fb = cost(b);
		}
	}
	return (lo + hi) / 2;
}

interface Filtered {
	readonly nodes: Float64Array;
	/** Moments after each node's sample, and as predicted before it. */
	readonly mean: Float64Array;
	readonly covariance: Float64Array;
	readonly predictedMean: Float64Array;
	readonly predictedCovariance: Float64Array;
	/** -2 log likelihood with the noise at its best value, and that value. */
	readonly cost: number;
	readonly noise: number;
}

/** All variances in units of the noise variance; `ratio`: diffusion of the process. */
function filter(
	{ t, y }: { t: Float64Array; y: Float64Array },
	nodes: Float64Array,
	ratio: number,
): Filtered {
	const n = nodes.length;
	const size = q * q;
	const out = {
		mean: new Float64Array(n * q),
		covariance: new Float64Array(n * size),
		predictedMean: new Float64Array(n * q),
		predictedCovariance: new Float64Array(n * size),
	};
	const m = new Float64Array(q);
	const P = new Float64Array(size);
	// Nothing is known of the start: very wide beside the noise and beside what the process does in one interval.
	const wide = 1e7 * (1 + ratio);
	for (let i = 0; i < q; i++) P[i * q + i] = wide;
	let squares = 0;
	let logs = 0;
	let used = 0;
	let seen = 0;
	for (let k = 0; k < n; k++) {
		if (k > 0) predict(m, P, nodes[k] - nodes[k - 1], ratio);
		out.predictedMean.set(m, k * q);
		out.predictedCovariance.set(P, k * size);
		if (seen < t.length && t[seen] === nodes[k]) {
			const s = P[0] + 1;
			const e = y[seen] - m[0];
			if (seen >= q) {
				squares += (e * e) / s;
				logs += log(s);
				used++;
			}
			update(m, P, e, s);
			seen++;
		}
		out.mean.set(m, k * q);
		out.covariance.set(P, k * size);
	}
	const noise = used > 0 ? Math.max(squares / used, 1e-30) : 1e-30;
	return { ...out, nodes, cost: used * log(noise) + logs, noise };
}

function predict(m: Float64Array, P: Float64Array, h: number, ratio: number): void {
	const half = (h * h) / 2;
	m[0] += h * m[1] + half * m[2];
	m[1] += h * m[2];
	// P = A P Aᵀ + Q, A = [1 h h²/2; 0 1 h; 0 0 1].
	for (let j = 0; j < q; j++) {
		P[j] += h * P[q + j] + half * P[2 * q + j];
		P[q + j] += h * P[2 * q + j];
	}
	for (let i = 0; i < q; i++) {
		P[i * q] += h * P[i * q + 1] + half * P[i * q + 2];
		P[i * q + 1] += h * P[i * q + 2];
	}
	const h2 = h * h;
	const h3 = h2 * h;
	P[0] += (ratio * h3 * h2) / 20;
	P[1] += (ratio * h2 * h2) / 8;
	P[2] += (ratio * h3) / 6;
	P[3] = P[1];
	P[4] += (ratio * h3) / 3;
	P[5] += (ratio * h2) / 2;
	P[6] = P[2];
	P[7] = P[5];
	P[8] += ratio * h;
}

/** Joseph's form, with the gain K = P e1 / s and noise 1. */
function update(m: Float64Array, P: Float64Array, e: number, s: number): void {
	const k0 = P[0] / s;
	const k1 = P[3] / s;
	const k2 = P[6] / s;
	const gain = [k0, k1, k2];
	for (let i = 0; i < q; i++) m[i] += gain[i] * e;
	const row = [P[0], P[1], P[2]];
	const next = new Float64Array(q * q);
	for (let i = 0; i < q; i++)
		for (let j = 0; j < q; j++)
			next[i * q + j] = P[i * q + j] - gain[i] * row[j] - row[i] * gain[j] + gain[i] * gain[j] * (row[0] + 1);
	for (let i = 0; i < q; i++)
		for (let j = 0; j < q; j++) P[i * q + j] = (next[i * q + j] + next[j * q + i]) / 2;
}

/** Smoothed means, node by node. */
function smooth({ nodes, mean, covariance, predictedMean, predictedCovariance }: Filtered): Float64Array {
	const n = nodes.length;
	const states = mean.slice();
	const d = new Float64Array(q);
	for (let k = n - 2; k >= 0; k--) {
		const h = nodes[k + 1] - nodes[k];
		for (let i = 0; i < q; i++) d[i] = states[(k + 1) * q + i] - predictedMean[(k + 1) * q + i];
		solve3(predictedCovariance.subarray((k + 1) * q * q, (k + 2) * q * q), d);
		// G d with G = P Aᵀ Pp⁻¹.
		const a0 = d[0];
		const a1 = h * d[0] + d[1];
		const a2 = ((h * h) / 2) * d[0] + h * d[1] + d[2];
		for (let i = 0; i < q; i++) {
			const row = k * q * q + i * q;
			states[k * q + i] += covariance[row] * a0 + covariance[row + 1] * a1 + covariance[row + 2] * a2;
		}
	}
	return states;
}

/** x = A⁻¹ x for a symmetric positive definite 3 × 3 matrix. */
function solve3(a: Float64Array, x: Float64Array): void {
	const l00 = Math.sqrt(a[0]);
	const l10 = a[3] / l00;
	const l20 = a[6] / l00;
	const l11 = Math.sqrt(Math.max(a[4] - l10 * l10, Number.MIN_VALUE));
	const l21 = (a[7] - l20 * l10) / l11;
	const l22 = Math.sqrt(Math.max(a[8] - l20 * l20 - l21 * l21, Number.MIN_VALUE));
	x[0] /= l00;
	x[1] = (x[1] - l10 * x[0]) / l11;
	x[2] = (x[2] - l20 * x[0] - l21 * x[1]) / l22;
	x[2] /= l22;
	x[1] = (x[1] - l21 * x[2]) / l11;
	x[0] = (x[0] - l10 * x[1] - l20 * x[2]) / l00;
}
