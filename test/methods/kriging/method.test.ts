/** The method from end to end on the example model. */
import { describe, expect, test } from "vitest";
import type { Result } from "../../../src/estimate/result.ts";
import type { Hint } from "../../../src/methods/kriging/answer/hints.ts";
import { kriging } from "../../../src/methods/kriging/kriging.ts";
import type { KrigingRun } from "../../../src/methods/kriging/run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { repetitions } from "../../repetitions.ts";
import {
	evenTimes,
	fitzHughNagumo,
	lotkaVolterra,
	problemOf,
	recordOf,
	solve,
	type Truth,
} from "./problems.ts";

/** Long enough for a busy machine. */
const timeout = 300_000;
const times = evenTimes(81, 0.5);
const states = solve(lotkaVolterra, times);
const options = defaultOptions(kriging.options);
const record = (from: number, to: number, seed = 1) =>
	recordOf(lotkaVolterra, states, { times, from, to, sd: 0.01, seed });
const problem = problemOf(lotkaVolterra, [record(0, 40)], [record(40, 81)], 0.01);

/** The default run, learned once for all tests that look at it. */
let learned: Promise<KrigingRun> | undefined;
const learnedOnce = (): Promise<KrigingRun> => (learned ??= learn());
let answered: Promise<Result> | undefined;
const answeredOnce = (): Promise<Result> =>
	(answered ??= learnedOnce().then((state) => kriging.result(state)));

async function learn(given: Partial<typeof options> = {}, put = problem): Promise<KrigingRun> {
	const state = await kriging.prepare(put, { ...options, ...given });
	while (!(await kriging.advance(state)).done);
	return state;
}

/** Another answer from what was learned by default. */
async function answer(given: Partial<typeof options>, put = problem): Promise<Result> {
	const state = await kriging.load(put, { ...options, ...given }, kriging.save(await learnedOnce()));
	return kriging.result(state);
}

async function run(given: Partial<typeof options> = {}, put = problem): Promise<Result> {
	return kriging.result(await learn(given, put));
}

describe("Lotka–Volterra, nothing known", () => {
	test("learns the field, simulates the test record, says what the field is near to", {
		timeout,
	}, async () => {
		const result = await answeredOnce();
		expect(result.answered).toBe(true);
		expect(result.outcome).toBe("converged");
		const { rmse, coverage95 } = result.summary.test as Record<string, Record<string, number>>;
		// The noise of the test samples is 0.01 itself.
		for (const output of ["y1", "y2"]) {
			expect(rmse[output]).toBeLessThan(0.0135);
			expect(coverage95[output]).toBeGreaterThan(0.85);
		}
		const hints = result.summary.hints as {
			of: string;
			kept: { term: string; weight: number; sd: number }[];
			others: unknown[];
		}[];
		expect(hints[0].kept.map(({ term }) => term)).toEqual(["x1", "x1*x2"]);
		expect(hints[1].kept.map(({ term }) => term)).toEqual(["x2", "x1*x2"]);
		for (const { kept } of hints)
			for (const { weight, sd, term } of kept) {
				const truth = { x1: 1, x2: -1, "x1*x2": kept[0].term === "x1" ? -0.2 : 0.5 }[term]!;
				expect(Math.abs(weight - truth)).toBeLessThan(4 * sd);
				expect(sd).toBeLessThan(0.02);
			}
		expect(result.files.map(({ name }) => name)).toEqual([
			"derivatives.csv",
			"function-f1.csv",
			"function-f2.csv",
		]);
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
		expect(hints.map(({ others }) => others)).toEqual([[], []]);
		expect(result.message).not.toContain("other terms");
		expect(result.assumptions.join()).toContain("hold given these terms");
	});

	test("hints where the record does not tell terms apart: the others are named", { timeout }, async () => {
		const growth: Truth = {
			rhs(_t, x, out) {
				out[0] = x[0] * (1 - x[0] / 10);
			},
			x0: [0.3],
			text: "unknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, SD)",
			outputs: { y: 0 },
		};
		const at = evenTimes(60, 0.08);
		const path = solve(growth, at);
		const hinted = async (to: number) => {
			const seen = recordOf(growth, path, { times: at, from: 0, to, sd: 0.01, seed: 1 });
			const result = await run({}, problemOf(growth, [seen], [], 0.01));
			const [{ kept, others }] = result.summary.hints as Pick<Hint, "kept" | "others">[];
			expect(kept.map(({ term }) => term)).toEqual(["x", "x^2"]);
			return { others, result };
		};
		// The start of the growth only.
		const early = await hinted(30);
		expect(early.others).toEqual([{ term: "x^3", inPlaceOf: "x^2" }]);
		expect(early.result.message).toContain("(other terms fit as well)");
		const rival = early.result.notes!.find(({ title }) => title === "Other terms fit f as well")!;
		expect(rival.text).toContain("x^3 in place of x^2");
		// All of it.
		const { others, result } = await hinted(60);
		expect(others).toEqual([]);
		expect(result.notes!.filter(({ title }) => title.includes("Other terms"))).toEqual([]);
	});

	test("hints on an orbit: no term that is not there", { timeout }, async () => {
		const at = evenTimes(50, 0.5);
		const orbit = solve(fitzHughNagumo, at);
		for (const seed of [4, 5].slice(0, repetitions(1, 2))) {
			const seen = recordOf(fitzHughNagumo, orbit, { times: at, from: 0, to: 50, sd: 0.02, seed });
			const result = await run({}, problemOf(fitzHughNagumo, [seen], [], 0.02));
			const [f, g] = result.summary.hints as { kept: { term: string; weight: number; sd: number }[] }[];
			const truths = [
				{ hint: f, truth: { "1": 0.5, v: 1, w: -1, "v^3": -1 / 3 } as Record<string, number> },
				{ hint: g, truth: { "1": 0.168, v: 0.24, w: -0.192 } as Record<string, number> },
			];
			for (const { hint, truth } of truths) {
				expect(hint.kept.map(({ term }) => term)).toEqual(Object.keys(truth));
				for (const { term, weight, sd } of hint.kept)
					expect(Math.abs(weight - truth[term])).toBeLessThan(4 * sd);
			}
		}
	});

	test("goes on from any step to the same bits", { timeout }, async () => {
		const whole = await answeredOnce();
		let state = await kriging.prepare(problem, options);
		for (let done = false; !done; ) {
			done = (await kriging.advance(state)).done;
			state = await kriging.load(problem, options, kriging.save(state));
		}
		const again = await kriging.result(state);
		expect(again.predictions).toEqual(whole.predictions);
		expect(again.summary).toEqual(whole.summary);
	});

	test.each([
		[{ errors: "derivatives" as const, covariance: "wendland33", criterion: "ml" as const }, 0.06],
		[{ errors: "joint" as const }, 0.05],
		[{ field: "generalized" }, 0.0135],
	])("with %o", { timeout }, async (given, bound) => {
		const result = await run(given);
		const { rmse } = result.summary.test as Record<string, Record<string, number>>;
		for (const output of ["y1", "y2"]) expect(rmse[output]).toBeLessThan(bound);
	});

	test("with sample paths", { timeout }, async () => {
		const result = await answer({ simulation: "samples", samples: 20 });
		const { rmse, coverage95 } = result.summary.test as Record<string, Record<string, number>>;
		for (const output of ["y1", "y2"]) {
			expect(rmse[output]).toBeLessThan(0.0135);
			expect(coverage95[output]).toBeGreaterThan(0.85);
		}
	});

	test("a test record of its own starts from its own first samples", { timeout }, async () => {
		const own = { ...record(40, 81, 2), name: "another" };
		const result = await answer({}, problemOf(lotkaVolterra, [record(0, 40)], [own], 0.01));
		const { rmse } = result.summary.test as Record<string, Record<string, number>>;
		for (const output of ["y1", "y2"]) expect(rmse[output]).toBeLessThan(0.03);
		expect(result.assumptions.join()).toContain("its own samples");
	});
});
