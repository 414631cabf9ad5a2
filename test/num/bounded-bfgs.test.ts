/** Minima inside bounds and on them. */
import { expect, test } from "vitest";
import { minimizeBounded } from "../../src/num/bounded-bfgs.ts";

const rosenbrock = (x: Float64Array) => {
	const [a, b] = x;
	return {
		value: (1 - a) ** 2 + 100 * (b - a * a) ** 2,
		gradient: Float64Array.of(-2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)),
	};
};

test("a curved valley", () => {
	const { x, converged } = minimizeBounded(rosenbrock, Float64Array.of(-1.2, 1), [-5, -5], [5, 5], {
		maxEvaluations: 500,
		tolerance: 1e-9,
	});
	expect(converged).toBe(true);
	expect(x[0]).toBeCloseTo(1, 5);
	expect(x[1]).toBeCloseTo(1, 5);
});

test("a minimum on a bound", () => {
	const { x, converged } = minimizeBounded(rosenbrock, Float64Array.of(-1.2, 1), [-5, -5], [0.5, 5], {
		maxEvaluations: 500,
		tolerance: 1e-9,
	});
	expect(converged).toBe(true);
	expect(x[0]).toBe(0.5);
	expect(x[1]).toBeCloseTo(0.25, 6);
});

test("a function that is not defined everywhere", () => {
	const f = (x: Float64Array) =>
		x[0] > 0
			? { value: x[0] - Math.log(x[0]), gradient: Float64Array.of(1 - 1 / x[0]) }
			: { value: Number.POSITIVE_INFINITY, gradient: new Float64Array(1) };
	const { x } = minimizeBounded(f, Float64Array.of(8), [-10], [10], { longest: 20 });
	expect(x[0]).toBeCloseTo(1, 4);
});

test("values with rounding errors: the search ends where they show nothing more", () => {
	// Near to singular equations leave errors of a few millionths in a value of some hundreds; gradients are better.
	const f = (x: Float64Array) => {
		const { value, gradient } = rosenbrock(x);
		const rounding = 3e-6 * Math.sin(1e9 * (x[0] + 2 * x[1]));
		return { value: value - 247 + rounding, gradient };
	};
	for (const start of [
		[-1.2, 1],
		[0.5, 2],
		[2, 2],
		[0, 0],
	]) {
		const { x, converged, evaluations } = minimizeBounded(f, Float64Array.from(start), [-5, -5], [5, 5], {
			maxEvaluations: 100,
		});
		expect(converged).toBe(true);
		expect(evaluations).toBeLessThan(100);
		expect(x[0]).toBeCloseTo(1, 1);
	}
});
