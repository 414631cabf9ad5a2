/** Equations with corners: after a corner the enclosure is as close as before it. */
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { enclose, record, simulateTruth } from "./records.ts";

const cases: [string, { equations: string; x0: number[]; end: number; bar: number }][] = [
	["an absolute value", { equations: "state x = 1\nx' = -p*abs(x) - 1", x0: [1], end: 2, bar: 1e-5 }],
	["a maximum", { equations: "state x = 1\nx' = -p*max(x, 0.2) - 0.3", x0: [1], end: 2, bar: 1e-5 }],
	["a minimum", { equations: "state x = 1\nx' = p*min(1 - x, x - 2) + 1.2", x0: [1], end: 2, bar: 1e-5 }],
	[
		"a corner passed again and again",
		{ equations: "state x = 1, v = 0\nx' = v\nv' = -x - p*abs(v)*v", x0: [1, 0], end: 6, bar: 1e-4 },
	],
];

describe("corners", () => {
	it.each(cases)("%s: the set is the exact one to 1 %", async (_, { equations, x0, end, bar }) => {
		const times = Float64Array.of(0, end);
		const last = (p: number): number =>
			simulateTruth({
				text: `param p\n${equations}\nmeasure y = x`,
				values: { p },
				x0,
				times,
			}).outputs.get("y")![1];
		const slope = (last(1 + 1e-6) - last(1 - 1e-6)) / 2e-6;
		const exact = (2 * bar) / Math.abs(slope);
		const y = last(1);
		const sample = {
			...record(times, new Map()),
			outputs: new Map([
				["y", { times: times.slice(1), values: Float64Array.of(y), rows: Int32Array.of(1) }],
			]),
		};
		const run = await enclose(`param p in [0.5, 1.5]\n${equations}\nmeasure y in x +- ${bar}`, [sample]);
		expect(outcomeOf(run)).toBe("proved");
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThan(1 - 0.499 * exact);
		expect(hi).toBeGreaterThan(1 + 0.499 * exact);
		expect(hi - lo).toBeLessThan(1.01 * exact);
	});

	it("are cut away where the first cut shows nothing: a rate that is held between two", async () => {
		const text =
			"param s in [0.5, 2.5]\nstate x = 0\nx' = max(-1, min(1, 10*(s - t)))\nmeasure y in x +- 0.01";
		// x(2) = 2s - 2, as up and down are alike.
		const run = await enclose(text, [
			record(Float64Array.of(0, 2), new Map([["y", Float64Array.of(0, 0.8)]])),
		]);
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(1.395);
		expect(hi).toBeGreaterThanOrEqual(1.405);
		expect(hi - lo).toBeLessThan(0.0102);
	});
});
