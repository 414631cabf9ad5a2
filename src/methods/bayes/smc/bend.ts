/**
 * A ridge that bends: along one coordinate w of the cloud the others follow a cubic, z_i = E_i + c_i(w) + ε_i. Where two unknowns
 * make up for one another the posterior is long and thin, and straight only in coordinates that nobody knows beforehand: a normal
 * law fitted to it holds either its length or its breadth.
 *
 * Cubics are kept in polynomials of w that are orthogonal over the particles, so that each coefficient is a mean.
 */

import { log } from "../../../num/elementary/number.ts";
import { choleskyInto, choleskyLogDeterminant } from "../../../num/linear/cholesky.ts";
import { squared } from "../../../num/whole-power.ts";

/** Log-likelihood that a particle must gain by a bend: less than this, heavy tails make up for. */
const worthwhile = 0.3;

interface Orthogonal {
	/** Mean of w², its slope on w; the same of w³, and its slope on the second polynomial. */
	readonly square: number;
	readonly slope: number;
	readonly cube: number;
	readonly cubeSlope: number;
	readonly cubeBend: number;
}

export class Bend {
	readonly kind = "bend";

	private constructor(
		/** The coordinate that the others follow. */
		readonly at: number,
		readonly by: Orthogonal,
		/** Coefficients of each coordinate, three polynomials. */
		readonly coefficients: Float64Array,
	) {}

	/** Undefined where a straight law does nearly as well. */
	static fit(z: Float64Array, weights: Float64Array, mean: Float64Array): Bend | undefined {
		const d = mean.length;
		let best: { bend: Bend; gain: number } | undefined;
		for (let at = 0; at < d && d > 1; at++) {
			const one = along(z, weights, mean, at);
			if (one && one.gain > (best?.gain ?? worthwhile)) best = one;
		}
		if (!best) return undefined;
		const straight = logDeterminant(z, weights, mean);
		return 0.5 * (straight - logDeterminant(z, weights, mean, best.bend)) > worthwhile
			? best.bend
			: undefined;
	}

	/** What coordinate i is moved by, w away from the mean of the leading one. */
	shift(i: number, w: number): number {
		if (i === this.at) return 0;
		const { coefficients } = this;
		const { square, slope, cube, cubeSlope, cubeBend } = this.by;
		const second = w * w - square - slope * w;
		const third = w * w * w - cube - cubeSlope * w - cubeBend * second;
		return coefficients[3 * i] * w + coefficients[3 * i + 1] * second + coefficients[3 * i + 2] * third;
	}

	static of(at: number, by: Orthogonal, coefficients: Float64Array): Bend {
		return new Bend(at, by, coefficients);
	}
}

/** The cubics along one coordinate; its gain as if the others were independent, which only finds the best one. */
function along(
	z: Float64Array,
	weights: Float64Array,
	mean: Float64Array,
	at: number,
): { bend: Bend; gain: number } | undefined {
	const d = mean.length;
	const n = weights.length;
	const w = z.slice(at * n, (at + 1) * n);
	let [variance, cube, fourth] = [0, 0, 0];
	for (let b = 0; b < n; b++) {
		const own = (w[b] -= mean[at]);
		if (!(weights[b] > 0)) continue;
		variance += weights[b] * (own * own);
		cube += weights[b] * (own * own * own);
		fourth += weights[b] * (own * own * own * own);
	}
	if (!(variance > 0)) return undefined;
	const square = variance;
	const slope = cube / variance;
	const second = w.slice();
	let [secondSize, cubeOnSecond] = [0, 0];
	for (let b = 0; b < n; b++) {
		second[b] = w[b] * w[b] - square - slope * w[b];
		if (!(weights[b] > 0)) continue;
		secondSize += weights[b] * squared(second[b]);
		cubeOnSecond += weights[b] * (w[b] * w[b] * w[b] * second[b]);
	}
	const cubeSlope = fourth / variance;
	if (!(secondSize > 0)) return undefined;
	const cubeBend = cubeOnSecond / secondSize;
	const third = w.slice();
	let thirdSize = 0;
	for (let b = 0; b < n; b++) {
		third[b] = w[b] * w[b] * w[b] - cube - cubeSlope * w[b] - cubeBend * second[b];
		if (weights[b] > 0) thirdSize += weights[b] * squared(third[b]);
	}
	if (!(thirdSize > 0)) return undefined;
	const coefficients = new Float64Array(3 * d);
	let gain = 0;
	for (let i = 0; i < d; i++) {
		if (i === at) continue;
		let [onFirst, onSecond, onThird, size] = [0, 0, 0, 0];
		for (let b = 0; b < n; b++) {
			if (!(weights[b] > 0)) continue;
			const off = z[i * n + b] - mean[i];
			onFirst += weights[b] * (w[b] * off);
			onSecond += weights[b] * (second[b] * off);
			onThird += weights[b] * (third[b] * off);
			size += weights[b] * squared(off);
		}
		const own = [onFirst / variance, onSecond / secondSize, onThird / thirdSize];
		coefficients.set(own, 3 * i);
		const straight = size - squared(own[0]) * variance;
		const bent = straight - squared(own[1]) * secondSize - squared(own[2]) * thirdSize;
		if (bent > 0) gain += 0.5 * log(straight / bent);
	}
	return { bend: Bend.of(at, { square, slope, cube, cubeSlope, cubeBend }, coefficients), gain };
}

/** Of the covariance of what a bend leaves; of the cloud itself without one. Infinite where it has none. */
function logDeterminant(z: Float64Array, weights: Float64Array, mean: Float64Array, bend?: Bend): number {
	const d = mean.length;
	const n = weights.length;
	const e = new Float64Array(d);
	const V = new Float64Array(d * d);
	for (let b = 0; b < n; b++) {
		if (!(weights[b] > 0)) continue;
		const w = bend ? z[bend.at * n + b] - mean[bend.at] : 0;
		for (let i = 0; i < d; i++) e[i] = z[i * n + b] - mean[i] - (bend?.shift(i, w) ?? 0);
		for (let i = 0; i < d; i++) for (let j = 0; j <= i; j++) V[i * d + j] += weights[b] * e[i] * e[j];
	}
	for (let i = 0; i < d; i++) for (let j = 0; j < i; j++) V[j * d + i] = V[i * d + j];
	return choleskyInto(V, d) ? choleskyLogDeterminant(V, d) : Number.POSITIVE_INFINITY;
}
