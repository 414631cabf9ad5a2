/** Long records: the cloud comes over a first part of the samples, and ends where it would have ended without. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { climb } from "../../../src/methods/bayes/smc/climb.ts";
import { targetOf } from "../../../src/methods/bayes/smc/target.ts";
import { type Target, Tempering } from "../../../src/methods/bayes/smc/tempering.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { experimentOf, gridTimes, noisy } from "./helpers.ts";

const n = 400;
const nSamples = 4000;
const times = gridTimes(nSamples, 0.02);
/** The sign of a cannot be told; the spread can, and the rate. */
const model = parseModel(
	`param a ~ normal(0, 1), k ~ lognormal(0, 0.5), s ~ lognormal(log(0.1), 1)
state x = 0
x' = k*(a^2 - x)
measure y ~ normal(x, s)`,
	"two-signs.ode",
);
const unknowns = posteriorUnknowns(model, ["record"]);
const likelihood = new Likelihood(
	model,
	unknowns,
	[
		experimentOf(times, {
			y: noisy(
				[...times].map((t) => 0.64 * (1 - Math.exp(-0.8 * t))),
				0.2,
				3,
			),
		}),
	],
	{ layout: "native", q: 2, linearisation: "ekf0", diffusion: "off", equationEvidence: false, substeps: 1 },
	inline,
);

interface Found {
	readonly logEvidence: number;
	readonly moments: readonly (readonly [number, number])[];
	readonly positive: number;
	/** Records that were gone through, in all. */
	readonly work: number;
}

async function found(target: Target, seed: number): Promise<Found> {
	let work = 0;
	const counted: Target = {
		...target,
		logLik(z, count) {
			work += count;
			return target.logLik(z, count);
		},
		...(target.first && {
			first: {
				part: target.first.part,
				logLik(z, count) {
					work += count * target.first!.part;
					return target.first!.logLik(z, count);
				},
			},
		}),
	};
	const run = new Tempering(counted, n, { seed, name: "run", threshold: 0.5, maxStages: 100 });
	while (run.outcome === "running") await run.advance();
	expect(run.outcome).toBe("converged");
	const { z } = run.cloud!;
	const sizes = Array.from({ length: 3 }, (_, i) => z.slice(i * n, (i + 1) * n));
	const positive = sizes[0].filter((a) => a > 0).length / n;
	sizes[0] = sizes[0].map(Math.abs);
	const moments = sizes.map((values): readonly [number, number] => {
		const mean = values.reduce((sum, x) => sum + x, 0) / n;
		return [mean, Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n)];
	});
	return { logEvidence: run.logEvidence, moments, positive, work };
}

describe("a long record", () => {
	it("is not gone through for the way from the prior, and the answer is the same", async () => {
		const target = targetOf(likelihood, 1);
		expect(target.first!.part).toBeLessThan(0.1);
		const short = await found(target, 1);
		const { first: _, ...without } = target;
		const long = await found(without, 1);
		// What a way costs is chance to a fifth: of two of each.
		const again = [await found(target, 2), await found(without, 2)];
		expect(short.work + again[0].work).toBeLessThan(0.5 * (long.work + again[1].work));
		for (const [i, [mean, sd]] of short.moments.entries()) {
			const [otherMean, otherSd] = long.moments[i];
			// Two means of 400 draws, some of which share a parent: 4 standard errors of their difference.
			expect(Math.abs(mean - otherMean) / otherSd).toBeLessThan(4 * Math.sqrt(4 / n));
			expect(Math.abs(Math.log(sd / otherSd))).toBeLessThan(4 * Math.sqrt(2 / n));
		}
		expect(Math.abs(short.logEvidence - long.logEvidence)).toBeLessThan(0.7);
		// Both signs are alike: each has half of the draws, up to what resampling moves about.
		expect(Math.abs(short.positive - 0.5)).toBeLessThan(0.2);
	}, 180_000);

	it("keeps both of two modes, whatever the draws", async () => {
		const target = targetOf(likelihood, 1);
		for (const seed of [2, 3, 4, 5, 6]) {
			const { positive } = await found(target, seed);
			expect(Math.abs(positive - 0.5)).toBeLessThan(0.25);
		}
	}, 180_000);

	it("has a first part that is a record of its own", async () => {
		const theta = Float64Array.of(0.8, 0.7, 0.9, 0.8, 0.2, 0.3);
		const part = await likelihood.logLikelihoods(theta, 2, 0.25);
		const first = new Likelihood(
			model,
			unknowns,
			likelihood.experiments,
			likelihood.settings,
			inline,
			likelihood.samples.map(({ times: t, y, present }) => ({
				times: t.slice(0, nSamples / 4),
				y: y.slice(0, nSamples / 4),
				present: present.slice(0, nSamples / 4),
			})),
		);
		expect(part).toEqual(await first.logLikelihoods(theta, 2));
	});
});

describe("climb", () => {
	it("finds tops and their curvature by values alone", async () => {
		// log(p e^(-q₁/2) + …): two hills, of unlike height, with correlation.
		const hill = (x: number, y: number, cx: number): number =>
			-0.5 * ((x - cx) ** 2 / 0.01 + (y - x) ** 2 / 0.04);
		const f = async (z: Float64Array, count: number): Promise<Float64Array> =>
			Float64Array.from({ length: count }, (_, b) => {
				const [x, y] = [z[b], z[count + b]];
				return Math.log(Math.exp(hill(x, y, -2)) + 0.3 * Math.exp(hill(x, y, 2)));
			});
		const starts = [Float64Array.of(-1.7, -1), Float64Array.of(1.8, 2.3)];
		const tops = (await climb(f, starts, Float64Array.of(50, 0, 0, 50))).sort((a, b) => b.value - a.value);
		expect(tops.map(({ at }) => [...at])).toEqual([
			[expect.closeTo(-2, 5), expect.closeTo(-2, 5)],
			[expect.closeTo(2, 5), expect.closeTo(2, 5)],
		]);
		expect(tops[1].value).toBeCloseTo(Math.log(0.3), 8);
		for (const { curvature } of tops)
			expect([...curvature]).toEqual([125, -25, -25, 25].map((value) => expect.closeTo(value, 4)));
	});
});
