/** A spread that is to be found in a set, and ends on an end of it: what it and the other unknowns are sure to. */
import { describe, expect, test } from "vitest";
import { spreadInterval } from "../../../src/estimate/observe/spread-interval.ts";
import type { ParameterRow } from "../../../src/estimate/result.ts";
import { modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const times = regularTimes(60, 0.1);

/** A constant, measured with errors of 0.05. */
async function constant(spread: string, measure = "normal(a*x, s)"): Promise<readonly ParameterRow[]> {
	const model = modelOf(`param a in [0.1, 5]\n${spread}\nstate x = 1\nx' = 0\nmeasure y ~ ${measure}`);
	const values = { a: 2, s: 0.05 };
	const train = [simulateRecord({ model, values, x0: [1], times, noise: { y: 0.05 }, seed: 3 })];
	return (await runFit({ model, train })).parameters;
}

describe("a spread on an end of its set", () => {
	test.each(["normal(a*x, s)", "student(5, a*x, s)"])("%s, the least: errors are so large", async (law) => {
		const [a, s] = await constant("param s in [0.1, 1]", law);
		expect(s).toMatchObject({ estimate: 0.1, lo: 0.1, verdict: "on its bound" });
		expect(s.hi!).toBeGreaterThan(0.1);
		expect(s.hi!).toBeLessThan(0.12);
		// Student's law tells 6/8 as much of a sample.
		const sd = 0.1 / Math.sqrt(times.length * (law.startsWith("student") ? 0.75 : 1));
		expect(a.sd! / sd).toBeGreaterThan(0.99);
		expect(a.sd! / sd).toBeLessThan(1.02);
	});

	test("of two outputs, the other's spread inside: that one alone is taken as held", async () => {
		const model = modelOf(
			`param a, b, s in [0.1, 1], r in [0.001, 1]\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, s), z ~ normal(b*x, r)`,
		);
		const values = { a: 2, b: 3, s: 1, r: 1 };
		const noise = { y: 0.05, z: 0.05 };
		const train = [simulateRecord({ model, values, x0: [1], times, noise, seed: 3 })];
		const [a, b, s, r] = (await runFit({ model, train })).parameters;
		expect(a.sd! / (s.estimate / Math.sqrt(times.length))).toBeCloseTo(1, 1);
		expect(b.sd! / (r.estimate / Math.sqrt(times.length))).toBeCloseTo(1, 1);
		expect(r.verdict).toBe("identifiable");
	});

	test("the largest: residuals as they are, and an interval below it", async () => {
		const [a, s] = await constant("param s in [0.001, 0.02]");
		expect(s).toMatchObject({ estimate: 0.02, hi: 0.02, verdict: "on its bound" });
		expect(s.lo!).toBeGreaterThan(0.018);
		expect(a.sd!).toBeGreaterThan(0.005);
	});

	test("inside, near an end: the interval ends there", async () => {
		const [, s] = await constant("param s in [0.036, 1]");
		expect(s.estimate).toBeGreaterThan(0.036);
		expect(s).toMatchObject({ lo: 0.036, verdict: "practically unidentifiable" });
	});

	test("where the likelihood has fallen by the line, from either side", () => {
		const [degrees, seen, least] = [50, 0.05, 0.08];
		const cost = (s: number): number => degrees * (Math.log(s) + seen ** 2 / (2 * s * s));
		const { lo, hi } = spreadInterval(least, seen, degrees, { lo: least, hi: 1 });
		expect(lo).toBe(least);
		expect(2 * (cost(hi) - cost(least))).toBeCloseTo(1.959964 ** 2, 5);
		const free = spreadInterval(seen, seen, degrees);
		for (const end of [free.lo, free.hi]) expect(2 * (cost(end) - cost(seen))).toBeCloseTo(1.959964 ** 2, 5);
	});
});
