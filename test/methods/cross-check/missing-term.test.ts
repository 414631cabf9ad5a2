/** A model that lacks a saturation: the change that explains the record is named, with those that it cannot be told from. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { crossCheck } from "../../../src/methods/cross-check/cross-check.ts";
import { bestTerm } from "../../../src/methods/cross-check/missing-term.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import type { Method } from "../../../src/methods/method.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { simulateRecord } from "../fit/records.ts";

const bound = 0.005;
const modelOf = (loss: string, params: string) =>
	parseModel(
		`${params}
param p3 = 0.5
param p4 in [0.1, 0.5]
state x1 = 1, x2 = 0
x1' = -p3*x1 - ${loss} + p4*x2
x2' = p3*x1 - p4*x2
measure y in x2 +- ${bound}`,
		"compartments.ode",
	);
const truth = modelOf("p1*x1/(1 + p2*x1)", "param p1 = 1, p2 = 1.2");

/** One output, with errors even between the bounds. */
function record(seed: number): Experiment {
	const times = Float64Array.from({ length: 21 }, (_, i) => i / 2);
	const clean = simulateRecord({ model: truth, values: { p4: 0.25 }, x0: [1, 0], times, noise: {}, seed });
	const random = stream(seed, "error");
	const series = clean.outputs.get("y")!;
	const values = series.values.map((y, i) => y + bound * (2 * random.uniform(i) - 1));
	return { ...clean, outputs: new Map([["y", { ...series, values }]]) };
}

async function askedOf(params: string, seed: number, effort = 60): Promise<Result> {
	const all = crossCheck([fit as unknown as Method]);
	const problem = { model: modelOf("p1*x1", params), train: [record(seed)], test: [], start: {}, seed: 1 };
	const run = await all.prepare({ ...problem, compute: inline }, { ...defaultOptions(all.options), effort });
	while (!(await all.advance(run)).done);
	return all.result(run);
}

describe("one output of a loss that levels off, in a model where it does not", { timeout: 180_000 }, () => {
	const cases = [1, 2].flatMap((seed) => [
		{ what: "known", params: "param p1 = 1", seed, near: 0.4 },
		// The best fit without it sits where both rates are equal: a singular point.
		{ what: "unknown", params: "param p1 in [0.1, 2]", seed, near: 1.2 },
	]);
	test.each(cases)("its rate $what, record $seed", async ({ params, seed, near }) => {
		const result = await askedOf(params, seed);
		expect(result.message).toContain("-p1*x1 levels off in the equation of x1'");
		const found = result.summary.missingTerm as Record<string, string | number | string[]>;
		expect(found).toMatchObject({ top: "x1'", replaces: "-p1*x1" });
		const [, factor] = /^-p1\*x1\/\((.*)\*x1 \+ 1\)$/.exec(found.term as string)!;
		expect(Math.abs(Number(factor) - 1.2)).toBeLessThan(near);
		// Twenty-one samples with errors of the declared size.
		expect(found.after).toBeLessThan(35);
		const written = parseModel(
			result.files.find(({ name }) => name === "missing-term.ode")!.content as string,
			"missing-term.ode",
		);
		expect(written.params.map(({ name }) => name)).toEqual(["p1", "p3", "p4", "v"]);
		const { why } = result.comparison!.agreement.find(({ parameter }) => parameter === "x1'")!;
		if ((found.nearly as string[]).length > 0) expect(why).toContain("The record cannot tell it from: ");
		else expect(why).not.toContain("cannot tell");
	});

	test("what explains as much is named too", async () => {
		const { summary } = await askedOf("param p1 in [0.1, 2]", 1);
		const { nearly } = summary.missingTerm as { nearly: string[] };
		expect(nearly.some((each) => / in x1' \(/.test(each) && each.includes("*x1^2"))).toBe(true);
	});

	test("the model that is right gets no change", async () => {
		const all = crossCheck([fit as unknown as Method]);
		const problem = { model: truth, train: [record(1)], test: [], start: {}, seed: 1, compute: inline };
		const run = await all.prepare(problem, defaultOptions(all.options));
		while (!(await all.advance(run)).done);
		const { summary, message, doubts } = await all.result(run);
		expect(summary.missingTerm).toBeUndefined();
		expect(message).toBe("Only fit has an answer, so nothing checks it.");
		expect(doubts).toEqual([]);
	});
});

test("what the effort does not suffice for is said", async () => {
	const whole = await askedOf("param p1 = 1", 1);
	const text = (result: Result): string => result.comparison!.agreement.map(({ why }) => why).join("\n");
	expect(text(whole)).not.toContain("not tried");
	const short = await askedOf("param p1 = 1", 1, 0.001);
	expect(text(short)).toMatch(/Another \d+ changes were not tried: .*\(all: \{ effort: 0\.001 \}\)/);
});

test("a change that could not be fitted explains nothing", () => {
	const candidate = { state: "x1", top: "x1'", term: "x1^2", model: truth };
	const result = { answered: false, parameters: [], doubts: [] } as unknown as Result;
	expect(bestTerm({ squares: 1000, count: 20, strange: ["x2"] }, [{ candidate, result }])).toBeUndefined();
});
