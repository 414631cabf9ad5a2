/** Clouds near the end of a range: straight in shares of it, bent and endless in the logits that are sampled. */
import { describe, expect, test } from "vitest";
import { logSlope, shareOf, straightened } from "../../../src/methods/bayes/smc/chart.ts";
import type { Cloud } from "../../../src/methods/bayes/smc/cloud.ts";
import { rejuvenate } from "../../../src/methods/bayes/smc/moves.ts";
import { Proposal } from "../../../src/methods/bayes/smc/proposal.ts";
import { stream } from "../../../src/num/random.ts";
import { effectiveSampleSize, normalisedWeights } from "../../../src/num/statistics/log-weights.ts";
import { squared } from "../../../src/num/whole-power.ts";

const n = 2000;
const even = new Float64Array(n).fill(1 / n);
const kinds = { bounded: [0] };
/** A share near 1 that data hold to 0.99 ± 0.01, cut at 1; the second coordinate goes with it, to a fiftieth. */
const [centre, sd, thin] = [0.99, 0.01, 2e-4];
const logTargetAt = (z: number, y: number): number => {
	const share = shareOf(z);
	return -0.5 * (squared((share - centre) / sd) + squared((y - share) / thin)) + logSlope(z);
};
/** Mean and standard deviation of a share: those of a normal law of which nothing beyond one standard deviation is left. */
const cut = { mean: 0.987124, sd: 0.007935 };

function exact(seed: number, centreOf = centre): Float64Array {
	const random = stream(seed, "near a bound");
	const z = new Float64Array(2 * n);
	for (let b = 0, k = 0; b < n; k++) {
		const share = centreOf + sd * random.normal(2 * k);
		if (share >= 1) continue;
		z[b] = Math.log(share / (1 - share));
		z[n + b] = share + thin * random.normal(2 * k + 1);
		b++;
	}
	return z;
}

function weighed(proposal: Proposal): { share: number; mass: number } {
	const random = stream(3, "proposals near a bound");
	const z = new Float64Array(2 * n);
	const logWeights = Array.from({ length: n }, (_, b) =>
		proposal.drawInto(z, n, b, random)
			? logTargetAt(z[b], z[n + b]) - proposal.logDensity(z, n, b)
			: Number.NEGATIVE_INFINITY,
	);
	return {
		share: effectiveSampleSize(normalisedWeights(logWeights)) / n,
		mass: logWeights.reduce((sum, value) => sum + Math.exp(value), 0) / n,
	};
}

describe("a cloud near the end of a range", () => {
	test("is straight there, and logits are left alone far from the ends and over all of the range", () => {
		expect(straightened(exact(1), even, [0])).toEqual([0]);
		const random = stream(2, "elsewhere");
		const narrow = Float64Array.from({ length: 2 * n }, (_, k) => 0.5 + 0.01 * random.normal(k));
		const prior = Float64Array.from({ length: 2 * n }, (_, k) => {
			const u = random.uniform(k);
			return Math.log(u / (1 - u));
		});
		for (const z of [narrow, prior]) expect(straightened(z, even, [0])).toEqual([]);
	});

	test("is what proposals fitted to it propose; draws beyond the end count as none, and so the mass is right", () => {
		const straight = weighed(Proposal.fit(exact(1), even, 2, kinds).heavy(1.1));
		expect(straight.share).toBeGreaterThan(0.5);
		// A bend along the logit follows it less well.
		expect(weighed(Proposal.fit(exact(1), even, 2).heavy(1.1)).share).toBeLessThan(straight.share - 0.05);
		// 2 π sd thin times what of a normal law lies below one standard deviation; error by the effective share of the draws.
		const mass = 2 * Math.PI * sd * thin * 0.8413447;
		expect(Math.abs(straight.mass / mass - 1)).toBeLessThan(4 * Math.sqrt((1 / straight.share - 1) / n));
	});

	test("that lags behind its target catches up with it, by steps too", async () => {
		const z = exact(4, centre - 0.02);
		const evaluate = async (points: Float64Array): Promise<Cloud> => ({
			n,
			z: points,
			logPrior: new Float64Array(n),
			logLik: Float64Array.from({ length: n }, (_, b) => logTargetAt(points[b], points[n + b])),
			luggage: [],
		});
		const cloud = await evaluate(z);
		await rejuvenate({
			cloud,
			proposal: Proposal.fit(z, even, 2, kinds),
			...kinds,
			logTarget: (one, b) => one.logLik[b],
			evaluate,
			last: true,
			seed: 5,
			purpose: "bound",
		});
		const shares = Array.from(cloud.z.subarray(0, n), shareOf);
		const mean = shares.reduce((sum, value) => sum + value, 0) / n;
		// Moved particles are worth a tenth as many independent ones, at least.
		expect(Math.abs(mean - cut.mean)).toBeLessThan((4 * cut.sd) / Math.sqrt(n / 10));
	});
});
