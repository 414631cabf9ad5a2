/** Records that are not periodic: a chaotic one, and what cannot be answered. */
import { describe, expect, it } from "vitest";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { repetitions, rootMeanSquareBounds } from "../../repetitions.ts";
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
		const problem = problemFor(bursting, start, { periods: 5, samplesPerPeriod: 800 });
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
	it("errors are as large as they are said to be, for noise inside the integrals too", async () => {
		const { truth } = oscillators.brusselator;
		const seeds = repetitions(3, 16);
		const scores: number[] = [];
		for (let seed = 1; seed <= seeds; seed++) {
			const spec = { samplesPerPeriod: 150, periods: 3.4, noise: 0.02, seed };
			const { parameters, doubts } = await answerTo(
				problemFor(oscillators.brusselator, { a: 1.1, b: 3.3 }, spec),
				{ starts: 1 },
			);
			expect(doubts.filter(({ grave }) => grave)).toEqual([]);
			for (const name of ["a", "b"] as const) {
				const { estimate, sd } = parameters.find((row) => row.name === name)!;
				scores.push((estimate - truth[name]) / sd!);
			}
		}
		const rms = Math.sqrt(scores.reduce((sum, z) => sum + z * z, 0) / scores.length);
		const [least, most] = seeds === 3 ? rootMeanSquareBounds(6) : [0.5, 1.5];
		expect(rms).toBeGreaterThan(least);
		expect(rms).toBeLessThan(most);
	}, 180_000);
	it("says where noise shifts the answer, and errors hold the shift", async () => {
		const spec = { samplesPerPeriod: 200, periods: 5.3, noise: 0.1 };
		const { doubts, parameters } = await answerTo(
			problemFor(oscillators.brusselator, { a: 1.1, b: 3.3 }, spec),
			{ starts: 1 },
		);
		expect(doubts.map(({ title }) => title)).toEqual(["Noise shifts b"]);
		expect(doubts[0].text).toMatch(/move b by 0.0\d+.*method: fit, from these values/);
		const { estimate, sd } = parameters.find(({ name }) => name === "b")!;
		expect(Math.abs(estimate - 3) / sd!).toBeLessThan(3);
	}, 180_000);
	it("a search that does not settle is doubted gravely", async () => {
		const start = { a: 1.1, b: 3.3 };
		const { message } = await answerTo(problemFor(oscillators.brusselator, start, { periods: 3 }), {
			starts: 1,
			maxEvaluations: 2,
		});
		expect(message).toMatch(/do not trust it yet: the search ran out of evaluations/);
	});
	it("goes on from a checkpoint to the same bits", async () => {
		const problem = problemFor(bursting, { d: 5.5, r: 0.008, s: 3.5 }, { periods: 3, samplesPerPeriod: 300 });
		const whole = await periodic.prepare(problem, options);
		await periodic.advance(whole);
		const saved = periodic.save(whole);
		while (!(await periodic.advance(whole)).done);
		const again = await periodic.load(problem, options, saved);
		while (!(await periodic.advance(again)).done);
		expect((await periodic.result(again)).parameters).toEqual((await periodic.result(whole)).parameters);
	}, 180_000);
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
		expect(result.doubts).toContainEqual(
			expect.objectContaining({
				code: "poor-fit",
				title: expect.stringMatching(/^The model leaves \d+ % of the variance of v unexplained$/),
				grave: true,
			}),
		);
	}, 180_000);
});
