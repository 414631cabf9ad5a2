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
		["radau9", 1e-6, 1e-5],
		["radau9", 1e-8, 1e-9],
		["radau9", 1e-10, 1e-11],
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

	it.each(["rodas6p", "radau9"] as const)(
		"takes %s as many steps without a Jacobian matrix given",
		(method) => {
			const bare = { ...problem, ivp: { ...problem.ivp, jacobian: undefined } };
			const rtol = 1e-6;
			const given = relativeError(problem, method, rtol, atolOf(problem, rtol));
			const found = relativeError(bare, method, rtol, atolOf(problem, rtol));
			expect(found.error).toBeLessThan(1e-5);
			expect(found.stats.steps).toBeLessThan(1.1 * given.stats.steps);
		},
	);
});

describe("a fast component that follows a slow one", () => {
	// Van der Pol's slow motion, entered with the explicit method.
	const { ivp, x0 } = vanDerPolStiff;
	const explicit = { method: "dop853", rtol: 1e-13, atol: 1e-16 } as const;
	const entry = solveIvp(ivp, 0, 100, x0, { ...explicit, saveAt: [100] }).x;
	const end = solveIvp(ivp, 100, 180, entry, { ...explicit, saveAt: [180], maxSteps: 1e6 }).x;
	const errorOfFast = (method: MethodName, h: number) => {
		const even = { rtol: 1e6, atol: 1e6, firstStep: h, maxStep: h };
		const { x, stats } = solveIvp(ivp, 100, 180, entry, { ...even, method, saveAt: [180] });
		expect(stats.steps).toBe(80 / h);
		return Math.abs(x[1] / end[1] - 1);
	};

	it("is crossed by radau9 in one step", () => {
		expect(errorOfFast("radau9", 80)).toBeLessThan(1e-12);
	});

	it("takes a Rosenbrock method's order down to about 2: why radau9 is there", () => {
		const errors = [10, 5, 2.5].map((h) => errorOfFast("rodas6p", h));
		expect(Math.log2(errors[0] / errors[2]) / 2).toBeLessThan(2.5);
		expect(errors[2]).toBeGreaterThan(1e-12);
	});
});

describe("tight tolerances", () => {
	it.each(problems)("take radau9 less than half the steps of rodas6p: $name", (problem) => {
		const rtol = 1e-9;
		const radau = relativeError(problem, "radau9", rtol, atolOf(problem, rtol));
		const rodas = relativeError(problem, "rodas6p", rtol, atolOf(problem, rtol));
		expect(radau.stats.steps).toBeLessThan(0.5 * rodas.stats.steps);
		expect(radau.error).toBeLessThan(rodas.error);
	});

	it.each(problems)("near rounding are no trouble for radau9: $name", (problem) => {
		const rtol = 1e-13;
		const { error } = relativeError(problem, "radau9", rtol, atolOf(problem, rtol));
		expect(error).toBeLessThan(2e-12);
	});

	it("make auto take radau9 where it is stiff", () => {
		const { stats } = relativeError(vanDerPolStiff, "auto", 1e-8, 1e-11);
		expect(stats.method).toBe("dop853 -> radau9");
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
