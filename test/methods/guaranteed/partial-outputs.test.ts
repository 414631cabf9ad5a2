/** Outputs that are defined for a part of the unknowns only: a value without an output is consistent with no sample, and the search goes on. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { invert } from "../../../src/methods/guaranteed/entry.ts";
import { enclose, record } from "./records.ts";

/** An output of a - t, and what is consistent with one sample of it. */
const cases: [name: string, output: string, y: number, bar: number, exact: [number, number]][] = [
	["a logarithm", "log(x)", 0, 0.1, [Math.exp(-0.1), Math.exp(0.1)]],
	["a division", "1/x", 2, 0.5, [0.4, 1 / 1.5]],
	["a division, on its other side", "1/x", -2, 0.5, [-1 / 1.5, -0.4]],
	["a tangent", "tan(x)", 1, 0.1, [Math.atan(0.9), Math.atan(1.1)]],
	["a root", "sqrt(x)", 1, 0.1, [0.81, 1.21]],
	["an inverse root", "1/sqrt(x)", 1, 0.1, [1 / 1.21, 1 / 0.81]],
	["a logarithm in a branch that is not taken", "if(x < 0, -x, x + 0*log(2 + x))", 1, 0.1, [-1.1, 1.1]],
];

describe("an output that is not defined for all unknowns", () => {
	it.each(cases)("%s narrows them all the same", async (_, output, y, bar, [lo, hi]) => {
		const text = `param a in [-1.5, 1.5]\nstate x = a\nx' = 0\nmeasure y in ${output} +- ${bar}`;
		const data = record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(y, y)]]));
		const run = await enclose(text, [data]);
		expect(outcomeOf(run)).toBe("proved");
		const [least, most] = run.enclosure!;
		expect(least).toBeLessThanOrEqual(lo + 1e-12);
		expect(most).toBeGreaterThanOrEqual(hi - 1e-12);
		expect(most - least).toBeLessThan(1.05 * (hi - lo));
		const { predictions } = await answer(run);
		for (const prediction of predictions)
			for (const [i, low] of prediction.lo!.entries()) {
				expect(low).toBeGreaterThan(y - 3.1 * bar - 1e-9);
				expect(prediction.hi![i]).toBeLessThan(y + 3.1 * bar + 1e-9);
			}
	});

	it("is refuted where it is defined for none", async () => {
		const text = "param a in [-1.5, -0.5]\nstate x = a\nx' = 0\nmeasure y in log(x) +- 10";
		const run = await enclose(text, [record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(0, 0)]]))]);
		expect(outcomeOf(run)).toBe("refuted");
		expect(run.emptied).toMatchObject({ t: 0, output: "y" });
	});

	it("a power with an unknown exponent has values of negative bases, too", async () => {
		const text = "param a in [2.5, 3.5], b in [-2, 2]\nstate x = b\nx' = 0\nmeasure y in x^a +- 0.1";
		const run = await enclose(text, [
			record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(-1, -1)]])),
		]);
		// a = 3, b = -1.
		const box = run.enclosure!;
		expect(box[0] <= 3 && 3 <= box[1] && box[2] <= -1 && -1 <= box[3]).toBe(true);
	});

	it("an inequality does not hold where it is undefined", async () => {
		const { hull } = await invert({ a: [-1, 3] }, ["sqrt(a) <= 1"]);
		expect(hull!.a.lo).toBeLessThanOrEqual(0);
		expect(hull!.a.lo).toBeGreaterThan(-0.1);
		expect(hull!.a.hi).toBeGreaterThanOrEqual(1);
		expect(hull!.a.hi).toBeLessThan(1.01);
		expect((await invert({ a: [-1, 3] }, ["log(a - 4) <= 1"])).hull).toBeUndefined();
	});
});
