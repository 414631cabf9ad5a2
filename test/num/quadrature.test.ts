import { describe, expect, it } from "vitest";
import { gaussRule } from "../../src/num/gauss-legendre.ts";
import { linearSteps, periodicSolution } from "../../src/num/linear-collocation.ts";

describe("Gauss rules", () => {
	it.each([1, 2, 3, 4, 5])("%i nodes integrate powers up to 2s - 1 exactly, and no higher", (s) => {
		const { nodes, weights } = gaussRule(s);
		const integral = (power: number): number => nodes.reduce((sum, x, i) => sum + weights[i] * x ** power, 0);
		for (let power = 0; power < 2 * s; power++) expect(integral(power)).toBeCloseTo(1 / (power + 1), 14);
		expect(Math.abs(integral(2 * s) - 1 / (2 * s + 1))).toBeGreaterThan(1e-8);
	});
	it("integrates up to a node what the polynomial through the nodes is", () => {
		const { stages, nodes, upTo } = gaussRule(3);
		nodes.forEach((end, i) => {
			for (let power = 0; power < 3; power++) {
				let sum = 0;
				for (let j = 0; j < stages; j++) sum += upTo[i * stages + j] * nodes[j] ** power;
				expect(sum).toBeCloseTo(end ** (power + 1) / (power + 1), 14);
			}
		});
	});
});

describe("linear systems by Gauss collocation", () => {
	/** x' = -x + cos t has the periodic solution (cos t + sin t)/2. */
	const error = (intervals: number, stages: number): number => {
		const rule = gaussRule(stages);
		const h = (2 * Math.PI) / intervals;
		const t = (j: number): number => h * (Math.floor(j / stages) + rule.nodes[j % stages]);
		const count = intervals * stages;
		const steps = linearSteps(new Float64Array(count).fill(-1), 1, rule, h, true);
		const d = Float64Array.from({ length: count }, (_, j) => Math.cos(t(j)));
		const { starts } = periodicSolution(steps, d);
		return starts.reduce(
			(most, x, k) => Math.max(most, Math.abs(x - (Math.cos(k * h) + Math.sin(k * h)) / 2)),
			0,
		);
	};
	it.each([1, 2, 3])("%i stages have order 2s", (s) => {
		const order = Math.log2(error(8, s) / error(16, s));
		expect(order).toBeGreaterThan(2 * s - 0.3);
		expect(order).toBeLessThan(2 * s + 0.5);
	});
});
