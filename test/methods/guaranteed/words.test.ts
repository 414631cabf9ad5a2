/** What is said of an answer: counts that fit their limits, one instant for one end, hints that lead elsewhere, doubts where a test contradicts. */
import { describe, expect, it } from "vitest";
import { model } from "../../../src/index.ts";
import { answer } from "../../../src/methods/guaranteed/answer/answer.ts";
import { reach } from "../../../src/methods/guaranteed/entry.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { certificate } from "../../../src/methods/guaranteed/proof/check.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { compartments, enclose, paperRecord, problemOf, record, simulateTruth } from "./records.ts";

const one = (t: number[], y: number[], name?: string) =>
	record(Float64Array.from(t), new Map([["y", Float64Array.from(y)]]), name === undefined ? {} : { name });

describe("how many models", () => {
	it.each([
		[
			"three unknowns, for which there may be more",
			"param p in [0.5, 3.5]\nstate x in [0.9, 1.1], z in [0, 1]\nx' = (2.5 - p)*x^2\nz' = -z",
			{ order: 1, timeOrder: 6, effort: 4 },
		],
		["parts from the start", "param p in [0.5, 3.5]\nstate x = 1\nx' = (2.5 - p)*x^2", { parts: 24 }],
	])("there are at most as many as there may be: %s", async (_, text, options) => {
		const run = await enclose(`${text}\nmeasure y in x +- 1000`, [one([0, 0.5, 0.9], [1, 1, 1])], options);
		const { message } = await answer(run);
		const [, begun, most] = message.match(/with (\d+) of at most (\d+) Taylor models/)!.map(Number);
		expect(begun).toBeGreaterThan(16);
		expect(begun).toBeLessThanOrEqual(most);
	});
});

describe("an end", () => {
	it.each([
		"param p in [0.9, 1.1]\nstate x = 1\nx' = p*x^2",
		"param p in [0.9, 1.1]\nstate x in [0.5, 1.5]\nx' = p*x^2",
	])("of a tube is the instant that is told", async (text) => {
		const { outcome, tube, why } = await reach(model(text), { times: [0, 1, 2] });
		expect(outcome).toBe("undecided");
		expect(why).toContain(`t = ${tube.to}:`);
	});

	it("of a run is the end of its bands", async () => {
		const run = await enclose("param p in [0.5, 2]\nstate x = 1\nx' = p*x^2", [
			record(Float64Array.of(0, 0.5, 1), new Map()),
		]);
		const { message, figures } = await answer(run);
		const [, t] = message.match(/at t = ([\d.]+) the enclosure/)!;
		expect(figures[0].caption).toContain(`It ends at t = ${t}:`);
	});
});

describe("what is refuted at once", () => {
	it.each([0, 2, -3, -2e16])("has a hint of a start before t = %d", async (t) => {
		const run = await enclose("param a in [0, 1]\nstate x = 0\nx' = a\nmeasure y in x +- 0.1", [
			one([t, t + Math.max(1, Math.abs(t))], [5, 5]),
		]);
		const { message } = await answer(run);
		expect(Number(message.match(/start: (\S+)\.$/)![1])).toBeLessThan(t);
	});
});

describe("a test record", () => {
	const text = "param a in [0, 2]\nstate x = 1\nx' = -a*x\nmeasure y in x +- 0.05";
	const solve = async (test: number[]) => {
		const times = [0, 0.5, 1, 1.5];
		const truth = (a: number) => times.map((t) => Math.exp(-a * t));
		const problem = problemOf(parseModel(text, "m.ode"), [one(times, truth(1))], [one(times, test, "later")]);
		const run = await guaranteed.prepare(problem, defaultOptions(guaranteedOptions));
		while (!(await guaranteed.advance(run)).done);
		return guaranteed.result(run);
	};
	it("far from the proved band is doubted gravely, with its furthest sample", async () => {
		const { doubts } = await solve([1, 0.6, 0.9, 0.8]);
		const [doubt] = doubts.filter(({ code }) => code === "contradicted-by-test");
		expect(doubt).toMatchObject({ grave: true, outputs: ["y"] });
		expect(doubt.title).toBe("2 test samples contradict what is proved");
		expect(doubt.text).toMatch(/y of later at t = 1\.5, 0\.4\d beyond/);
	});
	it("within its largest errors of the band is not", async () => {
		const { doubts } = await solve([1.04, 0.6065, 0.33, 0.26]);
		expect(doubts).toEqual([]);
	});
});

describe("what a certificate confirms", () => {
	it("independently, or by the solver alone", async () => {
		const checked = async (text: string) => {
			const run = await enclose(text, [paperRecord()], { proof: 60 });
			const { content } = (await answer(run)).files.find(({ name }) => name === "proof.json")!;
			return certificate.check(String(content), "proof.json", run.problem);
		};
		const own = await checked(compartments);
		expect(own).toMatchObject({ holds: true, isIndependent: true, found: { independent: true } });
		const others = await checked(compartments.replace("- p1*x1/", "- p1*abs(x1)/"));
		expect(others).toMatchObject({ holds: true, isIndependent: false, found: { independent: false } });
		expect(others.lines[1]).toMatch(/^Confirmed by the solver alone/);
	});
	it("nothing of a model that the checker does not know, also where no part was excluded", async () => {
		const text = compartments.replace("- p1*x1/", "- p1*abs(x1)/").replace("+- 0.005", "+- 10");
		const run = await enclose(text, [paperRecord()], { proof: 1 });
		const { content } = (await answer(run)).files.find(({ name }) => name === "proof.json")!;
		const { lines, ...checked } = certificate.check(String(content), "proof.json", run.problem);
		expect(checked).toMatchObject({
			holds: true,
			isIndependent: false,
			found: { bySolver: 0, independent: false },
		});
		expect(lines[0]).toMatch(/^Nothing is confirmed independently/);
	});
});

describe("a course from a point", () => {
	const text = "state x = 1, v = 0\nx' = v\nv' = -sin(x)";
	const times = [0, 1, 2, 5];
	it("is a verified tube around it", async () => {
		const { outcome, tube } = await reach(model(`${text}\nmeasure y = x`), { times });
		expect(outcome).toBe("proved");
		const { x } = simulateTruth({ text, values: {}, x0: [1, 0], times: Float64Array.from(times) });
		for (const [i, t] of times.entries()) {
			const at = tube.at(t);
			expect(at.x.lo).toBeLessThanOrEqual(x[2 * i] + 1e-9);
			expect(at.x.hi).toBeGreaterThanOrEqual(x[2 * i] - 1e-9);
			expect(at.x.hi - at.x.lo).toBeLessThan(1e-5);
		}
	});
	it("is proved by the method as well, which says that nothing is unknown", async () => {
		const problem = problemOf(parseModel(text, "m.ode"), [record(Float64Array.from(times), new Map())]);
		const run = await guaranteed.prepare(problem, defaultOptions(guaranteedOptions));
		while (!(await guaranteed.advance(run)).done);
		const { outcome, message, figures } = await guaranteed.result(run);
		expect([outcome, figures.length]).toEqual(["proved", 2]);
		expect(message).toContain("the course of the states is in the bands");
		// With samples there is nothing that they could narrow.
		expect(guaranteed.appliesTo(parseModel(`${text}\nmeasure y in x +- 1`, "m.ode")).applies).toBe(false);
	});
});
