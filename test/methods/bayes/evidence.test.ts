/** The log evidence of a tempered run, where it is known exactly. */
import { describe, expect, it } from "vitest";
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

async function evidences(centres: readonly (readonly number[])[], n: number): Promise<number[]> {
	const found: number[] = [];
	for (let seed = 0; seed < 8; seed++) {
		const run = new Tempering(target(centres), n, {
			seed,
			name: `run ${seed}`,
			threshold: 0.5,
			maxStages: 100,
		});
		while (run.outcome === "running") await run.advance();
		found.push(run.logEvidence);
	}
	return found;
}

describe("log evidence with 500 particles", () => {
	it("is right within 0.05 where the posterior is near a normal", async () => {
		const centres = [[0.5, -1, 0.2]];
		for (const found of await evidences(centres, 500))
			expect(Math.abs(found - exact(centres))).toBeLessThan(0.05);
	});

	it("is right within the ladder's noise where the posterior has two far modes", async () => {
		const centres = [
			[0.5, -1, 0.2],
			[-0.6, 0.8, -0.1],
		];
		for (const found of await evidences(centres, 500))
			expect(Math.abs(found - exact(centres))).toBeLessThan(0.6);
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
