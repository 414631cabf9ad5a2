/** Pareto smoothed weights: the shape of a known tail, and sums that are as if nothing had been done where tails are light. */
import { describe, expect, test } from "vitest";
import { stream } from "../../src/num/random.ts";
import { paretoSmoothed } from "../../src/num/statistics/pareto-smoothing.ts";

describe("the tail of weights", () => {
	test.each([0.2, 0.5, 0.9])("has the shape %s that made it", (k) => {
		const random = stream(4, `pareto ${k}`);
		// u^-k is a Pareto variable of that shape.
		const ratios = Float64Array.from({ length: 20_000 }, (_, i) => -k * Math.log(random.uniform(i)));
		// About 424 weights in the tail: the standard error of the shape is (1 + k)/√424.
		expect(Math.abs(paretoSmoothed(ratios).k - k)).toBeLessThan((3.5 * (1 + k)) / Math.sqrt(424));
	});

	test("weights sum up to one, keep their order, and even ones stay even", () => {
		const random = stream(4, "order");
		const ratios = Float64Array.from({ length: 1000 }, (_, i) => 2 * random.normal(i));
		const { logWeights } = paretoSmoothed(ratios);
		expect(logWeights.reduce((sum, w) => sum + Math.exp(w), 0)).toBeCloseTo(1, 12);
		const order = Array.from(ratios.keys()).sort((a, b) => ratios[a] - ratios[b]);
		for (let i = 1; i < order.length; i++)
			expect(logWeights[order[i]]).toBeGreaterThanOrEqual(logWeights[order[i - 1]] - 1e-12);
		const even = paretoSmoothed(new Float64Array(400));
		expect(even.logWeights.every((w) => Math.abs(w + Math.log(400)) < 1e-12)).toBe(true);
		expect(even.k).toBe(Number.NEGATIVE_INFINITY);
		expect(paretoSmoothed([0, 1, 2]).k).toBe(Number.POSITIVE_INFINITY);
	});
});
