/** Parameters and hidden states of nine oscillators from one measured state, end to end. */
import { describe, expect, it } from "vitest";
import type { Result } from "../../../src/estimate/result.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { answerTo, estimates } from "./answers.ts";
import { oscillators, problemFor } from "./oscillators.ts";

const scaled = (truth: Readonly<Record<string, number>>, factor: number): Record<string, number> =>
	Object.fromEntries(Object.entries(truth).map(([name, value]) => [name, value * factor]));
const verdicts = ({ parameters }: Result): Record<string, string | undefined> =>
	Object.fromEntries(parameters.map(({ name, verdict }) => [name, verdict]));

describe("without noise, from 20 % off", () => {
	it.each(["morrisLecar", "hodgkinHuxley", "vanDerPol", "brusselator", "roessler"] as const)(
		"%s: all parameters and initial values to 1e-7",
		async (name) => {
			const oscillator = oscillators[name];
			const problem = problemFor(oscillator, scaled(oscillator.truth, 1.2));
			const result = await answerTo(problem);
			expect(result.outcome).toBe("converged");
			expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
			const found = estimates(result);
			for (const [param, value] of Object.entries(oscillator.truth))
				expect(Math.abs(found[param] / value - 1), param).toBeLessThan(1e-7);
			problem.model.components.forEach((component, i) => {
				const size = Math.max(Math.abs(problem.states[i]), 1);
				expect(Math.abs(found[`${component}(0)`] - problem.states[i]) / size, component).toBeLessThan(1e-7);
			});
			const { simulation } = result.summary as { simulation: { rms: number } };
			expect(simulation.rms).toBeLessThan(1e-6);
		},
		120_000,
	);
	it("predator–prey: all but the scale of the hidden state, which it says", async () => {
		const { truth } = oscillators.predatorPrey;
		const result = await answerTo(problemFor(oscillators.predatorPrey, { ...scaled(truth, 1.2), p3: 2 }));
		const found = estimates(result);
		for (const name of ["p1", "p2", "p4", "p5", "p6"])
			expect(Math.abs(found[name] / truth[name as "p1"] - 1), name).toBeLessThan(1e-6);
		expect(found["p3·z(0)"]).toBeCloseTo(0.2539328539, 8);
		expect(found["z(0)"]).toBeCloseTo(0.2539328539 / 2, 8);
		expect(verdicts(result).p3).toMatch(/held/);
		// In the unit that p3 was held at: an interval would hold nothing of the truth.
		const start = result.parameters.find(({ name }) => name === "z(0)")!;
		expect(start).toEqual({
			name: "z(0)",
			estimate: start.estimate,
			verdict: "structurally unidentifiable",
		});
		expect(result.doubts.map(({ title }) => title)).toContain(
			"p3 alone cannot be found: the scale of z is open",
		);
	}, 120_000);
	it("FitzHugh–Nagumo and Hindmarsh–Rose: offsets that make up for one another are named, the rest is found", async () => {
		const fhn = await answerTo(
			problemFor(oscillators.fitzHughNagumo, scaled(oscillators.fitzHughNagumo.truth, 1.2)),
		);
		expect(verdicts(fhn)).toMatchObject({
			a: "structurally unidentifiable",
			I: "structurally unidentifiable",
			"w(0)": "structurally unidentifiable",
			b: "identifiable",
		});
		const found = estimates(fhn);
		expect(found.I - found.a / found.b).toBeCloseTo(0.5 - 0.7 / 0.8, 8);
		expect(found.c).toBeCloseTo(0.08, 8);
		const hr = await answerTo(
			problemFor(oscillators.hindmarshRose, scaled(oscillators.hindmarshRose.truth, 1.1)),
		);
		expect(verdicts(hr)).toMatchObject({
			c: "structurally unidentifiable",
			xR: "structurally unidentifiable",
			I: "structurally unidentifiable",
			r: "identifiable",
		});
		expect(estimates(hr)).toMatchObject({
			a: expect.closeTo(1, 7),
			d: expect.closeTo(5, 7),
			s: expect.closeTo(4, 6),
		});
	}, 120_000);
	it("Goodwin: three rates as a set, and one product of the others", async () => {
		const result = await answerTo(problemFor(oscillators.goodwin, scaled(oscillators.goodwin.truth, 1.2)));
		const found = estimates(result);
		expect(verdicts(result)).toMatchObject({
			k1: "structurally unidentifiable",
			k3: "structurally unidentifiable",
			k5: "structurally unidentifiable",
		});
		expect(found.k1 * found.k3 * found.k5).toBeCloseTo(1, 7);
		expect([found.k2, found.k4, found.k6].sort()).toEqual([0.09, 0.1, 0.12].map((k) => expect.closeTo(k, 8)));
		expect(result.message).toMatch(/k1, k3, k5/);
	}, 120_000);
});

describe("answers that mirror one another", () => {
	const spec = { samplesPerPeriod: 150, noise: 0.01 };
	it("are named where nothing chose among them", async () => {
		const { doubts, parameters } = await answerTo(problemFor(oscillators.morrisLecar, {}, spec));
		const mirrored = doubts.find(({ title }) => title.startsWith("Other values of"))!;
		expect(mirrored.grave).toBe(true);
		expect(mirrored.text).toMatch(/gCa and V2 of the other sign, or with gK and V4 of the other sign/);
		expect(parameters.find(({ name }) => name === "V4")!.verdict).toBe("one of several");
		expect(parameters.find(({ name }) => name === "T0")!.verdict).toBe("identifiable");
	}, 180_000);
	it("are but mentioned where starts chose one", async () => {
		const { truth } = oscillators.morrisLecar;
		const result = await answerTo(problemFor(oscillators.morrisLecar, scaled(truth, 1.2), spec));
		expect(result.doubts).toEqual([]);
		expect(result.assumptions.join()).toMatch(/gCa and V2 of the other sign.*near the starts/);
		expect(verdicts(result).V4).toBe("identifiable");
	}, 180_000);
	it("of two rates in a row are found by an exchange", async () => {
		const text = oscillators.goodwin.text.replace(
			/param k1.*/,
			"param k1 = 1, k3 = 1, k5 = 1\nparam k2, k4, k6",
		);
		const { doubts } = await answerTo(problemFor({ ...oscillators.goodwin, text }, {}));
		expect(doubts.map(({ text: why }) => why).join()).toMatch(/exchanged/);
	}, 180_000);
});

describe("other ways of searching", () => {
	const { truth } = oscillators.brusselator;
	it.each(["bfgs", "nelder-mead"] as const)("%s finds the Brusselator", async (optimizer) => {
		const result = await answerTo(
			problemFor(oscillators.brusselator, scaled(truth, 1.3), { samplesPerPeriod: 150 }),
			{ optimizer },
		);
		expect(estimates(result)).toMatchObject({ a: expect.closeTo(1, 7), b: expect.closeTo(3, 7) });
	});
	it("a quintic through neighbouring samples serves for exact records as well as a Fourier series", async () => {
		const result = await answerTo(
			problemFor(oscillators.brusselator, scaled(truth, 1.2), { samplesPerPeriod: 417.3 }),
			{ interpolation: "quintic" },
		);
		expect(estimates(result)).toMatchObject({ a: expect.closeTo(1, 6), b: expect.closeTo(3, 6) });
		const found = estimates(result);
		const series = await answerTo(
			problemFor(oscillators.brusselator, scaled(truth, 1.2), { samplesPerPeriod: 417.3 }),
		);
		expect(Math.abs(found.period / estimates(series).period - 1)).toBeLessThan(1e-7);
		expect(found.b).not.toBe(estimates(series).b);
	});
	it.each([
		["brusselator", 100],
		["morrisLecar", 100],
	] as const)(
		"a quintic raises no alarm about an exact record of %s, %d samples a period",
		async (name, per) => {
			const oscillator = oscillators[name];
			const result = await answerTo(
				problemFor(oscillator, scaled(oscillator.truth, 1.1), { samplesPerPeriod: per }),
				{ interpolation: "quintic" },
			);
			expect(result.doubts).toEqual([]);
			for (const { name: param, estimate, sd } of result.parameters) {
				const known = (oscillator.truth as Record<string, number>)[param];
				if (known !== undefined) expect(Math.abs(estimate - known) / sd!, param).toBeLessThan(4);
			}
		},
		180_000,
	);
	it("bounds are kept, and named where the answer sits on one", async () => {
		const text = oscillators.brusselator.text.replace("param a, b", "param a\nparam b in [1, 2.5]");
		const result = await answerTo(
			problemFor({ ...oscillators.brusselator, text }, { b: 2 }, { samplesPerPeriod: 150 }),
		);
		expect(estimates(result).b).toBeLessThanOrEqual(2.5);
		expect(result.doubts).toContainEqual(
			expect.objectContaining({ title: "The data pull b beyond its bound", grave: true }),
		);
	});
	it("polishing by simulation agrees with the integrals within their errors, and has errors of the same size", async () => {
		const spec = { noise: 0.01, samplesPerPeriod: 100 };
		const plain = await answerTo(problemFor(oscillators.brusselator, scaled(truth, 1.2), spec));
		const result = await answerTo(problemFor(oscillators.brusselator, scaled(truth, 1.2), spec), {
			polish: true,
		});
		for (const { name, estimate, sd } of plain.parameters.slice(0, 2)) {
			const polished = result.parameters.find((row) => row.name === name)!;
			expect(polished.estimate).not.toBe(estimate);
			expect(Math.abs(polished.estimate - estimate) / sd!).toBeLessThan(1);
			expect(polished.sd! / sd!).toBeGreaterThan(0.8);
			expect(polished.sd! / sd!).toBeLessThan(1.25);
		}
		expect(result.summary.polish).toMatchObject({ outcome: "converged" });
	});
});

describe("checkpoints", () => {
	it("a run goes on from any of its steps to the same bits", async () => {
		const problem = problemFor(
			oscillators.roessler,
			{ a: 0.13, b: 0.08, c: 4.5 },
			{ noise: 0.02, samplesPerPeriod: 100 },
		);
		const options = { ...defaultOptions(periodic.options), starts: 3 };
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
});
