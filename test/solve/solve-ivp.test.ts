import { describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import type { Ivp, MethodName } from "../../src/solve/ivp.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { lotkaVolterra, vanDerPol } from "./problems.ts";

const methods: MethodName[] = ["tsit5", "dop853", "rodas5p", "rodas6p", "radau9"];

const oscillator: Ivp = {
	n: 2,
	autonomous: true,
	rhs(_t, x, out) {
		out[0] = x[1];
		out[1] = -x[0];
	},
};
const start = Float64Array.of(1, 0);

describe.each(methods)("%s", (method) => {
	it("solves the harmonic oscillator to its tolerance, without a Jacobian matrix given", () => {
		for (const rtol of [1e-4, 1e-6, 1e-8, 1e-10]) {
			const { outcome, x, stats } = solveIvp(oscillator, 0, 10, start, {
				method,
				rtol,
				atol: rtol,
				saveAt: [10],
			});
			expect(outcome).toBe("converged");
			expect(Math.hypot(x[0] - Math.cos(10), x[1] + Math.sin(10))).toBeLessThan(30 * rtol);
			expect(stats.method).toBe(method);
		}
	});

	it("keeps the invariant of Lotka-Volterra", () => {
		const { ivp, x0 } = lotkaVolterra;
		const invariant = (x: Float64Array, k: number) =>
			x[2 * k] - 3 * Math.log(x[2 * k]) + x[2 * k + 1] - 1.5 * Math.log(x[2 * k + 1]);
		const { t, x } = solveIvp(ivp, 0, 30, x0, { method, rtol: 1e-9, atol: 1e-9 });
		for (let k = 0; k < t.length; k++) expect(invariant(x, k)).toBeCloseTo(invariant(x, 0), 6);
	});

	it("goes back to where it came from", () => {
		const { ivp, t0, x0 } = vanDerPol;
		const options = { method, rtol: 1e-10, atol: 1e-10 };
		const there = solveIvp(ivp, t0, 2, x0, options);
		const back = solveIvp(ivp, 2, t0, there.x.slice(-2), options);
		expect(back.outcome).toBe("converged");
		expect(back.t.at(-1)).toBe(t0);
		for (let k = 1; k < back.t.length; k++) expect(back.t[k]).toBeLessThan(back.t[k - 1]);
		back.x.slice(-2).forEach((value, i) => {
			expect(value).toBeCloseTo(x0[i], 7);
		});
	});

	it("gives the same states at times asked for, in between and by interpolation", () => {
		const saveAt = Array.from({ length: 101 }, (_, k) => k / 10);
		const options = { method, rtol: 1e-8, atol: 1e-8 };
		const saved = solveIvp(oscillator, 0, 10, start, { ...options, saveAt });
		const dense = solveIvp(oscillator, 0, 10, start, { ...options, dense: true });
		expect([...saved.t]).toEqual(saveAt);
		const out = new Float64Array(2);
		saveAt.forEach((t, k) => {
			dense.at!(t, out);
			expect(out[0]).toBeCloseTo(saved.x[2 * k], 12);
			expect(saved.x[2 * k]).toBeCloseTo(Math.cos(t), 6);
			expect(saved.x[2 * k + 1]).toBeCloseTo(-Math.sin(t), 6);
		});
		expect(saved.stats.steps).toBe(dense.stats.steps);
		expect(() => dense.at!(10.1, out)).toThrow(InputError);
		expect(() => dense.at!(-0.1, out)).toThrow(InputError);
	});

	it("interpolates backwards in time as well", () => {
		const saveAt = [3, 2.5, 1.25, 0];
		const solution = solveIvp(oscillator, 3, 0, Float64Array.of(Math.cos(3), -Math.sin(3)), {
			method,
			rtol: 1e-8,
			atol: 1e-8,
			saveAt,
			dense: true,
		});
		const out = new Float64Array(2);
		saveAt.forEach((t, k) => {
			solution.at!(t, out);
			expect(solution.x[2 * k]).toBeCloseTo(Math.cos(t), 6);
			expect(out[0]).toBeCloseTo(Math.cos(t), 6);
		});
	});

	it("is exact for a solution that does not move", () => {
		const still: Ivp = { n: 1, rhs: (_t, _x, out) => void (out[0] = 0) };
		const { outcome, x, stats } = solveIvp(still, 0, 1e6, Float64Array.of(2), { method, saveAt: [1e6] });
		expect(outcome).toBe("converged");
		expect(x[0]).toBe(2);
		expect(stats.steps).toBeLessThan(30);
	});

	it("does not change its arguments and gives the same bits again", () => {
		const x0 = Float64Array.of(2, 0);
		const first = solveIvp(vanDerPol.ivp, 0, 5, x0, { method });
		const again = solveIvp(vanDerPol.ivp, 0, 5, x0, { method });
		expect([...x0]).toEqual([2, 0]);
		expect(again).toEqual(first);
	});
});

describe("options", () => {
	it("solves over no time at all", () => {
		const { outcome, t, x } = solveIvp(oscillator, 1, 1, start, { saveAt: [1, 1] });
		expect(outcome).toBe("converged");
		expect([...t]).toEqual([1, 1]);
		expect([...x]).toEqual([1, 0, 1, 0]);
	});

	it("takes a tolerance for each state", () => {
		const loose = solveIvp(oscillator, 0, 10, start, { rtol: 1e-10, atol: [1e-2, 1e-2] });
		const tight = solveIvp(oscillator, 0, 10, start, { rtol: 1e-10, atol: [1e-2, 1e-10] });
		expect(tight.stats.steps).toBeGreaterThan(2 * loose.stats.steps);
	});

	it("keeps to the longest step", () => {
		const { t } = solveIvp(oscillator, 0, 10, start, { rtol: 1e-3, maxStep: 0.125 });
		for (let k = 1; k < t.length; k++) expect(t[k] - t[k - 1]).toBeLessThanOrEqual(0.125 * (1 + 1e-9));
	});

	it("picks the order by the tolerance", () => {
		expect(solveIvp(oscillator, 0, 1, start, { rtol: 1e-4 }).stats.method).toBe("tsit5");
		expect(solveIvp(oscillator, 0, 1, start, { rtol: 1e-10 }).stats.method).toBe("dop853");
	});

	it.each([
		["rtol", { rtol: 0 }],
		["rtol", { rtol: Number.NaN }],
		["rtol", { rtol: 1e-16 }],
		["atol", { atol: -1 }],
		["atol", { atol: [1e-6] }],
		["saveAt[1]", { saveAt: [2, 1] }],
		["saveAt[0]", { saveAt: [11] }],
		["knots[0]", { knots: [Number.NaN] }],
		["maxSteps", { maxSteps: 0 }],
		["method", { method: "euler" as MethodName }],
	])("refuses a bad %s, by name", (subject, options) => {
		expect(() => solveIvp(oscillator, 0, 10, start, options)).toThrow(
			expect.objectContaining({ name: "InputError", subject }),
		);
	});

	it("refuses an initial state that is not finite or of another length", () => {
		const named = { ...oscillator, names: ["position", "speed"] };
		expect(() => solveIvp(named, 0, 1, Float64Array.of(1, Number.NaN))).toThrow(/initial value of speed/);
		expect(() => solveIvp(named, 0, 1, Float64Array.of(1))).toThrow(/has 1 values, the problem has 2 states/);
	});
});
