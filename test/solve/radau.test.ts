/** What is particular to collocation: its Newton iteration, its guesses, and sensitivities solved after the states. */
import { describe, expect, it } from "vitest";
import type { Ivp } from "../../src/solve/ivp.ts";
import { type SensitiveIvp, solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { hires, vanDerPolStiff } from "./problems.ts";

const radau = { method: "radau9" } as const;

/** x' = -rate (x - cos t) */
const follower = (rate: number, jacobian: number): Ivp => ({
	n: 1,
	names: ["x"],
	rhs: (t, x, out) => void (out[0] = -rate * (x[0] - Math.cos(t))),
	jacobian: (_t, _x, out) => void (out[0] = jacobian),
});
const followed = (rate: number, t: number) =>
	(rate * (rate * Math.cos(t) + Math.sin(t)) - Math.exp(-rate * t) * rate * rate) / (rate * rate + 1) +
	Math.exp(-rate * t);

describe("Newton's iteration", () => {
	it("gives the same answer with a wrong Jacobian matrix, in more steps", () => {
		const options = { ...radau, rtol: 1e-9, atol: 1e-9, saveAt: [3] };
		const right = solveIvp(follower(50, -50), 0, 3, Float64Array.of(1), options);
		const wrong = solveIvp(follower(50, 20), 0, 3, Float64Array.of(1), options);
		expect(right.x[0]).toBeCloseTo(followed(50, 3), 9);
		expect(wrong.x[0]).toBeCloseTo(followed(50, 3), 9);
		expect(wrong.stats.rejected).toBeGreaterThan(right.stats.rejected);
		expect(wrong.stats.steps).toBeGreaterThan(right.stats.steps);
	});

	it("takes few evaluations a step where the last step's polynomial foretells the next", () => {
		const { ivp, t0, t1, x0 } = hires;
		const { stats } = solveIvp(ivp, t0, t1, x0, { ...radau, rtol: 1e-11, atol: 1e-14 });
		// Five stages, so this is less than four rounds of the iteration.
		expect(stats.rhs / stats.steps).toBeLessThan(20);
		expect(stats.jacobians).toBeLessThanOrEqual(stats.steps);
	});

	it("is not told a Jacobian matrix that is not finite", () => {
		const ivp = follower(50, Number.NaN);
		const { outcome, message } = solveIvp(ivp, 0, 3, Float64Array.of(1), radau);
		expect(outcome).toBe("notFinite");
		expect(message).toContain("the Jacobian matrix is not finite");
	});

	it("crosses a jump that was not announced", () => {
		const ivp: Ivp = { n: 1, rhs: (t, x, out) => void (out[0] = -1000 * (x[0] - (t < 1 / 3 ? 0 : 1))) };
		const { outcome, x } = solveIvp(ivp, 0, 1, Float64Array.of(0), { ...radau, rtol: 1e-6, saveAt: [1] });
		expect(outcome).toBe("converged");
		expect(x[0]).toBeCloseTo(1, 6);
	});
});

describe("sensitivities", () => {
	const { n, rhs, jacobian } = vanDerPolStiff.ivp;
	const vanDerPol: SensitiveIvp = {
		n,
		nParams: 1,
		autonomous: true,
		rhs,
		jacobian: jacobian!,
		paramJacobian(_t, x, out) {
			out[0] = 0;
			out[1] = (1 - x[0] * x[0]) * x[1];
		},
	};
	const start = vanDerPolStiff.x0;
	// The parameter, then both initial values.
	const S0 = Float64Array.of(0, 1, 0, 0, 0, 1);

	it("carry the slope at the start into the slope at the end, across a jump of van der Pol", () => {
		// Of an autonomous problem the flow maps its own slope: dx/dx0 f(x0) = f(x).
		const { x, S, outcome } = solveWithSensitivities(vanDerPol, 0, 1000, start, S0, {
			...radau,
			rtol: 1e-10,
			atol: 1e-13,
			columnScale: [1000, 1, 1],
			saveAt: [1000],
		});
		expect(outcome).toBe("converged");
		const f0 = new Float64Array(2);
		const f1 = new Float64Array(2);
		rhs(0, start, f0);
		rhs(0, x, f1);
		for (let i = 0; i < 2; i++) {
			const carried = S[3 * i + 1] * f0[0] + S[3 * i + 2] * f0[1];
			expect(Math.abs(carried / f1[i] - 1)).toBeLessThan(1e-6);
		}
	});

	it("do not change the states, nor cost more than some steps", () => {
		const options = { ...radau, rtol: 1e-8, atol: 1e-11, saveAt: [500] };
		const alone = solveIvp(vanDerPolStiff.ivp, 0, 500, start, options);
		const free = { ...options, controlSensitivities: false };
		const together = solveWithSensitivities(vanDerPol, 0, 500, start, S0, free);
		expect(together.stats.steps).toBe(alone.stats.steps);
		expect([...together.x]).toEqual([...alone.x]);
	});

	it("are as good when only the states are held to the tolerance", () => {
		const options = { ...radau, rtol: 1e-9, atol: 1e-12, columnScale: [1000, 1, 1], saveAt: [500] };
		const held = solveWithSensitivities(vanDerPol, 0, 500, start, S0, options);
		const free = solveWithSensitivities(vanDerPol, 0, 500, start, S0, {
			...options,
			controlSensitivities: false,
		});
		expect(free.stats.steps).toBeLessThanOrEqual(held.stats.steps);
		for (const i of [0, 3]) expect(Math.abs(free.S[i] / held.S[i] - 1)).toBeLessThan(1e-7);
	});
});
