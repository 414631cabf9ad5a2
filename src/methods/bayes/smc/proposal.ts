/**
 * A proposal fitted to weighted particles, in sampled coordinates. [longbottom2024] eqs. (23), (24)
 *
 * Beyond the paper: the law may be Student's t. A target may be wider than the cloud on
 * the way to it (the integration error widens a posterior), and then a normal law fitted to the cloud hardly ever
 * proposes what the cloud lacks: target over proposal density has no bound, and independent moves do not mix. With
 * heavy tails it has one, of about 2 for a target half as wide again. Kernels of that kind: Mengersen, Tweedie, "Rates
 * of convergence of the Hastings and Metropolis algorithms", Annals of Statistics 24, 1996.
 *
 * Beyond the paper: where a spread of the noise is unknown, the other coordinates are the better known the smaller it
 * is, and the cloud is a funnel that no normal law fits. So each coordinate may scale with the spread's own coordinate w:
 * z_i = E_i + a_i (w - w̄) + exp(κ_i (w - w̄)) ε_i with normal w and ε. κ_i is what fits the particles best, often 0. A ridge
 * that bends is followed by a cubic instead (`bend.ts`). Near a bound all of this is in straight coordinates (`chart.ts`).
 */

import { log } from "../../../num/elementary/number.ts";
import {
	choleskyInto,
	choleskyInverse,
	choleskyLogDeterminant,
	solveLowerInto,
} from "../../../num/linear/cholesky.ts";
import { invertDefiniteInto } from "../../../num/linear/definite-inverse.ts";
import type { Stream } from "../../../num/random.ts";
import { logGamma } from "../../../num/statistics/log-gamma.ts";
import { effectiveSampleSize } from "../../../num/statistics/log-weights.ts";
import { halfLogTwoPi } from "../../../num/statistics/normal-density.ts";
import { Bend } from "./bend.ts";
import { type Kinds, logitOf, logSlope, shareOf, straightened } from "./chart.ts";
import { bend, type Funnel, funnelOf, type Shape, straighten } from "./shape.ts";

/** Degrees of freedom of heavy tails. Even, so that χ² is a sum of exponentials. */
const degrees = 6;
export class Proposal {
	readonly #work: Float64Array;
	readonly #place: Float64Array;
	readonly #constant: number;

	private constructor(
		readonly mean: Float64Array,
		/** Lower triangular: covariance of ε (and of w itself) = L Lᵀ, up to the factor that heavy tails bring. */
		readonly L: Float64Array,
		readonly shape: Shape | undefined,
		/** Effective number of particles that it was fitted to. */
		readonly size: number,
		/** Coordinates that are shares of the way between two bounds here, of which the sampled ones are the logits. */
		readonly straight: readonly number[] = [],
		readonly tails: "normal" | "heavy" = "normal",
	) {
		const d = mean.length;
		this.#work = new Float64Array(d);
		this.#place = new Float64Array(d);
		this.#constant =
			-0.5 * choleskyLogDeterminant(L, d) +
			(tails === "heavy"
				? logGamma((degrees + d) / 2) - logGamma(degrees / 2) - 0.5 * d * log(degrees * Math.PI)
				: -d * halfLogTwoPi);
	}

	/**
	 * The normal law. Of the coordinates that others may scale with, logarithms of spreads, the one that explains most is used.
	 */
	static fit(
		sampled: Float64Array,
		weights: Float64Array,
		d: number,
		{ scales = [], bounded = [] }: Kinds = {},
	): Proposal {
		const n = weights.length;
		const straight = straightened(sampled, weights, bounded);
		const z = straight.length > 0 ? sampled.slice() : sampled;
		for (const i of straight) for (let b = i * n; b < (i + 1) * n; b++) z[b] = shareOf(z[b]);
		const mean = new Float64Array(d);
		for (let i = 0; i < d; i++)
			for (let b = 0; b < n; b++) if (weights[b] > 0) mean[i] += weights[b] * z[i * n + b];
		const size = effectiveSampleSize(weights);
		const funnel = scales
			.map((at) => funnelOf(z, weights, mean, at))
			.reduce<{ funnel: Funnel; gain: number } | undefined>(
				(best, one) => (one.gain > (best?.gain ?? 0.05) ? one : best),
				undefined,
			)?.funnel;
		// Both are held beside one another by what they leave.
		const left = [funnel, Bend.fit(z, weights, mean)]
			.flatMap((shape) => (shape ? [{ shape, L: leftBy(z, weights, mean, shape) }] : []))
			.sort((one, other) => choleskyLogDeterminant(one.L, d) - choleskyLogDeterminant(other.L, d));
		const { shape, L } = left[0] ?? { shape: undefined, L: leftBy(z, weights, mean, undefined) };
		return new Proposal(mean, L, shape, size, straight);
	}

	/** The normal law around the top of a density, by minus the Hessian of its logarithm, row-major. */
	static around(mean: Float64Array, curvature: Float64Array): Proposal {
		const covariance = curvature.slice();
		invertDefiniteInto(covariance, mean.length);
		return new Proposal(mean, jitteredCholesky(covariance, mean.length), undefined, Number.POSITIVE_INFINITY);
	}

	/** The inverse of its covariance, row-major. */
	precision(): Float64Array {
		return choleskyInverse(this.L, this.mean.length);
	}

	/** Student's t in its place, `factor` times as wide, and wider still where few particles told the width. */
	heavy(factor: number): Proposal {
		const { mean, L, shape, size, straight } = this;
		const stretch = factor * Math.sqrt(1 + mean.length / size);
		const wide = L.map((value) => stretch * value);
		return new Proposal(mean, wide, shape, size, straight, "heavy");
	}

	/**
	 * Writes point b of n into the columns z. Points come in pairs, mirrored: each is a draw like any other, and means
	 * over all of them hardly vary. False where it lies beyond a bound: what is written then is not it.
	 */
	drawInto(z: Float64Array, n: number, b: number, random: Stream): boolean {
		const { mean } = this;
		const first = b - (b % 2);
		this.#deviate(first, random, b % 2 === 0 ? 1 : -1);
		if (this.tails === "heavy") {
			// Indices beyond those of the normal deviates.
			const from = (n + 1) * mean.length + (first * degrees) / 2;
			let chiSquare = 0;
			for (let k = 0; k < degrees / 2; k++) chiSquare -= 2 * log(random.uniform(from + k));
			const stretch = Math.sqrt(degrees / chiSquare);
			for (let i = 0; i < mean.length; i++) this.#work[i] *= stretch;
		}
		return this.#pointInto(z, n, b, this.#work);
	}

	/**
	 * A step from a point's own place, `scale` times as wide as the cloud. False where it leads beyond a bound. It is even in the
	 * coordinates in which the cloud is nearly normal: one along a ridge that bends follows the ridge.
	 */
	stepInto(
		z: Float64Array,
		from: Float64Array,
		n: number,
		b: number,
		random: Stream,
		scale: number,
	): boolean {
		const step = this.#work;
		const e = this.#place;
		this.#deviate(b, random);
		this.#straightenInto(e, from, n, b);
		for (let i = 0; i < e.length; i++) e[i] += scale * step[i];
		return this.#pointInto(z, n, b, e);
	}

	/** All points of n in the coordinates in which the cloud is nearly normal. */
	straightened(z: Float64Array, n: number): Float64Array {
		const out = new Float64Array(z.length);
		const e = this.#place;
		for (let b = 0; b < n; b++) {
			this.#straightenInto(e, z, n, b);
			for (let i = 0; i < e.length; i++) out[i * n + b] = e[i];
		}
		return out;
	}

	/** Log of how much the coordinates that steps are even in change with the sampled ones. */
	logSlope(z: Float64Array, n: number, b: number): number {
		return this.#straightenInto(this.#place, z, n, b);
	}

	/** Point b in the coordinates in which the cloud is nearly normal. Log of how much they change with the sampled ones. */
	#straightenInto(e: Float64Array, z: Float64Array, n: number, b: number): number {
		const { mean, shape, straight } = this;
		let slope = 0;
		for (let i = 0; i < e.length; i++) e[i] = z[i * n + b];
		for (const i of straight) {
			slope += logSlope(e[i]);
			e[i] = shareOf(e[i]);
		}
		for (let i = 0; i < e.length; i++) e[i] -= mean[i];
		return shape ? slope - straighten(shape, e) : slope;
	}

	/** And back; e becomes another. False where it lies beyond a bound. */
	#pointInto(z: Float64Array, n: number, b: number, e: Float64Array): boolean {
		if (this.shape) bend(this.shape, e);
		for (let i = 0; i < e.length; i++) z[i * n + b] = this.mean[i] + e[i];
		return this.#toLogits(z, n, b);
	}

	/** Beyond a bound the coordinate stands in the middle, so that the point can be evaluated with all others. */
	#toLogits(z: Float64Array, n: number, b: number): boolean {
		let isInside = true;
		for (const i of this.straight) {
			const own = logitOf(z[i * n + b]);
			z[i * n + b] = own ?? 0;
			isInside &&= own !== undefined;
		}
		return isInside;
	}

	logDensity(z: Float64Array, n: number, b: number): number {
		const e = this.#work;
		const slope = this.#straightenInto(e, z, n, b);
		solveLowerInto(e, this.L, e.length);
		let square = 0;
		for (let i = 0; i < e.length; i++) square += e[i] * e[i];
		const bent = this.tails === "heavy" ? (degrees + e.length) * log(1 + square / degrees) : square;
		return this.#constant + slope - 0.5 * bent;
	}

	/** A normal deviate of covariance L Lᵀ, into the work vector. */
	#deviate(b: number, random: Stream, sign: 1 | -1 = 1): void {
		const { L } = this;
		const e = this.#work;
		const d = e.length;
		for (let i = 0; i < d; i++) e[i] = sign * random.normal(b * d + i);
		for (let i = d - 1; i >= 0; i--) {
			let sum = 0;
			for (let j = 0; j <= i; j++) sum += L[i * d + j] * e[j];
			e[i] = sum;
		}
	}
}

/** Factor of the covariance of what a shape leaves of the particles. */
function leftBy(
	z: Float64Array,
	weights: Float64Array,
	mean: Float64Array,
	shape: Shape | undefined,
): Float64Array {
	const d = mean.length;
	const n = weights.length;
	const V = new Float64Array(d * d);
	const e = new Float64Array(d);
	for (let b = 0; b < n; b++) {
		if (!(weights[b] > 0)) continue;
		for (let i = 0; i < d; i++) e[i] = z[i * n + b] - mean[i];
		if (shape) straighten(shape, e);
		for (let i = 0; i < d; i++) for (let j = 0; j <= i; j++) V[i * d + j] += weights[b] * e[i] * e[j];
	}
	for (let i = 0; i < d; i++) for (let j = 0; j < i; j++) V[j * d + i] = V[i * d + j];
	return jitteredCholesky(V, d);
}

/** A collapsed cloud has a singular covariance: a little is added to the diagonal until the factor exists. */
function jitteredCholesky(V: Float64Array, d: number): Float64Array {
	const diagonal = Array.from({ length: d }, (_, i) => V[i * d + i]);
	const typical = Math.max(...diagonal, 1e-30);
	for (let jitter = 0; ; jitter = jitter === 0 ? 1e-12 : jitter * 100) {
		const L = V.slice();
		for (let i = 0; i < d; i++) L[i * d + i] += jitter * Math.max(diagonal[i], 1e-12 * typical);
		if (choleskyInto(L, d)) {
			for (let i = 0; i < d; i++) for (let j = i + 1; j < d; j++) L[i * d + j] = 0;
			return L;
		}
		if (jitter > 1e12) return Float64Array.from(V, (_, k) => (k % (d + 1) === 0 ? 1e-15 : 0));
	}
}
