/** summary.json of every method is as docs/summary.schema.json says, on small studies; and the schema can fail. */
import { beforeAll, describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { summaryOf } from "../../src/study/summary.ts";
import { resultOn, studies } from "../compute/small-studies.ts";
import { summaryErrors } from "./json-schema.ts";

const facts = { seed: 1, version: "0.0.0", seconds: 0.1, nSamples: 10 };

/** What an answer has beyond what every ending has. */
const ofAnAnswer: Readonly<Record<string, readonly string[]>> = {
	fit: ["noise"],
	bayes: ["logEvidence", "rejuvenations"],
	guaranteed: [],
	periodic: ["period", "parameters", "states", "iterations", "evaluations", "residual"],
	inversion: [],
	kriging: ["hyper", "derivatives", "functions", "parameters", "hints"],
	all: [],
};

describe.each(Object.keys(studies))("%s", (method) => {
	let summary: Record<string, never>;
	beforeAll(async () => {
		const result = await resultOn(inline, method);
		expect(result.answered).toBe(true);
		summary = summaryOf(result, facts) as Record<string, never>;
	}, 120_000);

	it("is as the schema says", () => {
		expect(summaryErrors(summary)).toEqual([]);
		expect(Object.keys(summary)).toEqual(expect.arrayContaining([...ofAnAnswer[method]]));
	});

	it("is refused where a field is missing or of another shape", () => {
		const { doubts: _, ...less } = summary;
		expect(summaryErrors(less)).toEqual(["/: lacks doubts"]);
		const old = { ...summary, test: { rmse: { y: { mean: 1, min: 0, max: 2 } } } };
		expect(summaryErrors(old)).toEqual(["/test/rmse/y: is object, not number,null"]);
	});
});

it("an interval has both ends and its level", () => {
	const parameters = { k: { estimate: 1, sd: 0.1, lo: 0.8, hi: 1.2, verdict: "identifiable" } };
	const common = { method: "fit", outcome: "converged", message: "", ...facts, doubts: [], iterations: 1 };
	const parts = { train: { rmse: { y: null } }, test: { rmse: {} }, starts: { tried: 1, agree: 1 } };
	expect(summaryErrors({ ...common, ...parts, parameters })).toEqual([
		"/parameters/k: has lo, but lacks level",
		"/parameters/k: has hi, but lacks level",
	]);
});
