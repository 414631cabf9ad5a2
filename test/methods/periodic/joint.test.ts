/** Several records of one model: their parameters as one, and what is said where they do not agree. */
import { describe, expect, it } from "vitest";
import type { Result } from "../../../src/estimate/result.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { type Oscillator, oscillators, problemFor, type RecordSpec } from "./oscillators.ts";

const options = defaultOptions(periodic.options);
const { brusselator } = oscillators;

/** One record for each spec; `oscillator` may differ from record to record. */
function joint(
	records: readonly (RecordSpec & { oscillator?: Oscillator; conditions?: Record<string, number> })[],
): Problem {
	const problems = records.map((spec) => problemFor(spec.oscillator ?? brusselator, { b: 2.5 }, spec));
	const train = problems.map(({ train: [one] }, k) => ({
		...one,
		name: `run${k + 1}`,
		conditions: records[k].conditions ?? {},
	}));
	return { ...problems[0], train };
}
async function answerTo(problem: Problem): Promise<Result> {
	const run = await periodic.prepare(problem, options);
	while (!(await periodic.advance(run)).done);
	return periodic.result(run);
}
const row = ({ parameters }: Result, name: string) => parameters.find((each) => each.name === name)!;

describe("several records", () => {
	const noisy = (seed: number): RecordSpec => ({ noise: 0.02, samplesPerPeriod: 100, seed });

	it("give parameters with errors as those of twice the samples, and a period and start each", async () => {
		const both = await answerTo(joint([noisy(1), noisy(2)]));
		const one = await answerTo(joint([noisy(1)]));
		for (const name of ["a", "b"] as const) {
			const { estimate, sd } = row(both, name);
			expect(sd! / row(one, name).sd!).toBeCloseTo(Math.SQRT1_2, 1);
			expect(Math.abs(estimate - brusselator.truth[name]) / sd!).toBeLessThan(3);
		}
		expect(both.doubts).toEqual([]);
		expect(both.message).toMatch(/from 2 records, which agree/);
		for (const name of ["period of run1", "period of run2", "y(0) of run2"])
			expect(row(both, name).sd).toBeGreaterThan(0);
		expect(both.predictions.map(({ experiment }) => experiment)).toEqual(["run1", "run2"]);
	}, 180_000);
	it("may be taken under different conditions", async () => {
		const text = brusselator.text.replace("x' = a +", "condition c\nx' = a*c +");
		const at = (c: number) => ({
			oscillator: { ...brusselator, text, truth: { ...brusselator.truth, c } },
			conditions: { c },
			samplesPerPeriod: 150,
		});
		const result = await answerTo(joint([at(1), at(1.1)]));
		expect(row(result, "a").estimate).toBeCloseTo(1, 7);
		expect(row(result, "b").estimate).toBeCloseTo(3, 7);
		expect(row(result, "period of run1").estimate).not.toBeCloseTo(row(result, "period of run2").estimate, 1);
	}, 180_000);
	it("that do not agree are doubted gravely", async () => {
		const other = { ...brusselator, truth: { a: 1, b: 3.3 } };
		const { message, doubts } = await answerTo(joint([noisy(1), { ...noisy(2), oscillator: other }]));
		expect(message).toMatch(/do not trust it yet: the records do not agree/);
		expect(doubts[0].text).toMatch(/χ²/);
	}, 180_000);
	it("go on from any checkpoint to the same bits", async () => {
		const problem = joint([noisy(1), noisy(2)]);
		const whole = await periodic.prepare(problem, options);
		const states = [periodic.save(whole)];
		while (!(await periodic.advance(whole)).done) states.push(periodic.save(whole));
		const expected = (await periodic.result(whole)).parameters;
		for (const state of states) {
			const run = await periodic.load(problem, options, state);
			while (!(await periodic.advance(run)).done);
			expect((await periodic.result(run)).parameters).toEqual(expected);
		}
	}, 180_000);
	it("are each looked at first: the one that is no good is named", async () => {
		const problem = joint([noisy(1), { ...noisy(2), periods: 1.2 }]);
		await expect(periodic.prepare(problem, options)).rejects.toThrow(/run2.*one and a half/s);
	});
});
