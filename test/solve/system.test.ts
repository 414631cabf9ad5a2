/** Problems built from a model's expressions: compiled derivatives, inputs and knots. */
import { describe, expect, it } from "vitest";
import { signalFrom } from "../../src/data/signal/signal.ts";
import { Graph } from "../../src/model/graph.ts";
import type { MethodName } from "../../src/solve/ivp.ts";
import { knotsOf } from "../../src/solve/piecewise-inputs.ts";
import { solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../src/solve/system.ts";

const methods: (MethodName | "auto")[] = ["tsit5", "dop853", "rodas5p", "rodas6p", "radau9", "auto"];

/** Van der Pol with a driven, damped twist: x'' = mu (1 - x^2) x' - k x + a sin(t) + u (1 + x / 2) + w x'. */
function driven() {
	const g = new Graph();
	const [x, v, mu, k, a, u, w] = ["x", "x'", "mu", "k", "a", "u", "w"].map((name) => g.sym(name));
	const force = g.add(
		g.mul(mu, g.sub(g.one, g.mul(x, x)), v),
		g.neg(g.mul(k, x)),
		g.mul(a, g.unary("sin", g.t)),
		g.mul(u, g.add(g.one, g.mul(x, g.half))),
		g.mul(w, v),
	);
	return new OdeSystem({
		graph: g,
		states: ["x", "x'"],
		rhs: [v, force],
		params: ["mu", "k", "a"],
		inputs: ["u", "w"],
	});
}
const values = [2, 1.5, 0.7];
const signals = [
	signalFrom(Float64Array.of(0, 0.5, 1.1, 2, 3), Float64Array.of(1, -2, 0.5, 0, 0), "zoh"),
	signalFrom(Float64Array.of(0, 0.8, 1.6, 3), Float64Array.of(0, 0.4, -0.3, 0.2), "linear"),
];
const x0 = Float64Array.of(1, 0);

describe("knots of signals", () => {
	it("are joined in order, each once", () => {
		const withKnots = (...knots: number[]) => ({ knots, at: () => 0 });
		const signals = [withKnots(0, 0.5, 2, 10), withKnots(0.5, 1.5, 3)];
		expect([...knotsOf(signals)]).toEqual([0, 0.5, 1.5, 2, 3, 10]);
		expect([...knotsOf([])]).toEqual([]);
		expect([...knotsOf([signals[1]])]).toEqual([0.5, 1.5, 3]);
	});
});

describe("compiled functions", () => {
	const ivp = driven().sensitiveIvp(values, signals);
	ivp.enter!(0.5, 0.8);
	const t = 0.6;
	const at = Float64Array.of(0.7, -1.2);
	const slope = (x: Float64Array, time = t) => {
		const out = new Float64Array(2);
		ivp.rhs(time, x, out);
		return out;
	};
	const h = 1e-5;
	const difference = (f: (s: number) => Float64Array) => {
		const [ahead, behind] = [f(h), f(-h)];
		return ahead.map((value, i) => (value - behind[i]) / (2 * h));
	};

	it("have the Jacobian matrix of the right-hand side", () => {
		const J = new Float64Array(4);
		ivp.jacobian(t, at, J);
		for (let j = 0; j < 2; j++) {
			const column = difference((s) => slope(at.with(j, at[j] + s)));
			column.forEach((value, i) => {
				expect(J[2 * i + j]).toBeCloseTo(value, 7);
			});
		}
	});

	it("have the derivative by time along the inputs", () => {
		const out = new Float64Array(2);
		ivp.timeDerivative!(t, at, out);
		difference((s) => slope(at, t + s)).forEach((value, i) => {
			expect(out[i]).toBeCloseTo(value, 7);
		});
	});

	it("have the second derivatives that sensitivities need", () => {
		const S = Float64Array.of(0.3, -1, 2, 0.5, 0.1, 0.2, 0.7, -0.4);
		const k = Float64Array.of(0.9, -0.3);
		const total = (x: Float64Array, time: number) => {
			const J = new Float64Array(4);
			const fp = new Float64Array(6);
			const f = new Float64Array(2);
			ivp.all!(time, x, f, J, fp);
			return Float64Array.from({ length: 8 }, (_, index) => {
				const [i, c] = [index >> 2, index & 3];
				return J[2 * i] * S[c] + J[2 * i + 1] * S[4 + c] + (c < 3 ? fp[3 * i + c] : 0);
			});
		};
		const out = new Float64Array(8);
		ivp.secondDirectional!(t, at, S, k, out);
		difference((s) =>
			total(
				at.map((value, i) => value + s * k[i]),
				t,
			),
		).forEach((value, i) => {
			expect(out[i]).toBeCloseTo(value, 7);
		});
		ivp.sensitivityTimeDerivative!(t, at, S, out);
		difference((s) => total(at, t + s)).forEach((value, i) => {
			expect(out[i]).toBeCloseTo(value, 7);
		});
	});
});

describe.each(methods)("a driven model with %s", (method) => {
	const system = driven();
	const knots = knotsOf(signals);
	const saveAt = [0.5, 1, 2, 3];
	const options = { method, rtol: 1e-9, atol: 1e-9, knots, saveAt };
	const reference = solveIvp(system.ivp(values, signals), 0, 3, x0, {
		method: "dop853",
		rtol: 1e-13,
		atol: 1e-13,
		knots,
		saveAt,
	}).x;

	it("is solved across the knots of its inputs", () => {
		const { outcome, x, stats } = solveIvp(system.ivp(values, signals), 0, 3, x0, options);
		expect(outcome).toBe("converged");
		x.forEach((value, i) => {
			expect(value).toBeCloseTo(reference[i], 7);
		});
		expect(stats.rejected).toBeLessThan(0.2 * stats.steps);
	});

	it("has the sensitivities that differences give, by parameters and initial values", () => {
		const S0 = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 1);
		const { S, outcome } = solveWithSensitivities(
			system.sensitiveIvp(values, signals),
			0,
			3,
			x0,
			S0,
			options,
		);
		expect(outcome).toBe("converged");
		const h = 1e-4;
		const solved = (p: number[], start: Float64Array) =>
			solveIvp(system.ivp(p, signals), 0, 3, start, {
				...options,
				method: "dop853",
				rtol: 1e-12,
				atol: 1e-12,
			}).x;
		for (let c = 0; c < 5; c++) {
			const move = (s: number) =>
				c < 3 ? solved(values.with(c, values[c] + s), x0) : solved(values, x0.with(c - 3, x0[c - 3] + s));
			const [ahead, behind] = [move(h), move(-h)];
			ahead.forEach((value, index) => {
				const row = index >> 1;
				const i = index & 1;
				expect(S[row * 10 + i * 5 + c]).toBeCloseTo((value - behind[index]) / (2 * h), 5);
			});
		}
	});
});

describe("binding", () => {
	it("needs a value for each parameter and a signal for each input", () => {
		expect(() => driven().ivp([1, 2], signals)).toThrow(/parameters: 2 values for 3 names/);
		expect(() => driven().ivp(values, [signals[0]])).toThrow(/input w: has no signal/);
	});

	it("leaves out the time derivative of a model without time or inputs", () => {
		const g = new Graph();
		const x = g.sym("x");
		const system = new OdeSystem({
			graph: g,
			states: ["x"],
			rhs: [g.neg(g.mul(g.sym("p"), x))],
			params: ["p"],
		});
		expect(system.ivp([1]).autonomous).toBe(true);
		expect(driven().ivp(values, signals).autonomous).toBe(false);
		const { x: end } = solveIvp(system.ivp([2]), 0, 1, Float64Array.of(3), {
			method: "rodas5p",
			saveAt: [1],
		});
		expect(end[0]).toBeCloseTo(3 * Math.exp(-2), 5);
	});
});
