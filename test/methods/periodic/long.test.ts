/** Records that are not periodic: a chaotic one, and what cannot be answered. */
import { describe, expect, it } from "vitest";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { hindmarshRose } from "./models.ts";
import { oscillators, problemFor } from "./oscillators.ts";

const options = { ...defaultOptions(periodic.options), record: "long" as const };
const answerTo = async (problem: Problem, more: { maxEvaluations?: number; starts?: number } = {}) => {
	const run = await periodic.prepare(problem, { ...options, ...more });
	while (!(await periodic.advance(run)).done);
	return periodic.result(run);
};

describe("long records", () => {
	// Bursts without a period: offsets are fixed, as they make up for one another.
	const bursting = {
		text: hindmarshRose.replace(
			"param a, b, c, d, r, s, xR, I",
			"param c = 1, xR = -1.6\nparam a, b, d, r, s, I",
		),
		truth: { a: 1, b: 3, d: 5, r: 0.006, s: 4, I: 3.25 },
		x0: [0, 0, 3],
		period: 100,
		settle: 500,
	};
	it("parameters of a neuron that bursts without a period", async () => {
		const { truth } = bursting;
		const start = { d: 5.5, r: 0.008, s: 3.5 };
		const problem = problemFor(bursting, start, { periods: 8, samplesPerPeriod: 800 });
		const result = await answerTo(problem);
		expect(result.answered).toBe(true);
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
		const found = new Map(result.parameters.map(({ name, estimate }) => [name, estimate]));
		for (const [name, value] of Object.entries(truth))
			expect(Math.abs(found.get(name)! / value - 1), name).toBeLessThan(1e-3);
		problem.model.components.forEach((component, i) => {
			expect(found.get(`${component}(0)`), component).toBeCloseTo(problem.states[i], 2);
		});
	}, 120_000);
	it("goes on from a checkpoint to the same bits", async () => {
		const problem = problemFor(bursting, { d: 5.5, r: 0.008, s: 3.5 }, { periods: 3, samplesPerPeriod: 300 });
		const whole = await periodic.prepare(problem, options);
		await periodic.advance(whole);
		const saved = periodic.save(whole);
		while (!(await periodic.advance(whole)).done);
		const again = await periodic.load(problem, options, saved);
		while (!(await periodic.advance(again)).done);
		expect((await periodic.result(again)).parameters).toEqual((await periodic.result(whole)).parameters);
	}, 60_000);
	it("a state that never forgets is refused", async () => {
		await expect(answerTo(problemFor(oscillators.predatorPrey, {}))).rejects.toThrow(
			/state z.*closure of a period/s,
		);
	});
	it("a model that cannot do what the record does is doubted", async () => {
		const text = bursting.text.replace("y' = c - d*x^2 - y", "y' = c - d*x - y");
		const record = problemFor(bursting, {}, { periods: 3, samplesPerPeriod: 300 });
		const { model } = problemFor({ ...bursting, text }, {}, { periods: 0.1 });
		const result = await answerTo(
			{ ...record, model, start: { d: 5.5, r: 0.008, s: 3.5 } },
			{ maxEvaluations: 40, starts: 1 },
		);
		expect(result.doubts.map(({ title }) => title)).toContain("The model does not reproduce the record");
	}, 60_000);
});
