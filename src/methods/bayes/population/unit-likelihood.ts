/**
 * The likelihood of one unit at many values of what all share, eta integrated out by weighted draws around its mode. The mean of
 * the weights has no bias, whatever the number of draws; and so a posterior that is weighed by it is the right one.
 *
 * Reference: Tran, Scharth, Pitt, Kohn, "Importance sampling squared for Bayesian inference in latent variable models", 2013.
 */

import { costs } from "../../../estimate/observe/likelihood.ts";
import { factored } from "../../../estimate/population/factored.ts";
import type { MarginalLikelihood } from "../../../estimate/population/marginal.ts";
import type { Mode } from "../../../estimate/population/modes.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { choleskyInto, choleskyInverse } from "../../../num/linear/cholesky.ts";
import { stream } from "../../../num/random.ts";
import { largestLogWeight } from "../../../num/statistics/log-weights.ts";
import { HeavyNormal } from "./heavy-normal.ts";

export interface UnitDraws {
	/** Log of the mean weight at each point: the log-likelihood, without bias before the logarithm. */
	readonly logLikelihood: Float64Array;
	/** Variance of each, as its own weights tell. */
	readonly variance: Float64Array;
	/** One eta at each point, drawn by the weights: points × q. */
	readonly eta: Float64Array;
}

/** Degrees of freedom of the draws, and rounds of the search for modes that they stand around. */
const degrees = 6;
const rounds = 4;

/** `nDraws` of eta, which is even: they come in mirrored pairs. */
export async function unitDraws(
	likelihood: MarginalLikelihood,
	unit: number,
	points: readonly Float64Array[],
	near: Mode,
	nDraws: number,
	seed: number,
	purpose: string,
): Promise<UnitDraws> {
	const { nShared: p, unknowns } = likelihood.problem;
	const q = unknowns.length - p;
	const modes = await likelihood.modes(unit, points, near, rounds);
	const random = stream(seed, `${purpose} eta ${unit}`);
	const choice = stream(seed, `${purpose} choice ${unit}`);
	const proposals = modes.map((mode) => proposalOf(mode, p, q));
	const lanes: Float64Array[] = [];
	const densities: number[] = [];
	for (const [b, proposal] of proposals.entries())
		for (let k = 0; k < nDraws && proposal; k++) {
			const eta = proposal.draw(random, b * nDraws + (k >> 1), k % 2 === 0 ? 1 : -1);
			const z = new Float64Array(unknowns.length);
			z.set(points[b]);
			z.set(eta, p);
			lanes.push(z);
			densities.push(proposal.logDensity(eta));
		}
	const costsOf = await costs(likelihood.likelihood(unit), lanes);
	const logLikelihood = new Float64Array(points.length).fill(Number.NEGATIVE_INFINITY);
	const variance = new Float64Array(points.length);
	const eta = new Float64Array(points.length * q);
	let at = 0;
	for (const [b, proposal] of proposals.entries()) {
		if (!proposal) continue;
		const logs = Float64Array.from({ length: nDraws }, (_, k) => -costsOf[at + k] - densities[at + k]);
		const most = largestLogWeight(logs);
		if (most > Number.NEGATIVE_INFINITY) {
			const weights = logs.map((each) => exp(each - most));
			// Mirrored draws are not independent: pairs are.
			const pairs = Float64Array.from(
				{ length: nDraws / 2 },
				(_, k) => (weights[2 * k] + weights[2 * k + 1]) / 2,
			);
			const mean = pairs.reduce((sum, each) => sum + each, 0) / pairs.length;
			const square = pairs.reduce((sum, each) => sum + (each - mean) * (each - mean), 0);
			logLikelihood[b] = most + log(mean);
			variance[b] = square / (pairs.length * (pairs.length - 1) * mean * mean);
			let left = choice.uniform(b) * mean * nDraws;
			let chosen = 0;
			while (chosen < nDraws - 1 && (left -= weights[chosen]) > 0) chosen++;
			eta.set(lanes[at + chosen].subarray(p), b * q);
		}
		at += nDraws;
	}
	return { logLikelihood, variance, eta };
}

function proposalOf({ z, information, cost }: Mode, p: number, q: number): HeavyNormal | undefined {
	const factor = cost < Number.POSITIVE_INFINITY ? factored(information, q) : undefined;
	if (!factor) return undefined;
	const root = choleskyInverse(factor, q);
	return choleskyInto(root, q) ? new HeavyNormal(z.slice(p), root, degrees) : undefined;
}
