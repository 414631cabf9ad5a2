/** Outputs that no polynomial is near to on a large set: boxes are cut until one is, and there are as many as something is left of. */
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { enclose, record } from "./records.ts";

const { exp, sinh, sqrt, tan, tanh } = Math;
const atanh = (y: number): number => Math.log((1 + y) / (1 - y)) / 2;

const bell = (y: number): number => sqrt(1 / y - 1);
const cases: [output: string, set: string, y: number, exact: [number, number]][] = [
	["1/(1 + x^2)", "[-5, 5]", 0.4, [-bell(0.39), bell(0.39)]],
	["1/(1 + x^2)", "[-1000, 1000]", 0.4, [-bell(0.39), bell(0.39)]],
	["exp(-x^2)", "[-5, 5]", 0.2, [-sqrt(-Math.log(0.19)), sqrt(-Math.log(0.19))]],
	["tanh(x)", "[-5, 5]", 0.8, [atanh(0.79), atanh(0.81)]],
	["tanh(x)", "[-50, 50]", 0.8, [atanh(0.79), atanh(0.81)]],
	["atan(x)", "[-5, 5]", 0.9, [tan(0.89), tan(0.91)]],
];

describe("outputs on wide sets", () => {
	it.each(cases)("%s is narrowed for x in %s", async (output, set, y, [lo, hi]) => {
		const text = `state x in ${set}\nx' = 0\nmeasure y in ${output} +- 0.01`;
		const run = await enclose(text, [record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(y, y)]]))]);
		expect(outcomeOf(run)).toBe("proved");
		const [least, most] = run.enclosure!;
		expect(least).toBeLessThanOrEqual(lo + 1e-12);
		expect(most).toBeGreaterThanOrEqual(hi - 1e-12);
		expect(most - least).toBeLessThan(1.02 * (hi - lo));
	});
	it("with a rate that saturates as well: both unknowns are narrowed to a tenth", async () => {
		const times = Float64Array.of(0, 0.5, 1, 1.5, 2);
		const x = (t: number): number => Math.asinh(sinh(1.3) * exp(-t));
		const text = "param k in [0.5, 2]\nstate x in [-5, 5]\nx' = -k*tanh(x)\nmeasure y in tanh(x) +- 0.01";
		const run = await enclose(text, [record(times, new Map([["y", times.map((t) => tanh(x(t)))]]))]);
		expect(outcomeOf(run)).toBe("proved");
		const box = run.enclosure!;
		expect(box[0] <= 1 && 1 <= box[1] && box[2] <= 1.3 && 1.3 <= box[3]).toBe(true);
		expect(box[1] - box[0]).toBeLessThan(0.15);
		expect(box[3] - box[2]).toBeLessThan(0.2);
	});
});
