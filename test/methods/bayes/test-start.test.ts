/** A test record starts where it starts: initial values with a distribution are found from its own samples. */
import { describe, expect, it } from "vitest";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);
const text = `input u
param c  ~ lognormal(log(0.3), 1)
param k  ~ lognormal(log(2), 1)
param k3 ~ lognormal(log(1), 1)
state x ~ normal(0, 1), x' ~ normal(0, 1)
x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, 0.05)`;

function record(n: number, seed: number, x0: number[], name = "record") {
	const times = gridTimes(n, 0.1);
	const x = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 3 * x - 0.8 * x ** 3], x0, times).map(
		([x]) => x,
	);
	return { experiment: experimentOf(times, { y: noisy(x, 0.05, seed) }, { u: times.map(force) }, name), x };
}

describe("initial values of a test record", () => {
	const train = record(200, 5, [0.5, 0]);
	const tests = [record(150, 6, [-1.2, 1.5], "one"), record(150, 7, [1, -0.5], "two")];

	it("come from that record: the prediction is as good as the noise, and the band holds the truth", async () => {
		const problem = problemOf(
			text,
			[train.experiment],
			tests.map(({ experiment }) => experiment),
		);
		const { run, result } = await runBayes(problem, { particles: 400 });
		const { rmseOver } = (result.summary as { test: { rmseOver: Record<string, { mean: number }> } }).test;
		expect(rmseOver.y.mean).toBeLessThan(0.058);
		for (const [e, { x }] of tests.entries()) {
			const { mean, parameters, integration } = run.test!.predictions[e];
			const samples = run.test!.likelihood.samples[e];
			const at = Array.from(mean.keys()).filter((s) => samples.present[s] === 1);
			const inside = at.filter(
				(s, i) => (mean[s] - x[i]) ** 2 < 2.6 ** 2 * (parameters[s] + integration[s]),
			).length;
			expect(inside / at.length).toBeGreaterThan(0.9);
			// Not surer than 150 samples can make it.
			expect(Math.sqrt(parameters[at[0]])).toBeGreaterThan(0.05 / Math.sqrt(150));
			expect(Math.sqrt(parameters[at[0]])).toBeLessThan(0.05);
		}
		expect(result.assumptions.join(" ")).toContain("(x, x') were estimated from that record");
	});

	it("teach the parameters nothing", async () => {
		const [alone, tested] = await Promise.all([
			runBayes(problemOf(text, [train.experiment]), { particles: 100 }),
			runBayes(problemOf(text, [train.experiment], [tests[0].experiment]), { particles: 100 }),
		]);
		expect(tested.result.parameters).toEqual(alone.result.parameters);
	});

	it("use up a record of a row or two: that it tests nothing is said", async () => {
		const short = [1, 2, 3].map((n) => record(n, 6, [-1.2, 1.5], `${n} rows`).experiment);
		const { result } = await runBayes(problemOf(text, [train.experiment], short), { particles: 100 });
		const idle = result.doubts.filter(({ title }) => title.endsWith("tests nothing"));
		expect(idle.map(({ title }) => title)).toEqual([
			"The test record 1 rows tests nothing",
			"The test record 2 rows tests nothing",
		]);
		expect(idle[0].text).toContain("It has 1 sample, and none after its start");
		expect(idle[1].text).toContain("It has 2 samples, and as many initial values are found from it");
	});
});
