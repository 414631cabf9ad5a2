import { describe, expect, it } from "vitest";
import type { MethodName } from "../../src/solve/ivp.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { hires, robertson, type TestProblem, vanDerPol, vanDerPolStiff } from "./problems.ts";

const problems = [vanDerPolStiff, robertson, hires];
const atolOf = (problem: TestProblem, rtol: number) => rtol * (problem === robertson ? 1e-6 : 1e-3);

function relativeError(
	{ ivp, t0, t1, x0, end }: TestProblem,
	method: MethodName | "auto",
	rtol: number,
	atol: number,
) {
	const { outcome, x, stats } = solveIvp(ivp, t0, t1, x0, { method, rtol, atol, saveAt: [t1] });
	expect(outcome).toBe("converged");
	return { error: Math.max(...end!.map((value, i) => Math.abs(x[i] / value - 1))), stats };
}

describe.each(problems)("$name", (problem) => {
	it.each([
		["rodas5p", 1e-6, 2e-5],
		["rodas5p", 1e-8, 2e-7],
		["rodas6p", 1e-6, 1e-5],
		["rodas6p", 1e-9, 1e-8],
		["auto", 1e-6, 2e-5],
		["auto", 1e-9, 2e-8],
	] as const)("%s at rtol %d ends within %d of the published values", (method, rtol, bound) => {
		expect(relativeError(problem, method, rtol, atolOf(problem, rtol)).error).toBeLessThan(bound);
	});

	it("is found to be stiff by auto, and said so", () => {
		const { stats } = relativeError(problem, "auto", 1e-5, atolOf(problem, 1e-5));
		expect(stats.method).toMatch(/^tsit5 -> rodas/);
		expect(stats.switches[0]).toMatchObject({ why: "stiff" });
		expect(stats.jacobians).toBeGreaterThan(0);
	});

	it("takes about as many steps without a Jacobian matrix given", () => {
		const bare = { ...problem, ivp: { ...problem.ivp, jacobian: undefined } };
		const rtol = 1e-6;
		const given = relativeError(problem, "rodas6p", rtol, atolOf(problem, rtol));
		const found = relativeError(bare, "rodas6p", rtol, atolOf(problem, rtol));
		expect(found.error).toBeLessThan(1e-5);
		expect(found.stats.steps).toBeLessThan(1.1 * given.stats.steps);
	});
});

describe("auto", () => {
	it("stays with the explicit method where nothing is stiff", () => {
		const { ivp, t0, t1, x0 } = vanDerPol;
		for (const rtol of [1e-4, 1e-6, 1e-9]) {
			const { stats } = solveIvp(ivp, t0, t1, x0, { rtol, atol: rtol });
			expect(stats.switches).toEqual([]);
			expect(stats.jacobians).toBe(0);
		}
	});

	it("comes back to the explicit method when the stiff stretch is over", () => {
		// Stiff until t = 1, then an oscillation that needs many steps for accuracy.
		const { stats, outcome, x } = solveIvp(
			{
				n: 2,
				rhs(t, x, out) {
					const stiff = t < 1 ? 1e5 : 0;
					out[0] = -stiff * (x[0] - 1) + (t < 1 ? 0 : 30 * x[1]);
					out[1] = t < 1 ? 0 : -30 * x[0];
				},
			},
			0,
			20,
			Float64Array.of(0, 0),
			{ knots: [1], saveAt: [20] },
		);
		expect(outcome).toBe("converged");
		expect(stats.switches.map(({ to }) => to)).toEqual(["rodas6p", "tsit5"]);
		expect(stats.switches[1].why).toBe("no longer stiff");
		expect(x[0]).toBeCloseTo(Math.cos(30 * 19), 2);
	});
});
