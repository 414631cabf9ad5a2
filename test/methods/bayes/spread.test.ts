/** A spread that is not positive at some sample is named as what it is, not as a model that blows up. */
import { describe, expect, it } from "vitest";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const times = gridTimes(50, 0.2);
const x = simulate((_, [value]) => [1 - 0.5 * value], [0], times).map(([value]) => value);
const record = experimentOf(times, { y: noisy(x, 0.05, 2) });
const text = (start: string, spread: string): string => `param k ~ lognormal(log(0.5), 0.5)
param a ~ normal(1, 1)
state x = ${start}
x' = 1 - k*x
measure y ~ normal(x, ${spread})`;

describe("a spread that is not positive", () => {
	it.each(["tempering", "ibis"] as const)(
		"where the record starts: says so, and what to do (%s)",
		async (sampler) => {
			const problem = problemOf(text("0", "0.05*x"), [record]);
			const { result } = await runBayes(problem, { particles: 100, sampler });
			expect(result.answered).toBe(false);
			expect(result.message).toContain("The spread of the noise of y is 0 at t = 0");
			expect(result.message).not.toContain("blows up");
			expect(result.doubts[0].text).toContain("floor");
		},
	);
	it("for part of the prior: goes on, and says for how much", async () => {
		const problem = problemOf(text("0.5", "0.05*a"), [record]);
		const { run, result } = await runBayes(problem, { particles: 400 });
		expect(result.answered).toBe(true);
		const [note] = result.notes!;
		expect(note.title).toMatch(
			/^The spread of the noise of y is negative .* at t = 0 for part of the prior$/,
		);
		// P(a < 0) = 16 %.
		const share = Number(/^([\d.]+) %/.exec(note.text)![1]);
		expect(Math.abs(share - 16)).toBeLessThan(6);
		const options = { ...defaultOptions(bayes.options), particles: 400 };
		const again = await bayes.load(problem, options, bayes.save(run));
		while (!(await bayes.advance(again)).done);
		expect((await bayes.result(again)).notes).toEqual(result.notes);
	});
	it("is no matter where it has a floor", async () => {
		const { result } = await runBayes(problemOf(text("0", "0.02 + 0.05*abs(x)"), [record]), {
			particles: 100,
		});
		expect(result.answered).toBe(true);
		expect(result.doubts.map(({ title }) => title).join()).not.toContain("spread of the noise");
	});
});
