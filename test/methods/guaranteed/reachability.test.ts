/** A record without measurements: where the declared sets lead. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { repetitions } from "../../repetitions.ts";
import { enclose, record } from "./records.ts";
import { freeProblem } from "./truth/other-families.ts";
import { checkStatements } from "./truth/statements.ts";

const decay = "param k in [1, 2]\nstate x in [1, 1.5]\nx' = -k*x";

describe("reachability", () => {
	const times = Float64Array.of(0, 0.5, 1);
	it("needs no measure and no data: the tube is as wide as the exact one", async () => {
		const run = await enclose(decay, [record(times, new Map())]);
		expect(outcomeOf(run)).toBe("proved");
		const { summary, figures, message, files, doubts } = await answer(run);
		expect(message).toContain("every course of the states from the declared sets is in the bands");
		const [lo, hi] = summary.states[2].x as readonly [number, number];
		expect(lo).toBeLessThanOrEqual(Math.exp(-2));
		expect(hi).toBeGreaterThanOrEqual(1.5 * Math.exp(-1));
		expect(hi - lo).toBeLessThan(1.02 * (1.5 * Math.exp(-1) - Math.exp(-2)));
		expect(figures.map(({ name }) => name)).toEqual(["state-0-0"]);
		expect(figures[0].caption).toContain("starts from the declared sets");
		expect(files).toEqual([]);
		expect(doubts).toEqual([]);
	});
	it("says that nothing was measured where the model measures something", async () => {
		const run = await enclose(`${decay}\nmeasure y in x +- 0.1`, [record(times, new Map())]);
		const { doubts } = await answer(run);
		expect(doubts.map(({ code }) => code)).toEqual(["no-data"]);
	});
	it("ends where a part of the sets blows up, and says when", async () => {
		const run = await enclose("param p in [0.5, 2]\nstate x = 1\nx' = p*x^2", [record(times, new Map())]);
		expect(outcomeOf(run)).toBe("undecided");
		const [figure] = (await answer(run)).figures;
		expect(figure.caption).toContain("nothing is proved from there on");
	});
	it("is what the method applies to a model without measure for", () => {
		expect(guaranteed.appliesTo(parseModel(decay, "m.ode"))).toEqual({
			applies: true,
			why: "Nothing is measured: encloses every course of the states from the declared sets.",
		});
	});
	it(`every statement holds in ${repetitions(10, 30)} problems`, async () => {
		const misses: string[] = [];
		for (let seed = 0, done = 0; done < repetitions(10, 30); seed++) {
			const problem = freeProblem(seed);
			if (!problem) continue;
			done++;
			for (const miss of (await checkStatements(problem)).misses) misses.push(`seed ${seed}: ${miss}`);
		}
		expect(misses).toEqual([]);
	}, 120_000);
});
