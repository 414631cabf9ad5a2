/** What a model assumes narrows the set, and refutes it. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { repetitions } from "../../repetitions.ts";
import { compartments, enclose, paperRecord, record } from "./records.ts";
import { assumedProblem } from "./truth/other-families.ts";
import { checkStatements } from "./truth/statements.ts";

describe("assumptions", () => {
	it("of a parameter cut its set, inner boxes included", async () => {
		const run = await enclose(`${compartments}\nassume p4 > 0.25`, [paperRecord()]);
		expect(outcomeOf(run)).toBe("proved");
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeGreaterThan(0.2499);
		expect(lo).toBeLessThanOrEqual(0.25);
		expect(hi).toBeGreaterThanOrEqual(0.2533525);
		expect(run.innerBoxes.inner.length).toBeGreaterThan(0);
		for (const box of run.innerBoxes.inner) expect(box[0]).toBeGreaterThan(0.25);
		expect((await answer(run)).assumptions.join()).toContain("At all times: p4 > 0.25.");
	});
	it("of two parameters narrow both", async () => {
		const run = await enclose(
			"param a in [0, 1], b in [0.4, 1]\nstate x = 1\nx' = -a*b*x\nassume a > 2*b\nmeasure y in x +- 10",
			[record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(1, 1)]]))],
		);
		const [aLo, , , bHi] = run.enclosure!;
		expect(aLo).toBeGreaterThan(0.79);
		expect(bHi).toBeLessThan(0.51);
	});
	it("of a state keep the courses that it allows, without data as well", async () => {
		const text = "param k in [0, 2]\nstate x = 1\nx' = -k\nassume x >= 0";
		const run = await enclose(text, [record(Float64Array.of(0, 0.5, 1), new Map())]);
		expect(outcomeOf(run)).toBe("proved");
		const [lo, hi] = run.enclosure!;
		expect(lo).toBe(0);
		expect(hi).toBeGreaterThanOrEqual(1);
		expect(hi).toBeLessThan(1.001);
		// It holds at all times, which was not looked at.
		expect(run.innerBoxes.inner).toEqual([]);
	});
	it("that nothing meets refute, by name", async () => {
		const run = await enclose(`${compartments}\nassume p4 > 0.4`, [paperRecord()]);
		expect(outcomeOf(run)).toBe("refuted");
		const alone = await enclose(`${compartments}\nassume p4 > 0.6`, [paperRecord()]);
		expect((await answer(alone)).message).toContain("assume p4 > 0.6");
	});
	it("do not go with brackets or outliers", async () => {
		const text = `${compartments}\nassume p4 > 0.25`;
		await expect(enclose(text, [paperRecord()], { prediction: "mueller" })).rejects.toThrow(
			/assume p4 > 0.25/,
		);
		await expect(enclose(text, [paperRecord()], { outliers: 1 })).rejects.toThrow(/assume p4 > 0.25/);
	});
	it(`every statement holds in ${repetitions(8, 20)} problems`, async () => {
		const misses: string[] = [];
		for (let seed = 0, done = 0; done < repetitions(8, 20); seed++) {
			const problem = assumedProblem(seed);
			if (!problem) continue;
			done++;
			for (const miss of (await checkStatements(problem)).misses) misses.push(`seed ${seed}: ${miss}`);
		}
		expect(misses).toEqual([]);
	}, 120_000);
});
