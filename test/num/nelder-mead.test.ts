import { describe, expect, it } from "vitest";
import { nelderMead } from "../../src/num/nelder-mead.ts";

const rosenbrock = ([x, y]: Float64Array): number => (1 - x) ** 2 + 100 * (y - x * x) ** 2;
const free = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

describe("Nelder and Mead", () => {
	it("finds the bottom of a curved valley", () => {
		const { x, converged } = nelderMead(
			rosenbrock,
			Float64Array.of(-1.2, 1),
			free,
			free.map((v) => -v),
		);
		expect(converged).toBe(true);
		expect(x[0]).toBeCloseTo(1, 5);
		expect(x[1]).toBeCloseTo(1, 5);
	});
	it("stays inside its bounds, and says when it ran out of evaluations", () => {
		const { x } = nelderMead(rosenbrock, Float64Array.of(-1.2, 1), [-2, -2], [0.5, 2]);
		expect(x[0]).toBeCloseTo(0.5, 6);
		expect(x[1]).toBeCloseTo(0.25, 5);
		const short = nelderMead(
			rosenbrock,
			Float64Array.of(-1.2, 1),
			free,
			free.map((v) => -v),
			{ maxEvaluations: 30 },
		);
		expect(short.converged).toBe(false);
	});
});
