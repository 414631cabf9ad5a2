/** A law that is cut to a set, or even on one, is a set for those who go by sets. */
import { expect, test } from "vitest";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { asSets } from "../../../src/model/as-sets.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { knowledgeText } from "../../../src/model/print/model.ts";
import { exp } from "../../../src/num/elementary/number.ts";
import { problemOf, record } from "./records.ts";

const times = Float64Array.from({ length: 9 }, (_, i) => 0.25 * i);
const observed = new Map([["y", times.map((t, i) => 2 * exp(-0.7 * t) + (i % 2 === 0 ? 0.02 : -0.02))]]);

async function parametersOf(k: string, x: string): Promise<unknown> {
	const model = parseModel(`param k ${k}\nstate x ${x}\nx' = -k*x\nmeasure y in x +- 0.03`, "decay.ode");
	const run = await guaranteed.prepare(
		problemOf(model, [record(times, observed, { name: "r" })]),
		defaultOptions(guaranteedOptions),
	);
	while (!(await guaranteed.advance(run)).done);
	const { parameters, outcome } = await guaranteed.result(run);
	return { parameters, outcome };
}

test("the same answer as with the set alone", async () => {
	const plain = await parametersOf("in [0.1, 2]", "in [1, 3]");
	expect(plain).toMatchObject({ outcome: "proved" });
	expect(await parametersOf("~ lognormal(0, 1) in [0.1, 2]", "~ uniform(1, 3)")).toEqual(plain);
	expect(await parametersOf("~ uniform(0.1, 2)", "~ uniform(0, 5) in [1, 3]")).toEqual(plain);
	expect(await parametersOf("~ loguniform(0.1, 2)", "~ exponential(1) in [1, 3]")).toEqual(plain);
});

test("a law ends where it has no mass or where it is cut, whichever comes first", () => {
	const setOf = (k: string): string => {
		const { graph: _, params } = asSets(
			parseModel(`param k ${k}\nstate x = 1\nx' = -k*x\nmeasure y in x +- 0.1`, "m.ode"),
		);
		return knowledgeText(params[0].knowledge);
	};
	expect(setOf("~ beta(2, 3)")).toBe(setOf("in [0, 1]"));
	expect(setOf("~ halfnormal(1) < 2")).toBe(setOf("in [0, 2]"));
	expect(setOf("~ loguniform(0.1, 2) in [0.05, 1]")).toBe(setOf("in [0.1, 1]"));
});

test("a law with one open end is none", () => {
	const { applies, why } = guaranteed.appliesTo(
		parseModel("param k ~ normal(0, 1) > 0\nstate x = 1\nx' = -k*x\nmeasure y in x +- 0.1", "open.ode"),
	);
	expect(applies).toBe(false);
	expect(why).toContain("param k has a distribution");
});
