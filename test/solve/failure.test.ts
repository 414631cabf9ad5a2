/** What a user reads when there is no solution: where, which state, why, what to try. */
import { describe, expect, it } from "vitest";
import type { Ivp, MethodName } from "../../src/solve/ivp.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { vanDerPolStiff } from "./problems.ts";

const methods: (MethodName | "auto")[] = ["tsit5", "dop853", "rodas5p", "rodas6p", "radau9", "auto"];
const scalar = (name: string, f: (t: number, x: number) => number): Ivp => ({
	n: 1,
	names: [name],
	rhs: (t, x, out) => void (out[0] = f(t, x[0])),
});

describe.each(methods)("%s", (method) => {
	it("says that a state grows without bound, and where", () => {
		const { outcome, message, t } = solveIvp(
			scalar("rabbits", (_t, x) => x * x),
			0,
			5,
			Float64Array.of(1),
			{ method },
		);
		expect(outcome).toBe("diverged");
		expect(message).toMatch(
			/^Stopped at t = (1|0\.99999\d*) of 5: rabbits grows without bound \(rabbits = \d/,
		);
		expect(message).toContain("Try other parameters or initial values");
		expect(t.at(-1)).toBeCloseTo(1, 4);
	});

	it("says so too when numbers overflow", () => {
		const { outcome, message } = solveIvp(
			scalar("x", (_t, x) => x),
			0,
			1000,
			Float64Array.of(1),
			{
				method,
				maxSteps: 1e6,
			},
		);
		expect(outcome).toBe("diverged");
		expect(message).toMatch(/^Stopped at t = 7\d\d/);
	});

	it("takes a slope whose square overflows, and says where numbers end", () => {
		const at = { method, saveAt: [0.5, 1] };
		const steep = solveIvp(
			scalar("x", () => 1e200),
			0,
			1,
			Float64Array.of(1),
			at,
		);
		expect(steep.outcome).toBe("converged");
		expect([...steep.x].map((value) => value / 1e200)).toEqual([
			expect.closeTo(0.5, 9),
			expect.closeTo(1, 9),
		]);
		const steepest = solveIvp(
			scalar("x", () => 1.7e308),
			0,
			1,
			Float64Array.of(1),
			{ ...at, maxSteps: 1000 },
		);
		// Some methods come through.
		const isWhole = steepest.x.length === 2 && steepest.x.every(Number.isFinite);
		expect(steepest.outcome).toBe(isWhole ? "converged" : "notFinite");
		if (!isWhole) expect(steepest.message).toMatch(/ t = .* is not (a finite number|finite)/);
	});

	it("says which derivative is not a number at the start", () => {
		const ivp: Ivp = {
			n: 2,
			names: ["level", "flow"],
			rhs(_t, x, out) {
				out[0] = x[1];
				out[1] = Math.sqrt(x[0]);
			},
		};
		const { outcome, message, x } = solveIvp(ivp, 2, 5, Float64Array.of(-1, 0), { method });
		expect(outcome).toBe("notFinite");
		expect(message).toMatch(
			/^Stopped at t = 2 of 5: the derivative of flow is not a finite number \(flow = 0\)/,
		);
		expect(message).toContain("logarithm, root or power of a negative number");
		expect([...x]).toEqual([-1, 0]);
	});

	it("gets up to the edge where the right-hand side ends, and says so", () => {
		const { outcome, message, t } = solveIvp(
			scalar("x", (t, x) => -1 + 0 * (x + Math.log(1 - t))),
			0,
			3,
			Float64Array.of(2),
			{
				method,
			},
		);
		expect(outcome).toBe("notFinite");
		expect(t.at(-1)).toBeCloseTo(1, 6);
		expect(message).toMatch(/derivative of x is not a finite number/);
	});

	it("says that the step vanishes at a singularity", () => {
		// x = sqrt(1 - 2 t) ends at t = 0.5 with an infinite slope.
		const { outcome, message } = solveIvp(
			scalar("radius", (_t, x) => -1 / x),
			0,
			1,
			Float64Array.of(1),
			{
				method,
				rtol: 1e-8,
			},
		);
		expect(["stepTooSmall", "notFinite"]).toContain(outcome);
		expect(message).toMatch(/^Stopped at t = 0\.[45]\d* of 1/);
		expect(message).toContain("radius");
	});

	it("says that the steps ran out", () => {
		const oscillator: Ivp = {
			n: 2,
			rhs(_t, x, out) {
				out[0] = x[1];
				out[1] = -x[0];
			},
		};
		const { outcome, message, stats } = solveIvp(oscillator, 0, 1e5, Float64Array.of(1, 0), {
			method,
			maxSteps: 200,
		});
		expect(outcome).toBe("maxSteps");
		expect(stats.steps + stats.rejected).toBe(200);
		expect(message).toMatch(/200 steps were not enough, the last of length .*Raise maxSteps/);
	});
});

describe("a step that leaves the domain", () => {
	it.each(methods)("is halved until it stays inside, by %s", (method) => {
		// The tank runs empty smoothly: a step past the end would ask for the root of a negative number.
		const tank = scalar("level", (_t, x) => -Math.sqrt(x) + 1e-3);
		const { outcome, x } = solveIvp(tank, 0, 50, Float64Array.of(1), {
			method,
			rtol: 1e-4,
			firstStep: 5,
			saveAt: [50],
		});
		expect(outcome).toBe("converged");
		expect(x[0]).toBeGreaterThan(0);
		expect(x[0]).toBeLessThan(1e-5);
	});
});

describe("stiffness", () => {
	it("is named when an explicit method runs out of steps on it", () => {
		const { ivp, x0 } = vanDerPolStiff;
		const { outcome, message } = solveIvp(ivp, 0, 2000, x0, { method: "tsit5", maxSteps: 2000 });
		expect(outcome).toBe("maxSteps");
		expect(message).toContain(
			'The problem is stiff: tsit5 is held to short steps by stability. Try method "rodas5p"',
		);
	});
});
