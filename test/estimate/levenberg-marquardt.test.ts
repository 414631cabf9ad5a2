import { describe, expect, test } from "vitest";
import {
	type LeastSquaresOptions,
	LevenbergMarquardt,
} from "../../src/estimate/least-squares/levenberg-marquardt.ts";
import { stream } from "../../src/num/random.ts";

type Problem = (x: Float64Array) => { residual: number[]; jacobian: number[] };

function minimise(
	problem: Problem,
	start: number[],
	lo = start.map(() => -Infinity),
	hi = start.map(() => Infinity),
	options?: LeastSquaresOptions,
) {
	const machine = new LevenbergMarquardt(
		Float64Array.from(start),
		{ lo: Float64Array.from(lo), hi: Float64Array.from(hi) },
		options,
	);
	while (machine.trial) {
		const { residual, jacobian } = problem(machine.trial);
		machine.tell(Float64Array.from(residual), Float64Array.from(jacobian));
	}
	return machine;
}

const rosenbrock: Problem = ([x, y]) => ({
	residual: [10 * (y - x * x), 1 - x],
	jacobian: [-20 * x, 10, -1, 0],
});
/** Powell's singular function: the Jacobian loses rank at the optimum. */
const powell: Problem = ([a, b, c, d]) => ({
	residual: [a + 10 * b, Math.sqrt(5) * (c - d), (b - 2 * c) ** 2, Math.sqrt(10) * (a - d) ** 2],
	jacobian: [
		...[1, 10, 0, 0],
		...[0, 0, Math.sqrt(5), -Math.sqrt(5)],
		...[0, 2 * (b - 2 * c), -4 * (b - 2 * c), 0],
		...[2 * Math.sqrt(10) * (a - d), 0, 0, -2 * Math.sqrt(10) * (a - d)],
	],
});

/** A random linear problem, nearly singular, inside a box: exp makes it a little bent. */
function bent(seed: number): { problem: Problem; start: number[]; lo: number[]; hi: number[] } {
	const random = stream(seed, "bounded");
	const n = 4;
	const m = 6;
	const scales = Array.from({ length: n }, (_, j) => 10 ** (-4 * random.uniform(900 + j)));
	const A = Array.from({ length: m * n }, (_, i) => random.normal(i) * scales[i % n]);
	const b = Array.from({ length: m }, (_, i) => 3 * random.normal(500 + i));
	const lo = Array.from({ length: n }, (_, j) => -1 - random.uniform(600 + j));
	const hi = Array.from({ length: n }, (_, j) => 1 + random.uniform(700 + j));
	const start = lo.map((low, j) => low + random.uniform(800 + j) * (hi[j] - low));
	const problem: Problem = (x) => ({
		residual: b.map((each, i) => x.reduce((sum, value, j) => sum + A[i * n + j] * Math.exp(value), -each)),
		jacobian: A.map((each, k) => each * Math.exp(x[k % n])),
	});
	return { problem, start, lo, hi };
}

describe("inside a box", () => {
	test("a bound without derivatives is come near to, and does not end the search", () => {
		// √x has no slope at 0, and y is far from its optimum when a step of x first ends there.
		const problem: Problem = ([x, y]) => ({
			residual: [Math.sqrt(x) + 1, Math.exp(y) - 20],
			jacobian: [0.5 / Math.sqrt(x), 0, 0, Math.exp(y)].map((each) => (x > 0 ? each : Number.NaN)),
		});
		const { best, cost } = minimise(problem, [0.5, 0], [0, -10], [1, 10]);
		expect(cost).toBeLessThan(0.501);
		expect(best[1]).toBeCloseTo(Math.log(20), 4);
	});

	test("what has no influence but that of noise stays where it is", () => {
		const machine = new LevenbergMarquardt(
			Float64Array.of(2, 1),
			{ lo: Float64Array.of(-10, -10), hi: Float64Array.of(10, 10) },
			{ reach: Float64Array.of(1, 1) },
		);
		while (machine.trial) {
			const [x] = machine.trial;
			machine.tell(Float64Array.of(Math.exp(x) - 1, 0.1), Float64Array.of(Math.exp(x), 1e-30, 0, 1e-28));
		}
		expect(machine.best[0]).toBeCloseTo(0, 6);
		expect(machine.best[1]).toBeCloseTo(1, 6);
	});

	test("ends where no variable can go downhill: 200 random problems", () => {
		for (let seed = 0; seed < 200; seed++) {
			const { problem, start, lo, hi } = bent(seed);
			const machine = minimise(problem, start, lo, hi);
			const { residual, jacobian } = problem(machine.best);
			const n = start.length;
			for (let j = 0; j < n; j++) {
				const gradient = residual.reduce((sum, r, i) => sum + r * jacobian[i * n + j], 0);
				const size = Math.hypot(...residual.map((_, i) => jacobian[i * n + j])) * Math.hypot(...residual);
				const isHeld =
					(machine.best[j] <= lo[j] && gradient >= 0) || (machine.best[j] >= hi[j] && gradient <= 0);
				if (!isHeld) expect(Math.abs(gradient) / size, `seed ${seed}, variable ${j}`).toBeLessThan(1e-3);
			}
		}
	});

	test("no variable goes beyond its reach in one step", () => {
		for (let seed = 0; seed < 20; seed++) {
			const { problem, start, lo, hi } = bent(seed);
			const machine = new LevenbergMarquardt(
				Float64Array.from(start),
				{ lo: Float64Array.from(lo), hi: Float64Array.from(hi) },
				{ reach: new Float64Array(4).fill(0.2) },
			);
			while (machine.trial) {
				for (const [j, value] of machine.trial.entries())
					expect(Math.abs(value - machine.best[j])).toBeLessThan(0.2 + 1e-12);
				const { residual, jacobian } = problem(machine.trial);
				machine.tell(Float64Array.from(residual), Float64Array.from(jacobian));
			}
			expect(machine.outcome).toBe("converged");
		}
	});
});

describe("Levenberg–Marquardt", () => {
	test("Rosenbrock's valley from the classical start", () => {
		const machine = minimise(rosenbrock, [-1.2, 1]);
		expect(machine.outcome).toBe("converged");
		expect(machine.best[0]).toBeCloseTo(1, 8);
		expect(machine.best[1]).toBeCloseTo(1, 8);
		expect(machine.evaluations).toBeLessThan(60);
	});

	test("Powell's singular function", () => {
		const machine = minimise(powell, [3, -1, 0, 1]);
		expect(machine.cost).toBeLessThan(1e-12);
	});

	test("ends on a bound when the optimum lies beyond it", () => {
		const machine = minimise(rosenbrock, [-1.2, 1], [-2, -2], [0.5, 2]);
		expect(machine.outcome).toBe("converged");
		expect(machine.best[0]).toBe(0.5);
		expect(machine.best[1]).toBeCloseTo(0.25, 8);
	});

	test("steps back from where the model is not finite", () => {
		const machine = minimise(
			([x]) => ({
				residual: [x > 0 ? Math.log(x) - 1 : Number.NaN],
				jacobian: [x > 0 ? 1 / x : Number.NaN],
			}),
			[20],
		);
		expect(machine.outcome).toBe("converged");
		expect(machine.best[0]).toBeCloseTo(Math.E, 8);
	});

	test("says so when the start itself is not finite", () => {
		const machine = minimise(() => ({ residual: [Number.NaN], jacobian: [Number.NaN] }), [1]);
		expect(machine.outcome).toBe("diverged");
	});

	test("does not move along a direction that the data do not determine", () => {
		const machine = minimise(([a, b]) => ({ residual: [a + b - 3], jacobian: [1, 1] }), [0, 1]);
		expect(machine.outcome).toBe("converged");
		expect(machine.best[0] + machine.best[1]).toBeCloseTo(3, 10);
		expect(machine.best[1] - machine.best[0]).toBeCloseTo(1, 6);
	});
});

describe("a search that is told little", () => {
	const bounds = { lo: Float64Array.of(-5, -5), hi: Float64Array.of(5, 5) };
	const start = Float64Array.of(-1.2, 1);
	const told = (machine: LevenbergMarquardt): void => {
		while (machine.trial) {
			const { residual, jacobian } = rosenbrock(machine.trial);
			machine.tell(Float64Array.from(residual), Float64Array.from(jacobian));
		}
	};

	test("needs only to hear that a trial is no better", () => {
		const whole = new LevenbergMarquardt(start, bounds);
		told(whole);
		const machine = new LevenbergMarquardt(start, bounds);
		while (machine.trial) {
			const { residual, jacobian } = rosenbrock(machine.trial);
			const cost = residual.reduce((sum, value) => sum + (value * value) / 2, 0);
			if (cost < machine.cost) machine.tell(Float64Array.from(residual), Float64Array.from(jacobian));
			else machine.reject();
		}
		expect([...machine.best]).toEqual([...whole.best]);
		expect(machine.evaluations).toBe(whole.evaluations);
	});
});

describe("variables that hardly matter", () => {
	/** The first is seen well; the others ever less, and where they go far nothing is finite. */
	const n = 9;
	const seen = (j: number): number => 10 ** (-2 * j);
	const search = (lengths?: Float64Array): LevenbergMarquardt => {
		const machine = new LevenbergMarquardt(
			new Float64Array(n),
			{ lo: new Float64Array(n).fill(-Infinity), hi: new Float64Array(n).fill(Infinity) },
			{ tolerance: 1e-8, maxEvaluations: 60, ...(lengths && { lengths }) },
		);
		while (machine.trial) {
			const x = machine.trial;
			const residual = Float64Array.from(x, (each, j) =>
				j === 0 ? 100 * (Math.exp(each) - 7) : seen(j) * Math.sinh(each) - 1,
			);
			const jacobian = new Float64Array(n * n);
			for (let j = 0; j < n; j++)
				jacobian[j * n + j] = j === 0 ? 100 * Math.exp(x[j]) : seen(j) * Math.cosh(x[j]);
			machine.tell(residual, jacobian);
		}
		return machine;
	};

	test("are the first to be held back where a step fails, and the others are found", () => {
		const { best, cost } = search(new Float64Array(n).fill(Math.LN10));
		expect(Math.abs(best[0] - Math.log(7))).toBeLessThan(1e-6);
		expect(cost).toBeLessThan((n - 1) / 2 + 1e-6);
		// Steps that are all shortened alike find nothing.
		expect(Math.abs(search().best[0] - Math.log(7))).toBeGreaterThan(0.1);
	});

	test("rest where they would without: what moves cost is nothing there", () => {
		const machine = minimise(rosenbrock, [3, -2], undefined, undefined, {
			lengths: Float64Array.of(1e-3, 1e-3),
		});
		expect(machine.best[0]).toBeCloseTo(1, 6);
		expect(machine.best[1]).toBeCloseTo(1, 6);
	});
});
