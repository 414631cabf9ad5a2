/** Clouds along ridges that bend: proposals follow them, and what a cloud has lost of one it gets back. */
import { describe, expect, test } from "vitest";
import type { Cloud } from "../../../src/methods/bayes/smc/cloud.ts";
import { rejuvenate } from "../../../src/methods/bayes/smc/moves.ts";
import { Proposal } from "../../../src/methods/bayes/smc/proposal.ts";
import { stream } from "../../../src/num/random.ts";
import { effectiveSampleSize, normalisedWeights } from "../../../src/num/statistics/log-weights.ts";
import { squared } from "../../../src/num/whole-power.ts";

const n = 500;
const even = new Float64Array(n).fill(1 / n);
const thin = 0.05;
/** w is standard normal, the second coordinate bends away with its square, the third with its cube. */
const at = (w: number): [number, number] => [w * w, 0.3 * w * w * w];
const logTargetAt = (w: number, y: number, x: number): number => {
	const [a, b] = at(w);
	return -0.5 * (w * w + squared((y - a) / thin) + squared((x - b) / thin));
};

/** Exact draws, `narrow` of the ridge's length. */
function ridge(seed: number, narrow = 1): Float64Array {
	const random = stream(seed, "ridge");
	const z = new Float64Array(3 * n);
	for (let b = 0; b < n; b++) {
		const w = narrow * random.normal(3 * b);
		const [y, x] = at(w);
		z.set([w], b);
		z.set([y + thin * random.normal(3 * b + 1)], n + b);
		z.set([x + thin * random.normal(3 * b + 2)], 2 * n + b);
	}
	return z;
}

describe("a ridge that bends", () => {
	test("is what proposals fitted to it propose", () => {
		const proposal = Proposal.fit(ridge(1), even, 3).heavy(1.1);
		const drawn = new Float64Array(3 * n);
		const random = stream(2, "proposals");
		for (let b = 0; b < n; b++) proposal.drawInto(drawn, n, b, random);
		const logWeights = Array.from(
			{ length: n },
			(_, b) => logTargetAt(drawn[b], drawn[n + b], drawn[2 * n + b]) - proposal.logDensity(drawn, n, b),
		);
		// A straight law of the same covariance leaves some hundredths.
		expect(effectiveSampleSize(normalisedWeights(logWeights)) / n).toBeGreaterThan(0.5);
	});

	test("a density is one: its mean over draws of a wider law, weighed, is 1", () => {
		const proposal = Proposal.fit(ridge(1), even, 3);
		const wide = Proposal.fit(ridge(1), even, 3).heavy(1.5);
		const random = stream(4, "wide");
		const drawn = new Float64Array(3 * n);
		for (let b = 0; b < n; b++) wide.drawInto(drawn, n, b, random);
		const ratios = Array.from({ length: n }, (_, b) =>
			Math.exp(proposal.logDensity(drawn, n, b) - wide.logDensity(drawn, n, b)),
		);
		expect(ratios.reduce((sum, r) => sum + r / n, 0)).toBeCloseTo(1, 0);
	});

	test("a cloud that has lost part of it gets it back", async () => {
		const z = ridge(3, 0.4);
		const cloud: Cloud = {
			n,
			z,
			logPrior: new Float64Array(n),
			logLik: logs(z),
			luggage: [],
		};
		await rejuvenate({
			cloud,
			proposal: Proposal.fit(z, even, 3),
			logTarget: (one, b) => one.logLik[b],
			evaluate: async (points) => ({
				...cloud,
				z: points,
				logLik: logs(points),
				logPrior: new Float64Array(n),
			}),
			last: true,
			seed: 5,
			purpose: "ridge",
		});
		const w = cloud.z.slice(0, n);
		const sd = Math.sqrt(w.reduce((sum, value) => sum + value * value, 0) / n);
		// Of 500 independent draws: 1 ± 0.03; these are moved from 0.4.
		expect(sd).toBeGreaterThan(0.85);
		expect(sd).toBeLessThan(1.15);
	});
});

describe("a cloud that is too narrow", () => {
	test("has proposals that are accepted often and weigh badly: steps widen it", async () => {
		const d = 6;
		const narrow = 0.6;
		const random = stream(6, "narrow");
		const z = Float64Array.from({ length: d * n }, (_, k) => narrow * random.normal(k));
		const evaluate = async (points: Float64Array): Promise<Cloud> => ({
			n,
			z: points,
			logPrior: new Float64Array(n),
			logLik: Float64Array.from({ length: n }, (_, b) => {
				let square = 0;
				for (let i = 0; i < d; i++) square += squared(points[i * n + b]);
				return -0.5 * square;
			}),
			luggage: [],
		});
		const cloud = await evaluate(z);
		const report = await rejuvenate({
			cloud,
			proposal: Proposal.fit(z, even, d),
			logTarget: (one, b) => one.logLik[b],
			evaluate,
			seed: 7,
			purpose: "narrow",
		});
		// By acceptance alone there is nothing to mend.
		expect(report.acceptance).toBeGreaterThan(0.3);
		expect(report.steps).toBeGreaterThan(0);
		const sd = Math.sqrt(cloud.z.reduce((sum, value) => sum + squared(value), 0) / (d * n));
		// Of as many independent draws: 1 ± 0.013.
		expect(sd).toBeGreaterThan(0.85);
		expect(sd).toBeLessThan(1.05);
	});
});

function logs(z: Float64Array): Float64Array {
	return Float64Array.from({ length: n }, (_, b) => logTargetAt(z[b], z[n + b], z[2 * n + b]));
}
