/** Steps that are chosen: the answer is the one of much shorter steps, or it is doubted with a remedy that works. */
import { describe, expect, it } from "vitest";
import type { BayesRun } from "../../../src/methods/bayes/bayes-run.ts";
import { naturalValues } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import {
	spreadOfChange,
	wholeEffect,
	withPartAdded,
	withSteps,
} from "../../../src/methods/bayes/steps/step-effect.ts";
import { stream } from "../../../src/num/random.ts";
import { normalisedWeights } from "../../../src/num/statistics/log-weights.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const quick = { particles: 300, netcdf: false, predictive: 20 };

/** Means and standard deviations beside those with four times as many steps: the same draws, weighed anew. */
async function besideFiner(run: BayesRun): Promise<{ ratio: number; shift: number }[]> {
	const { z, n } = run.pooled();
	const theta = naturalValues(run.unknowns, z, n);
	const finer = withSteps(run.likelihood, { substeps: 4 * run.settings.substeps });
	const own = await run.likelihood.logLikelihoods(theta, n);
	const other = await finer.logLikelihoods(theta, n);
	const weights = normalisedWeights(other.map((value, b) => value - own[b]));
	const moments = (values: Float64Array, w: (b: number) => number): [number, number] => {
		const mean = values.reduce((sum, value, b) => sum + w(b) * value, 0);
		return [mean, Math.sqrt(values.reduce((sum, value, b) => sum + w(b) * (value - mean) ** 2, 0))];
	};
	return run.unknowns.map((_, i) => {
		const values = theta.subarray(i * n, (i + 1) * n);
		const [mean, sd] = moments(values, () => 1 / n);
		const [finerMean, finerSd] = moments(values, (b) => weights[b]);
		return { ratio: sd / finerSd, shift: Math.abs(mean - finerMean) / finerSd };
	});
}

describe("steps by default", () => {
	it("are short beside precise data: means and intervals are those of shorter ones", async () => {
		const times = gridTimes(120, 0.15);
		const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);
		const states = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 3 * x - 0.8 * x ** 3], [0, 0], times);
		const y = noisy(
			states.map(([x]) => x),
			5e-4,
			5,
		);
		const model = `input u = sin(1.3*t) + 0.5*cos(3.1*t)
param c ~ lognormal(log(0.3), 1), k ~ lognormal(log(2), 1), k3 ~ lognormal(log(1), 1)
state x = 0, x' = 0
x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, 5e-4)`;
		const { run, result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), quick);
		expect(run.settings.diffusion).toBe("off");
		// One step a sample moves the means by more than a standard deviation.
		expect(run.settings.substeps).toBeGreaterThan(1);
		for (const { ratio, shift } of await besideFiner(run)) {
			expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
			expect(shift).toBeLessThan(0.1);
		}
		expect(result.doubts.filter(({ code }) => code === "coarse-steps")).toEqual([]);
		for (const [i, truth] of [0.2, 3, 0.8].entries()) {
			const { estimate, sd } = result.parameters[i];
			expect(Math.abs(estimate - truth)).toBeLessThan(4 * sd!);
		}
	}, 180_000);

	it("follow what is fast only on the way: a tank that runs over", async () => {
		const times = gridTimes(120, 4);
		const pump = (t: number): number => 2.4 + 1.6 * Math.sin(t / 60);
		const states = simulate(
			(t, [x]) => [0.06 * pump(t) - 0.05 * Math.sqrt(Math.max(x, 0)) - 1.2 * Math.max(x - 9, 0)],
			[5],
			times,
			200,
		);
		const model = `input u = 2.4 + 1.6*sin(t/60)
param k ~ lognormal(log(0.05), 0.5), a ~ lognormal(log(0.05), 0.5), w ~ lognormal(0, 0.5)
state x = 5
x' = k*u - a*sqrt(max(x, 0)) - w*max(x - 9, 0)
measure y ~ normal(x, 0.005)`;
		const y = noisy(
			states.map(([x]) => x),
			0.005,
			2,
		);
		const { run, result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), quick);
		// At the start the rate is 0.01 in a second, and on the way it is above 1: an explicit solver needs more than two steps in 4 s.
		expect(run.settings.substeps).toBeGreaterThan(2);
		for (const [i, truth] of [0.06, 0.05, 1.2].entries()) {
			const { estimate, sd } = result.parameters[i];
			expect(Math.abs(estimate - truth)).toBeLessThan(4 * sd!);
		}
		for (const { ratio, shift } of await besideFiner(run)) {
			expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
			expect(shift).toBeLessThan(0.1);
		}
	}, 180_000);

	it("that would be too many are stiff ones instead, and few", async () => {
		const times = gridTimes(40, 1);
		const states = simulate((t, [x, z]) => [-3000 * (x - Math.cos(t)), x - 0.7 * z], [1, 0], times, 20_000);
		const y = noisy(
			states.map(([, z]) => z),
			0.02,
			4,
		);
		const model = `param a ~ lognormal(0, 0.3)
state x = 1, z = 0
x' = -3000*(x - cos(t))
z' = x - a*z
measure y ~ normal(z, 0.02)`;
		const { run, result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), {
			...quick,
			particles: 60,
		});
		expect(run.settings.stiff).toBe(true);
		expect(run.settings.substeps).toBeLessThan(4);
		expect(result.doubts).toEqual([]);
		expect(Math.abs(result.parameters[0].estimate - 0.7)).toBeLessThan(3.5 * result.parameters[0].sd!);
	}, 180_000);
});

describe("what shorter steps add to the log-likelihood", () => {
	it("moves no mean by more than its spread", () => {
		const random = stream(3, "effect");
		for (let k = 0; k < 40; k++) {
			const theta = Float64Array.from({ length: 200 }, (_, b) => random.normal(1000 * k + b));
			const delta = Float64Array.from(theta, (x, b) => 0.02 * x + 0.03 * random.normal(1000 * k + 500 + b));
			const weights = normalisedWeights(delta);
			const mean = theta.reduce((sum, x) => sum + x / 200, 0);
			const moved = theta.reduce((sum, x, b) => sum + weights[b] * x, 0) - mean;
			const sd = Math.sqrt(theta.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 200);
			// To first order; what is of second order is below a tenth of it here.
			expect(Math.abs(moved) / sd).toBeLessThan(1.1 * spreadOfChange(new Float64Array(200), delta));
		}
	});

	it("moves no mean by more than the root of the odds of a part that shorter steps add", () => {
		const random = stream(5, "part");
		for (const [n, m, far] of [
			[190, 10, 3],
			[150, 50, 2],
			[60, 140, 1],
		]) {
			const old = Array.from({ length: n }, (_, b) => random.normal(b));
			const all = [...old, ...Array.from({ length: m }, (_, b) => far + random.normal(1000 + b))];
			const meanOf = (values: readonly number[]) => values.reduce((sum, x) => sum + x / values.length, 0);
			const mean = meanOf(all);
			const sd = Math.sqrt(meanOf(all.map((x) => (x - mean) ** 2)));
			const moved = Math.abs(mean - meanOf(old)) / sd;
			expect(moved).toBeLessThan(withPartAdded(0, m / n));
			expect(withPartAdded(0, m / n)).toBeLessThan(4 * moved);
		}
		expect(withPartAdded(3, 16)).toBe(5);
	});

	it("is nothing where it is the same everywhere, and without bound where it is no number", () => {
		const some = Float64Array.of(1, 2, 3);
		expect(
			spreadOfChange(
				some,
				some.map((value) => value + 7),
			),
		).toBe(0);
		expect(spreadOfChange(some, Float64Array.of(1, Number.NEGATIVE_INFINITY, 3))).toBe(
			Number.POSITIVE_INFINITY,
		);
		// A solver of order 2 leaves a quarter of its error when its steps are halved.
		expect(wholeEffect(0.75, 2)).toBe(1);
	});
});
