/** Hidden integrators that act through a product: their level is searched for, and ∫w = 0 over a period gives one parameter. */
import { describe, expect, it } from "vitest";
import { answerTo, deviations, estimates } from "./answers.ts";
import { type Oscillator, problemFor } from "./oscillators.ts";

const bent = (mu: number, k: number, e: number, c: number, period: number): Oscillator => ({
	text: `param mu, k, e, c
state x, s
x' = mu*(x - x^3/3) + s*(1 + c*x)
s' = e - k*x
measure y = x
`,
	truth: { mu, k, e, c },
	x0: [1, 0],
	period,
	settle: 150,
});
const start = (truth: Readonly<Record<string, number>>): Record<string, number> =>
	Object.fromEntries(Object.entries(truth).map(([name, value]) => [name, 1.2 * value]));

describe("an oscillator whose gain is a hidden integral", () => {
	it.each([
		[1, 1.3, 0.1, 0.3, 5.93478],
		[1, 1, 0.2, 0.2, 6.76402],
		[0.8, 1.5, 0.15, 0.15, 5.2811],
	])(
		"mu %d, k %d, e %d, c %d: exact without noise, within its errors with it",
		async (...of) => {
			const oscillator = bent(...of);
			const { truth } = oscillator;
			const problem = problemFor(oscillator, start(truth), { samplesPerPeriod: 100 });
			const exact = await answerTo(problem);
			expect(exact.outcome).toBe("converged");
			const found = estimates(exact);
			for (const [name, value] of Object.entries(truth))
				expect(Math.abs(found[name] / value - 1), name).toBeLessThan(1e-6);
			expect(Math.abs(found["s(0)"] - problem.states[1])).toBeLessThan(1e-6);
			expect((exact.summary.class as { closure: string[] }).closure).toEqual(["e"]);
			const noisy = await answerTo(
				problemFor(oscillator, start(truth), { samplesPerPeriod: 100, noise: 0.01, seed: 7 }),
			);
			// 5 numbers in each of three cases: beyond 4.5 once in ten thousand.
			const states = { "s(0)": problem.states[1] };
			for (const z of deviations(noisy, { ...truth, ...states })) expect(Math.abs(z)).toBeLessThan(4.5);
		},
		120_000,
	);
});
