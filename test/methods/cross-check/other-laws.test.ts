/** Errors that are not plainly normal: all asks of them what fit asks, and takes its doubts for what they are. */
import { expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { sampleLaw } from "../../../src/estimate/law/declared.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { crossCheck } from "../../../src/methods/cross-check/cross-check.ts";
import { withSets } from "../../../src/methods/cross-check/derived-knowledge.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import type { Method } from "../../../src/methods/method.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { constantValue } from "../../../src/model/constant.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { truth } from "../../estimate/judge/one-record.ts";

const n = 60;
const t = Array.from({ length: n }, (_, i) => 0.1 * i);
const ofRelaxation = (law: string): string =>
	`param k in [0.01, 10], x1 in [0, 5]\nstate x in [0, 10]\nx' = -k*(x - x1)\nmeasure y ${law}`;
const modest = { starts: 1, candidates: 1, profile: false };

async function byFitAlone(text: string, y: readonly number[]): Promise<Result> {
	const all = crossCheck([fit as unknown as Method]);
	const model = parseModel(text, "m.ode");
	const train = [experimentOf(record({ t, y }).table, { name: "r", time: "t" }, model, ["y"])];
	const start = { k: 0.4, x1: 1, x: 3 };
	const problem = { model, train, test: [], start, seed: 1, compute: inline, settings: { fit: modest } };
	const run = await all.prepare(problem, { ...defaultOptions(all.options), effort: 0.1 });
	while (!(await all.advance(run)).done);
	return all.result(run);
}

/** Drawn from the law that is declared. */
function drawn(law: string, seed: number): number[] {
	const declared = sampleLaw(parseModel(ofRelaxation(law), "m.ode").measures[0]);
	if (declared.isCount) throw new Error("no errors");
	const random = stream(seed, "other laws");
	return t.map((time, i) => truth(time) + 0.05 * declared.draw(random, i));
}

test.each([
	["~ student(3, x, 0.05)", 1],
	["~ laplace(x, 0.05)", 1],
] as const)("a record drawn from %s is explained", async (law, seed) => {
	const y = drawn(law, seed);
	// In spreads these are larger than normal errors would be.
	const squares = y.reduce((sum, value, i) => sum + ((value - truth(t[i])) / 0.05) ** 2, 0);
	expect(squares).toBeGreaterThan(1.5 * n);
	const { message, doubts } = await byFitAlone(ofRelaxation(law), y);
	expect(doubts.filter(({ grave }) => grave)).toEqual([]);
	expect(message).toBe("Only fit has an answer, so nothing checks it.");
});

test("samples that were rounded are explained, and the bound holds what was rounded off", async () => {
	const law = "~ normal(x, 0.02, rounded: 0.2)";
	const random = stream(1, "rounded");
	const y = t.map((time, i) => Math.round((truth(time) + 0.02 * random.normal(i)) / 0.2) * 0.2);
	const { message } = await byFitAlone(ofRelaxation(law), y);
	expect(message).toBe("Only fit has an answer, so nothing checks it.");
	const { model, assumptions } = withSets(parseModel(ofRelaxation(law), "m.ode"), 4)!;
	expect(constantValue(model.measures[0].spread!)).toBeCloseTo(0.18, 12);
	expect(assumptions).toContain(
		"No error of y is larger than 4 standard deviations before the sample is rounded to a multiple of 0.2: y in x +- 0.18.",
	);
});

test("the headline goes on with what a method does not trust", async () => {
	const random = stream(2, "product");
	const y = t.map((time, i) => truth(time) + 0.05 * random.normal(i));
	const text =
		"param K in [0.01, 10], A in [0.1, 3], B in [0.1, 3]\nstate X in [0, 10]\nX' = -K*(X - A*B)\nmeasure y ~ normal(X, 0.05)";
	const { message, doubts } = await byFitAlone(text, y);
	expect(doubts[0]).toMatchObject({ title: "fit: A and B can only be found together", grave: true });
	expect(message).toBe(
		"Only fit has an answer, so nothing checks it, but do not trust it yet: A and B can only be found together (fit).",
	);
});
