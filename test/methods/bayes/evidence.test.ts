/** The log evidence, where it is known exactly. */
import { describe, expect, it } from "vitest";
import { EvidenceDraws } from "../../../src/methods/bayes/smc/evidence-draws.ts";
import { Mixture } from "../../../src/methods/bayes/smc/mixture.ts";
import { type Ladder, runEvidence } from "../../../src/methods/bayes/smc/run-evidence.ts";
import { type Target, Tempering } from "../../../src/methods/bayes/smc/tempering.ts";
import { stream } from "../../../src/num/random.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const d = 3;
const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);
const logNormal = (x: number, mean: number, sd: number): number =>
	-halfLogTwoPi - Math.log(sd) - 0.5 * ((x - mean) / sd) ** 2;

/** Standard normal prior in each coordinate; the likelihood is a mean of normals of spread 0.02 around the centres. */
function target(centres: readonly (readonly number[])[]): Target {
	const logLikAt = (z: readonly number[]): number => {
		const terms = centres.map((centre) => z.reduce((sum, x, i) => sum + logNormal(x, centre[i], 0.02), 0));
		const top = Math.max(...terms);
		return top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0) / centres.length);
	};
	const pointsOf = (z: Float64Array, n: number): number[][] =>
		Array.from({ length: n }, (_, b) => Array.from({ length: d }, (_, i) => z[i * n + b]));
	return {
		d,
		draw(n, purpose) {
			const random = stream(1, purpose);
			return Float64Array.from({ length: d * n }, (_, k) => random.normal(k));
		},
		logPrior: (z, n) =>
			Float64Array.from(pointsOf(z, n), (point) => point.reduce((sum, x) => sum + logNormal(x, 0, 1), 0)),
		logLik: async (z, n) => Float64Array.from(pointsOf(z, n), logLikAt),
	};
}

function exact(centres: readonly (readonly number[])[]): number {
	const each = centres.map((centre) =>
		centre.reduce((sum, c) => sum + logNormal(c, 0, Math.hypot(1, 0.02)), 0),
	);
	const top = Math.max(...each);
	return top + Math.log(each.reduce((sum, one) => sum + Math.exp(one - top), 0) / centres.length);
}

interface Found {
	readonly logEvidence: number;
	readonly plusMinus: number;
	readonly masses: Float64Array;
}

/** By two runs of n particles each; `keep` cuts the cloud of the first down to part of it. */
async function evidence(
	centres: readonly (readonly number[])[],
	n: number,
	seed: number,
	keep?: (z: Float64Array) => Float64Array,
): Promise<Found> {
	const { draw, logPrior, logLik } = target(centres);
	const clouds: Float64Array[] = [];
	const ladders: Ladder[] = [];
	for (const name of ["one", "two"]) {
		const run = new Tempering({ d, draw, logPrior, logLik }, n, {
			seed,
			name: `${name} ${seed}`,
			threshold: 0.5,
			maxStages: 100,
		});
		while (run.outcome === "running") await run.advance();
		clouds.push(keep && name === "one" ? keep(run.cloud!.z) : run.cloud!.z);
		ladders.push({ logEvidence: run.logEvidence, stages: run.stages.length, n });
	}
	const draws = new EvidenceDraws(
		clouds.map((z) => Mixture.fit(z, z.length / d, d)),
		async (z, count) => {
			const likelihoods = await logLik(z, count);
			return logPrior(z, count).map((value, b) => value + likelihoods[b]);
		},
		n,
		seed,
	);
	while (!draws.done) await draws.advance();
	const { logEvidence, plusMinus, masses } = runEvidence(ladders, draws.estimate());
	return { logEvidence, plusMinus: plusMinus!, masses };
}

describe("log evidence of two runs with 300 particles each", () => {
	const near = [[0.5, -1, 0.2]];
	const apart = [
		[0.5, -1, 0.2],
		[-0.6, 0.8, -0.1],
	];

	/**
	 * Errors in units of what is stated. Over 16 seeds a 90 % interval holds the truth at least 12 times but for two chances in a
	 * hundred, and the mean of the errors is within 3 · 0.04 / √16 of none.
	 */
	it.each([
		["one mode", near],
		["two far modes", apart],
	])("is within what it states, 90 times in a hundred: %s", async (_, centres) => {
		const found = await Promise.all(Array.from({ length: 16 }, (_, seed) => evidence(centres, 300, seed)));
		const off = found.map(({ logEvidence }) => logEvidence - exact(centres));
		expect(found.filter(({ plusMinus }, i) => Math.abs(off[i]) < plusMinus).length).toBeGreaterThanOrEqual(
			12,
		);
		expect(Math.max(...found.map(({ plusMinus }) => plusMinus))).toBeLessThan(0.1);
		expect(Math.abs(off.reduce((a, b) => a + b) / off.length)).toBeLessThan(0.03);
	});

	it("is the whole one where a run has lost a mode, and says what each run found", async () => {
		const below = (z: Float64Array): Float64Array => {
			const n = z.length / d;
			const kept = Array.from({ length: n }, (_, b) => b).filter((b) => z[b] < 0);
			return Float64Array.from({ length: d * kept.length }, (_, k) => {
				const i = Math.floor(k / kept.length);
				return z[i * n + kept[k % kept.length]];
			});
		};
		const { logEvidence, plusMinus, masses } = await evidence(apart, 300, 3, below);
		expect(Math.abs(logEvidence - exact(apart))).toBeLessThan(2.5 * plusMinus);
		// The second run has both modes, the first one of them: a half of that one, which holds about a half of all.
		expect(masses[0]).toBeGreaterThan(0.2);
		expect(masses[0]).toBeLessThan(0.5);
	});
});

describe("what steps half as long would add to the log evidence", () => {
	const times = gridTimes(80, 0.25);
	const x = simulate((_, [x, v]) => [v, -0.2 * v - 3 * x - 0.8 * x ** 3], [1, 0], times).map(([x]) => x);
	const record = experimentOf(times, { y: noisy(x, 0.02, 4) });
	const text = `param c ~ lognormal(log(0.3), 1), k ~ lognormal(log(2), 1)
state x = 1, x' = 0
x'' + c*x' + k*x + 0.8*x^3 = 0
measure y ~ normal(x, 0.02)`;

	it("is what they do add, and little where steps are short", async () => {
		const run = async (substeps: number): Promise<{ logEvidence: number; stepShift: number }> => {
			const { result } = await runBayes(problemOf(text, [record]), {
				substeps,
				particles: 400,
				netcdf: false,
			});
			return result.summary as { logEvidence: number; stepShift: number };
		};
		const [two, four, eight] = [await run(2), await run(4), await run(8)];
		expect(two.stepShift).toBeGreaterThan(0.1);
		expect(Math.abs(four.logEvidence - two.logEvidence - two.stepShift)).toBeLessThan(0.15);
		expect(Math.abs(eight.stepShift)).toBeLessThan(0.1);
	});
});

/** log y_i = log a + noise of 0.3, log a standard normal: log y is jointly normal with covariance 0.09 I + 11ᵀ. */
describe("the log evidence of lognormal samples", () => {
	const y = Float64Array.of(2.1, 1.4, 3.3, 2.6, 1.9);
	const logs = Array.from(y, Math.log);
	const n = y.length;
	const sum = logs.reduce((a, b) => a + b, 0);
	const squares = logs.reduce((a, b) => a + b * b, 0);
	const logDensityOfLogs =
		-n * halfLogTwoPi -
		0.5 * ((n - 1) * Math.log(0.09) + Math.log(0.09 + n)) -
		(0.5 * (squares - sum ** 2 / (0.09 + n))) / 0.09;
	const text = `param a ~ lognormal(0, 1)
state x = a
x' = 0
measure y ~ lognormal(log(x), 0.3)`;

	it.each(["tempering", "ibis"] as const)(
		"is one of the samples, not of their logarithms: %s",
		async (sampler) => {
			const { result } = await runBayes(problemOf(text, [experimentOf(gridTimes(n, 1), { y })]), { sampler });
			const { logEvidence, runs } = result.summary as {
				logEvidence: number;
				runs: { logEvidence: number }[];
			};
			for (const found of [logEvidence, ...runs.map((one) => one.logEvidence)])
				expect(Math.abs(found - (logDensityOfLogs - sum))).toBeLessThan(0.15);
		},
	);
});
