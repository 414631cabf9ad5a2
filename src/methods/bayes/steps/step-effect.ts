/**
 * What shorter steps do to a posterior. Let δ be what they add to the log-likelihood. A posterior mean moves by the covariance of
 * its parameter with δ, so by Cauchy and Schwarz no mean moves by more than sd(δ) of its own standard deviations, and a
 * standard deviation by no more than about 0.7 sd(δ) of itself. What is constant in δ moves nothing.
 */
import { squared, wholePower } from "../../../num/whole-power.ts";
import { type FilterSettings, Likelihood } from "../likelihood/likelihood.ts";

/** Natural values in columns of n. */
export interface Draws {
	readonly theta: Float64Array;
	readonly n: number;
}

/** Convergence of the solver's mean: the error goes with this power of the step. `isSmooth`: no jumps and no kinks. */
export function orderOf({ layout, model, settings }: Likelihood, isSmooth: boolean): number {
	if (!isSmooth) return 2;
	// Fast rates take from the order of a Rosenbrock method.
	if (settings.stiff) return 3;
	const highest = Math.max(...layout.blocks.map(({ order }) => order));
	return layout.blocks[0].q + (highest > 1 || model.states.some(({ order }) => order > 1) ? 0 : 1);
}

export function withSteps(likelihood: Likelihood, settings: Partial<FilterSettings>): Likelihood {
	const { model, unknowns, experiments, compute, samples } = likelihood;
	return new Likelihood(
		model,
		unknowns,
		experiments,
		{ ...likelihood.settings, ...settings },
		compute,
		samples,
	);
}

/** sd(δ) between two likelihoods at draws of equal weight; Infinity where one of them is no number. */
export function spreadOfChange(coarse: Float64Array, fine: Float64Array, power = 1): number {
	const n = coarse.length;
	let mean = 0;
	let sum = 0;
	for (let b = 0; b < n; b++) {
		if (coarse[b] === fine[b]) {
			// Impossible in both: nothing changes. Otherwise the difference is 0.
			const off = -mean;
			mean += off / (b + 1);
			sum += off * -mean;
			continue;
		}
		const change = power * (fine[b] - coarse[b]);
		if (!Number.isFinite(change)) return Number.POSITIVE_INFINITY;
		const off = change - mean;
		mean += off / (b + 1);
		sum += off * (change - mean);
	}
	return Math.sqrt(sum / Math.max(1, n - 1));
}

/**
 * The same bound where a part comes to the posterior that was not there, of such odds beside the rest. The density of the old
 * posterior over the new one is 0 on that part and constant elsewhere: its standard deviation, over its mean 1, is the root
 * of the odds, and means move by no more of the new standard deviations (Cauchy and Schwarz again).
 */
export function withPartAdded(spread: number, odds: number): number {
	return Math.sqrt(squared(spread) + odds);
}

/** All of sd(δ) that steps ever shorter would make, from what halving them makes. */
export function wholeEffect(halved: number, order: number): number {
	return halved / (1 - 1 / wholePower(2, order));
}
