/**
 * A ridge that bends: where unknowns make up for one another the posterior is long and thin, and straight only in coordinates
 * that nobody knows beforehand; a normal law fitted to it holds either its length or its breadth. Here some of the coordinates
 * follow the others: z_i = E_i + p_i(others) + exp(κ_i z_j) ε_i, with a polynomial p_i and a breadth that may change along one of
 * them. Which follow is found one after the other, those first that polynomials of all others tell best beyond what a straight
 * law says; what follows is followed by none that is found later.
 *
 * Terms are chosen forward by the sweep operator on the matrix of their moments, so that no choice looks at the particles again.
 */

import { exp, log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import { BendTerms, type Following } from "./bend-terms.ts";

/** Log-likelihood that a particle must gain by a bend: less than this, heavy tails make up for. */
const worthwhile = 0.1;
/** That all of them must gain by a breadth that changes; it has two numbers to find. */
const significant = 8;
/** Variance of the logarithm of a square of a normal deviate. */
const logSquareVariance = 4.934802200544679;
const steepest = 1.5;

interface Follower extends Following {
	/** How its breadth changes along which coordinate, in standard deviations of that. */
	readonly kappa: number;
	readonly along: number;
}

export class Bend {
	readonly kind = "bend";

	private constructor(
		/** In the order in which they can be told. */
		readonly followers: readonly Follower[],
		readonly sd: Float64Array,
	) {}

	/** Undefined where a straight law does nearly as well. `size`: particles that the weighted ones count like. */
	static fit(
		z: Float64Array,
		weights: Float64Array,
		mean: Float64Array,
		size: number,
	): Bend | undefined {
		const d = mean.length;
		const n = weights.length;
		if (d < 2) return undefined;
		const x = z.slice();
		const sd = new Float64Array(d);
		for (let i = 0; i < d; i++) {
			let square = 0;
			for (let b = i * n; b < (i + 1) * n; b++) {
				x[b] -= mean[i];
				if (weights[b - i * n] > 0) square += weights[b - i * n] * squared(x[b]);
			}
			sd[i] = Math.sqrt(square);
			if (!(sd[i] > 0)) return undefined;
			for (let b = i * n; b < (i + 1) * n; b++) x[b] /= sd[i];
		}
		const found = new BendTerms(x, weights, d, size).followers();
		let gain = 0;
		const followers = found.reverse().map((following) => {
			const breadth = breadthOf(x, weights, d, size, following, found);
			gain += following.gain + breadth.gain;
			return { ...following, ...breadth };
		});
		return gain > worthwhile ? new Bend(followers, sd) : undefined;
	}

	/** Offsets from the mean become what the bend leaves of them. */
	straighten(e: Float64Array): void {
		const { followers, sd } = this;
		for (let k = followers.length - 1; k >= 0; k--) {
			const follower = followers[k];
			const { at, kappa, along } = follower;
			e[at] -= sd[at] * this.#shift(follower, e);
			if (kappa !== 0) e[at] *= exp((-kappa * e[along]) / sd[along]);
		}
	}

	/** And back. */
	bend(e: Float64Array): void {
		const { followers, sd } = this;
		for (const follower of followers) {
			const { at, kappa, along } = follower;
			if (kappa !== 0) e[at] *= exp((kappa * e[along]) / sd[along]);
			e[at] += sd[at] * this.#shift(follower, e);
		}
	}

	/** Log of how much offsets change with what is left of them, at what is left. */
	logStretch(e: Float64Array): number {
		let sum = 0;
		for (const { kappa, along } of this.followers) if (kappa !== 0) sum += (kappa * e[along]) / this.sd[along];
		return sum;
	}

	#shift({ constant, terms }: Follower, e: Float64Array): number {
		const { sd } = this;
		let sum = constant;
		for (const { factor, of } of terms) {
			let product = factor;
			for (const j of of) product *= e[j] / sd[j];
			sum += product;
		}
		return sum;
	}
}

/** Of what is left of a follower: the coordinate along which its breadth changes most, among those that follow nothing. */
function breadthOf(
	x: Float64Array,
	weights: Float64Array,
	d: number,
	size: number,
	{ at, constant, terms }: Following,
	all: readonly Following[],
): { kappa: number; along: number; gain: number } {
	const n = weights.length;
	const left = x.slice(at * n, (at + 1) * n);
	for (let b = 0; b < n; b++) {
		left[b] -= constant;
		for (const { factor, of } of terms) {
			let product = factor;
			for (const j of of) product *= x[j * n + b];
			left[b] -= product;
		}
	}
	const logs = left.map((value) => log(Math.max(squared(value), 1e-300)));
	let level = 0;
	for (let b = 0; b < n; b++) level += weights[b] * logs[b];
	const leads = Array.from({ length: d }, (_, j) => j).filter((j) => all.every((one) => one.at !== j));
	const slopes = leads.map((j) => {
		let sum = 0;
		for (let b = 0; b < n; b++) sum += weights[b] * x[j * n + b] * (logs[b] - level);
		return sum;
	});
	const steep = slopes.reduce((best, slope, k) => (Math.abs(slope) > Math.abs(slopes[best]) ? k : best), 0);
	const along = leads[steep];
	const none = { kappa: 0, along, gain: 0 };
	if (!(size * squared(slopes[steep]) > 2 * significant * logSquareVariance)) return none;
	const kappa = Math.max(-steepest, Math.min(steepest, slopes[steep] / 2));
	let [before, after] = [0, 0];
	for (let b = 0; b < n; b++) {
		before += weights[b] * squared(left[b]);
		after += weights[b] * squared(left[b] * exp(-kappa * x[along * n + b]));
	}
	const gain = 0.5 * log(before / after);
	return size * gain > significant ? { kappa, along, gain } : none;
}
