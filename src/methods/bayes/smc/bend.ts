/**
 * A ridge that bends: where unknowns make up for one another the posterior is long and thin, and straight only in coordinates
 * that nobody knows beforehand; a normal law fitted to it holds either its length or its breadth. Here some of the coordinates
 * follow others: z_i = E_i + p_i(others) + exp(κ_i z_j) ε_i, with a polynomial p_i and a breadth that may change along one of
 * them. Which follow is found one after the other, those first that terms of all others tell best beyond what a straight law
 * says (`bend-terms.ts`), then those whose breadth alone changes; none follows one that was found before it.
 */

import { exp, log } from "../../../num/elementary/number.ts";
import { effectiveSampleSize } from "../../../num/statistics/log-weights.ts";
import { squared } from "../../../num/whole-power.ts";
import { BendTerms, type Following } from "./bend-terms.ts";

/** Log-likelihood that a particle must gain by a bend: less than this, heavy tails make up for. */
const worthwhile = 0.1;
/** That all of them must gain by a breadth that changes: four standard errors of it. */
const significant = 8;
/** Variance of the logarithm of a square of a normal deviate. */
const logSquareVariance = 4.934802200544679;
/** Of the logarithm of a breadth, in a standard deviation of what it changes along. */
const steepest = 1.5;
/** Times that a polynomial is found again by weights that its breadth tells. */
const rounds = 2;

interface Follower extends Following {
	/** How its breadth changes along which coordinate, in standard deviations of that; and what a particle gains by it. */
	readonly kappa: number;
	readonly along: number;
	readonly breadthGain: number;
}

/** Particles in units of standard deviations around their mean, and how many draws they count like. */
interface Standard {
	readonly x: Float64Array;
	readonly weights: Float64Array;
	readonly size: number;
}

export class Bend {
	readonly kind = "bend";

	private constructor(
		/** In the order in which they can be told. */
		readonly followers: readonly Follower[],
		readonly sd: Float64Array,
	) {}

	/** Undefined where a straight law does nearly as well. */
	static fit(z: Float64Array, weights: Float64Array, mean: Float64Array): Bend | undefined {
		const d = mean.length;
		const sd = deviationsOf(z, weights, mean);
		if (d < 2 || !sd.every((own) => own > 0)) return undefined;
		const n = weights.length;
		const x = z.map((value, k) => {
			const i = Math.floor(k / n);
			return (value - mean[i]) / sd[i];
		});
		const followers = followersOf({ x, weights, size: effectiveSampleSize(weights) }, d);
		const gain = followers.reduce((sum, one) => sum + one.gain + one.breadthGain, 0);
		return gain > worthwhile ? new Bend(followers.reverse(), sd) : undefined;
	}

	/** Offsets from the mean become what the bend leaves of them. Log of how much they change with that. */
	straighten(e: Float64Array): number {
		const { followers, sd } = this;
		let logStretch = 0;
		for (let k = followers.length - 1; k >= 0; k--) {
			const { at, kappa, along } = followers[k];
			e[at] -= sd[at] * this.#shift(followers[k], e);
			if (kappa === 0) continue;
			const stretch = (kappa * e[along]) / sd[along];
			e[at] *= exp(-stretch);
			logStretch += stretch;
		}
		return logStretch;
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

function deviationsOf(z: Float64Array, weights: Float64Array, mean: Float64Array): Float64Array {
	const n = weights.length;
	return mean.map((centre, i) => {
		let square = 0;
		for (let b = 0; b < n; b++) if (weights[b] > 0) square += weights[b] * squared(z[i * n + b] - centre);
		return Math.sqrt(square);
	});
}

/** Those first that may follow all others. */
function followersOf(cloud: Standard, d: number): Follower[] {
	const terms = new BendTerms(cloud.x, cloud.weights, d, cloud.size);
	const bent = terms.followers();
	const followers = bent.map((one) => withBreadth(cloud, one));
	let leads = Array.from({ length: d }, (_, j) => j).filter((j) => bent.every(({ at }) => at !== j));
	while (leads.length > 1) {
		const [widest] = leads
			.map((at) => follower(cloud, terms.following(at, leads, 0)))
			.sort((one, other) => other.breadthGain - one.breadthGain);
		if (!(widest.breadthGain > 0)) break;
		followers.push(withBreadth(cloud, widest, 0));
		leads = leads.filter((j) => j !== widest.at);
	}
	return followers;
}

/** Where it is broad it tells little of the polynomial: that is found again by weights that its breadth tells. */
function withBreadth(cloud: Standard, following: Following, mostTerms?: number): Follower {
	const { x, weights, size } = cloud;
	const n = weights.length;
	const first = follower(cloud, following);
	let own = first;
	for (let round = 0; round < rounds && own.kappa !== 0; round++) {
		const { at, kappa, along, among } = own;
		const told = weights.map((weight, b) => weight * exp(-2 * kappa * x[along * n + b]));
		const total = told.reduce((sum, weight) => sum + weight, 0);
		const even = told.map((weight) => weight / total);
		const terms = new BendTerms(x, even, x.length / n, Math.min(size, effectiveSampleSize(even)));
		own = follower(cloud, terms.following(at, [...among, at], mostTerms));
	}
	return { ...own, gain: first.gain, breadthGain: first.breadthGain };
}

/** With the coordinate along which what is left of it changes its breadth most. */
function follower({ x, weights, size }: Standard, following: Following): Follower {
	const n = weights.length;
	const { at, constant, terms, among } = following;
	const left = x.slice(at * n, (at + 1) * n);
	for (let b = 0; b < n; b++) left[b] -= constant;
	for (const { factor, of } of terms)
		for (let b = 0; b < n; b++) {
			let product = factor;
			for (const j of of) product *= x[j * n + b];
			left[b] -= product;
		}
	const logs = left.map((value) => log(Math.max(squared(value), 1e-300)));
	const level = logs.reduce((sum, value, b) => sum + weights[b] * value, 0);
	let along = among[0];
	let slope = 0;
	for (const j of among) {
		let own = 0;
		for (let b = 0; b < n; b++) own += weights[b] * x[j * n + b] * (logs[b] - level);
		if (Math.abs(own) > Math.abs(slope)) [along, slope] = [j, own];
	}
	const none = { ...following, kappa: 0, along, breadthGain: 0 };
	if (!(size * squared(slope) > 2 * significant * logSquareVariance)) return none;
	const kappa = Math.max(-steepest, Math.min(steepest, slope / 2));
	let [before, after] = [0, 0];
	for (let b = 0; b < n; b++) {
		before += weights[b] * squared(left[b]);
		after += weights[b] * squared(left[b] * exp(-kappa * x[along * n + b]));
	}
	const breadthGain = 0.5 * log(before / after);
	return size * breadthGain > significant ? { ...none, kappa, breadthGain } : none;
}
