/** Long work breathes: a run that is asked to stop in the midst of a step stops there, and goes on to the same answer. */
import { beforeAll, describe, expect, test } from "vitest";
import { minimizationSteps } from "../../src/num/bounded-bfgs.ts";
import { solutionSteps } from "../../src/solve/solve-ivp.ts";
import { build } from "../cli/odentify.ts";
import { answerBrokenOff, studies } from "./small-studies.ts";

beforeAll(build, 300_000);

/** Breaths for each step, at least: more than one where a step is many pieces. */
const least: Readonly<Record<string, number>> = { kriging: 20, periodic: 4, all: 1.5 };

describe.each(Object.keys(studies))("%s", (method) => {
	test("stopped at any breath", async () => {
		const whole = await answerBrokenOff(method, Number.POSITIVE_INFINITY);
		expect(whole.kept).toBe(false);
		expect(whole.breaths).toBeGreaterThanOrEqual((least[method] ?? 1) * whole.steps);
		for (const share of method in least ? [0.3, 0.9] : [0.6]) {
			const at = whole.ready + 1 + Math.floor(share * (whole.breaths - whole.ready));
			const { text, breaths, kept } = await answerBrokenOff(method, at);
			expect({ breaths, kept }).toEqual({ breaths: at, kept: true });
			expect(text === whole.text, `${method}, stopped at breath ${at} of ${whole.breaths}`).toBe(true);
		}
	}, 180_000);
});

/** The most calls between two pauses of work that is done in pieces. */
function mostBetween(work: Generator<void, unknown>, calls: () => number): { most: number; pieces: number } {
	let most = 0;
	for (let pieces = 1; ; pieces++) {
		const before = calls();
		const { done } = work.next();
		most = Math.max(most, calls() - before);
		if (done) return { most, pieces };
	}
}

describe("between two breaths", () => {
	test("a minimisation evaluates once", () => {
		let calls = 0;
		const rosenbrock = (x: Float64Array) => {
			calls++;
			const [a, b] = [1 - x[0], x[1] - x[0] * x[0]];
			return { value: a * a + 100 * b * b, gradient: Float64Array.of(-2 * a - 400 * x[0] * b, 200 * b) };
		};
		const work = minimizationSteps(rosenbrock, Float64Array.of(-1.2, 1), [-5, -5], [5, 5]);
		const { most, pieces } = mostBetween(work, () => calls);
		expect(most).toBe(1);
		expect(pieces).toBeGreaterThan(20);
	});
	test("a solver takes some hundred steps", () => {
		let calls = 0;
		const ivp = {
			n: 2,
			rhs(_t: number, x: Float64Array, out: Float64Array) {
				calls++;
				out[0] = x[1];
				out[1] = -x[0];
			},
		};
		const work = solutionSteps(ivp, 0, 2000, Float64Array.of(1, 0), { rtol: 1e-9, atol: 1e-9 });
		const { most, pieces } = mostBetween(work, () => calls);
		expect(most).toBeLessThan(10_000);
		expect(pieces).toBeGreaterThan(10);
		expect(calls).toBeGreaterThan(50_000);
	});
});
