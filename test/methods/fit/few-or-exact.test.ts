/** Data at the ends of what statistics can say: exact to rounding, as few as the unknowns, or with a stray value. */
import { describe, expect, test } from "vitest";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import type { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { stream } from "../../../src/num/random.ts";
import { type FitSetup, fitProblem, modelOf, regularTimes, runFit } from "./records.ts";

function record(values: readonly number[], step = 0.5, name = "record"): Experiment {
	const times = regularTimes(values.length, step);
	const rows = Int32Array.from(times.keys());
	return {
		name,
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map([["y", { times, values: Float64Array.from(values), rows }]]),
		conditions: {},
		removed: {},
	};
}
const decay = (count: number, noise = 0): number[] =>
	Array.from(
		{ length: count },
		(_, i) => 80 * Math.exp(-0.11 * 0.5 * i) + noise * stream(3, "decay").normal(i),
	);
const cooling = (initial: string, spread = ", 0.4") =>
	modelOf(`param h ~ lognormal(log(0.1), 1)
state T${initial}
T' = -h*T
measure y ${spread ? `~ normal(T${spread})` : "= T"}`);

const row = ({ parameters }: Result, name: string) => parameters.find((each) => each.name === name)!;

describe("exact data", () => {
	const truth: Record<string, number> = { h: 0.11, "T(0)": 80 };
	const cases: [string, FitSetup][] = [
		["a known start", { model: cooling(" = 80"), train: [record(decay(80))] }],
		["an unknown start", { model: cooling(""), train: [record(decay(80))] }],
		["an unknown spread", { model: cooling("", ""), train: [record(decay(80))] }],
		[
			"the adaptive solver",
			{ model: cooling(""), train: [record(decay(80))], options: { integrator: "adaptive" } },
		],
		[
			"coarse steps that were given",
			{ model: cooling(""), train: [record(decay(80))], options: { substeps: 1 } },
		],
	];
	test.each(cases)("%s: finite intervals that hold the truth", async (_, setup) => {
		const result = await runFit(setup);
		for (const { name, estimate, sd, lo, hi, verdict } of result.parameters) {
			expect(verdict).toBe("identifiable");
			expect(sd! / truth[name]).toBeGreaterThan(1e-14);
			expect(Math.abs(estimate - truth[name])).toBeLessThan(3 * sd!);
			expect(lo!).toBeLessThanOrEqual(truth[name]);
			expect(hi!).toBeGreaterThanOrEqual(truth[name]);
			expect((hi! - lo!) / sd!).toBeLessThan(10);
		}
		if (setup.options?.substeps === undefined) {
			expect(row(result, "h").sd!).toBeLessThan(1e-9);
			expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
		} else expect(result.doubts.some(({ title, grave }) => grave && /too few/.test(title))).toBe(true);
		expect(result.assumptions.some((text) => /rounding/.test(text))).toBe(true);
	});

	test("saved and loaded at every step, with finer steps for all starts on the way: the same bits", async () => {
		const setup = { model: cooling(""), train: [record(decay(40))] };
		const options = defaultOptions(fit.options);
		const straight = await runFit(setup);
		let state = await fit.prepare(fitProblem(setup), options);
		while (!(await fit.advance(state)).done && (state as FitRun).phase !== "profile")
			state = await fit.load(fitProblem(setup), options, fit.save(state));
		while (!(await fit.advance(state)).done);
		const resumed = await fit.result(state);
		expect(resumed.parameters).toEqual(straight.parameters);
		expect(resumed.summary.starts).toEqual(straight.summary.starts);
	});

	test("an oscillator, exact to 13 digits", async () => {
		const model = modelOf(`param k ~ lognormal(0, 1), c ~ lognormal(-2, 1)
state x = 1, x' = 0
x'' = -k*x - c*x'
measure y ~ normal(x, 0.01)`);
		const [k, c] = [2, 0.3];
		const omega = Math.sqrt(k - (c * c) / 4);
		const exact = Array.from({ length: 60 }, (_, i) => {
			const t = 0.25 * i;
			return Math.exp((-c / 2) * t) * (Math.cos(omega * t) + (c / (2 * omega)) * Math.sin(omega * t));
		});
		const result = await runFit({ model, train: [record(exact, 0.25)] });
		for (const [name, value] of Object.entries({ k, c })) {
			const { lo, hi, verdict, sd } = row(result, name);
			expect(verdict).toBe("identifiable");
			expect(lo!).toBeLessThanOrEqual(value);
			expect(hi!).toBeGreaterThanOrEqual(value);
			expect(sd!).toBeLessThan(1e-9);
		}
	});
});

describe("optima that the integrator makes", () => {
	// Where the stability polynomial of Runge–Kutta equals exp(-h dt), a wrong h fits as well: 5.498 and 16.64 a sample.
	test.each([5.5, 16.6])("a start at h = %d does not make another optimum", async (h) => {
		const result = await runFit({ model: cooling(" = 80"), train: [record(decay(80, 0.4))], start: { h } });
		expect(row(result, "h").estimate).toBeCloseTo(0.11, 2);
		expect(result.doubts.filter(({ title }) => title === "Another optimum is as good")).toEqual([]);
		const { agree, tried } = result.summary.starts as { agree: number; tried: number };
		expect(agree).toBeLessThanOrEqual(tried);
		expect(agree).toBeGreaterThan(1);
	});

	test("nor with coarse steps that were given: it is dropped, and the first start said to have ended there", async () => {
		const setup = { model: cooling(" = 80"), train: [record(decay(80, 0.4))], start: { h: 5.5 } };
		const result = await runFit({ ...setup, options: { substeps: 1 } });
		expect(row(result, "h").estimate).toBeCloseTo(0.11, 2);
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
		expect(result.notes!.some(({ text }) => /only integration error makes a good fit/.test(text))).toBe(true);
	});

	test("such an optimum is not the answer of a single start either", async () => {
		const options = { starts: 1, candidates: 1 } as const;
		const start = { h: 16.64 };
		const result = await runFit({ model: cooling(" = 80"), train: [record(decay(80, 0.4))], start, options });
		const found = Math.abs(row(result, "h").estimate - 0.11) < 0.01;
		expect(found || result.doubts.some(({ grave }) => grave)).toBe(true);
	});
});

describe("few samples", () => {
	test("two samples for two unknowns: the declared noise tells the errors", async () => {
		const result = await runFit({ model: cooling(""), train: [record(decay(2))] });
		const [h, T] = [row(result, "h"), row(result, "T(0)")];
		expect(T.sd!).toBeCloseTo(0.4, 3);
		// h = log(y0 / y1) / dt.
		expect(h.sd! / (Math.hypot(0.4 / 80, 0.4 / decay(2)[1]) / 0.5)).toBeCloseTo(1, 2);
		expect(T.lo!).toBeCloseTo(80 - 1.96 * 0.4, 2);
		expect(T.hi!).toBeCloseTo(80 + 1.96 * 0.4, 2);
		expect(h.lo!).toBeLessThan(h.estimate - h.sd!);
	});

	test("three samples that happen to fit give no more certainty than the declared noise", async () => {
		const result = await runFit({ model: cooling(""), train: [record(decay(3))] });
		expect(row(result, "T(0)").sd!).toBeGreaterThan(0.3);
	});

	test("one sample, one unknown", async () => {
		const result = await runFit({ model: cooling(" = 80"), train: [record([80, 75])] });
		expect(row(result, "h").sd!).toBeGreaterThan(0.005);
	});

	test("an unknown noise gives no standard error, and a grave doubt", async () => {
		const result = await runFit({ model: cooling("", ""), train: [record(decay(2))] });
		for (const { sd, lo, hi, verdict } of result.parameters) {
			expect(sd).toBeUndefined();
			expect(lo).toBeUndefined();
			expect(hi).toBeUndefined();
			expect(verdict).not.toBe("identifiable");
		}
		expect(result.doubts.some(({ title, grave }) => grave && /standard error/.test(title))).toBe(true);
		expect(result.message).toMatch(/do not trust/);
		for (const { lo, hi } of result.predictions) expect([lo, hi]).toEqual([undefined, undefined]);
	});

	test("fewer samples than unknowns are doubted gravely, whatever the noise", async () => {
		const result = await runFit({ model: cooling(""), train: [record([80])] });
		expect(result.doubts.some(({ title, grave }) => grave && /1 sample/.test(title))).toBe(true);
		expect(row(result, "h").verdict).toBe("structurally unidentifiable");
		expect(row(result, "h").sd).toBeUndefined();
		// The sample is of T(0) itself.
		expect(row(result, "T(0)").sd!).toBeCloseTo(0.4, 6);
	});
});

describe("what is said", () => {
	test("one start is said to be one, not to agree with itself", async () => {
		const options = { starts: 1 } as const;
		const train = [record(decay(80, 0.4))];
		const { message } = await runFit({ model: cooling(" = 80"), train, options });
		expect(message).toMatch(/only one start was made/);
		expect(message).not.toMatch(/1 of 1/);
	});

	test("a poor fit is said once for all records, with one number for one thing", async () => {
		const rising = Array.from({ length: 30 }, (_, i) => 80 + 10 * i);
		const train = [record(rising, 0.5, "first"), record(rising, 0.5, "second")];
		const { doubts } = await runFit({ model: cooling(" = 80"), train });
		const poor = doubts.filter(({ text }) => /first/.test(text) && /second/.test(text));
		expect(poor).toHaveLength(1);
		expect(doubts.filter(({ title }) => /y/.test(title) && /unexplained|mean/.test(title))).toHaveLength(1);
		const percents = `${poor[0].title} ${poor[0].text}`.match(/[\d.]+ %|[\d.]+ times/g) ?? [];
		expect(new Set(percents.map((text) => text.replace(/ .*/, ""))).size).toBe(1);
	});

	test("a stray -999 is pointed out, and how to say that it is missing", async () => {
		const values = decay(80, 0.4);
		values[17] = -999;
		const { doubts } = await runFit({ model: cooling(" = 80"), train: [record(values)] });
		expect(doubts.some(({ text }) => text.includes("missing: [-999]"))).toBe(true);
		const clean = await runFit({ model: cooling(" = 80"), train: [record(decay(80, 0.4))] });
		expect(clean.doubts.some(({ text }) => text.includes("missing:"))).toBe(false);
	});

	test("a peak that the model explains is no stray value", async () => {
		const sharp = Array.from({ length: 20 }, (_, i) => 80 * Math.exp(-6 * i));
		const { doubts } = await runFit({ model: cooling(" = 80"), train: [record(sharp, 1)], start: { h: 5 } });
		expect(doubts.some(({ text }) => text.includes("missing:"))).toBe(false);
	});
});
