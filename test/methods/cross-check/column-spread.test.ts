/** A spread that stands in a column of the record says what the same number in the model says. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { typicalSpread, withNumbers } from "../../../src/estimate/observe/declared-spreads.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { run } from "../../../src/library/run.ts";
import { withSets } from "../../../src/methods/cross-check/derived-knowledge.ts";
import { withUnknownField } from "../../../src/methods/cross-check/unknown-field.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { methods } from "../../../src/methods/registry.ts";
import { constantValue } from "../../../src/model/constant.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { stream } from "../../../src/num/random.ts";
import { adaptedFor } from "../../../src/study/adapt/adapt.ts";
import { noiseOf } from "../../estimate/judge/simulated.ts";

const n = 24;
const t = Array.from({ length: n }, (_, i) => 0.25 * i);
const text = (law: string, input = ""): string =>
	`param k in [0.1, 5]\n${input}state x in [0, 5]\nx' = -k*x\nmeasure y ${law}`;
const column = "input sd\n";

/** What swings is no relaxation: the model cannot explain it. */
const noise = noiseOf(stream(11, "column"), n);
const y = t.map((time, i) => 2 * Math.exp(-0.3 * time) * Math.cos(time) + 0.05 * noise[i]);

const all = async (law: string, input: string, sd: readonly number[]): Promise<Result> =>
	run(parseModel(text(law, input), "m.ode"), record({ t, y, sd }), {
		method: "all",
		options: { effort: 0.1 },
		seed: 1,
	});

describe("all", () => {
	test("answers a column of one number as that number", async () => {
		const number = await all(
			"~ normal(x, 0.05)",
			"",
			t.map(() => 0.05),
		);
		const same = await all(
			"~ normal(x, sd)",
			column,
			t.map(() => 0.05),
		);
		const said = ({ outcome, message, comparison, doubts }: Result): unknown => ({
			outcome,
			message,
			answers: comparison!.answers.map(({ method, outcome: own }) => [method, own]),
			refusals: comparison!.refusals,
			verdicts: comparison!.agreement.map(({ parameter, verdict }) => [parameter, verdict]),
			doubts: doubts.map(({ title }) => title),
		});
		expect(number.outcome).toBe("contradict");
		// Nobody is sent to where he is.
		expect(number.doubts.some(({ text }) => text.includes("Look for what is missing"))).toBe(true);
		for (const { text } of number.doubts) expect(text).not.toContain("method: all");
		expect(said(same)).toEqual(said(number));
	});

	test("takes one that differs from sample to sample for each of them, and says who cannot", async () => {
		const result = await all(
			"~ normal(x, sd)",
			column,
			t.map((_, i) => (i % 2 === 0 ? 0.04 : 0.06)),
		);
		expect(result.outcome).toBe("contradict");
		expect(result.comparison!.answers.find(({ method }) => method === "guaranteed")?.outcome).toBe("refuted");
		expect(result.comparison!.refusals.find(({ method }) => method === "kriging")?.why).toMatch(
			/spread that depends on sd/,
		);
	});
});

describe("a model with a spread in a column", () => {
	const model = parseModel(text("~ normal(x, 2*sd)", column), "m.ode");
	const experiments = (sd: readonly number[]): readonly Experiment[] => [
		experimentOf(record({ t, y, sd }).table, { name: "r", time: "t" }, model, ["y"]),
	];

	test("gives guaranteed bounds of so many of it", () => {
		expect(withSets(model, 4)!.model.source).toMatch(/measure y in x \+- 8\*sd/);
	});

	test("is learned as a function of the states alone", () => {
		const made = withUnknownField(model);
		if (typeof made === "string") throw new Error(made);
		expect(made.model.source).toContain("fx(x)");
		expect(made.model.source).toContain("input sd");
	});

	test("is adapted by its name, not by what fit leaves", () => {
		const guaranteed = methods.get("guaranteed")!;
		const evidence = { answers: {}, outputs: { y: { nSamples: n, rms: 0.4 } }, values: {} };
		const change = adaptedFor(guaranteed, model, evidence);
		expect(change.kind === "change" && change.model).toMatch(/measure y in x \+- 4\*\(2\*sd\)/);
	});

	test("has a number in its place where all samples have the same", () => {
		const one = experiments(t.map(() => 0.05));
		const two = experiments(t.map((_, i) => (i % 2 === 0 ? 0.03 : 0.04)));
		const made = withNumbers(model, one);
		expect(constantValue(made.measures[0].spread!)).toBe(0.1);
		expect(printModel(made)).not.toContain("sd");
		expect(withNumbers(model, two)).toBe(model);
		expect(typicalSpread(model, model.measures[0], one)).toBe(0.1);
		expect(typicalSpread(model, model.measures[0], two)).toBeCloseTo(2 * Math.sqrt(0.00125), 12);
	});
});
