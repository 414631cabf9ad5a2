/** Switches and events: found to the precision of the numbers, never stepped over, and with the right order of things. */
import { describe, expect, test } from "vitest";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Model } from "../../src/model/model.ts";
import type { Solution, SolveOptions } from "../../src/solve/ivp.ts";
import { solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../src/solve/system.ts";

function systemOf({ graph, components, rhs, events, params }: Model, seed?: number): OdeSystem {
	return new OdeSystem({
		graph,
		states: components,
		rhs,
		params: params.filter(({ knowledge }) => knowledge.kind !== "exact").map(({ name }) => name),
		events: events.map((event) => ({ ...event, label: "event" })),
		...(seed !== undefined && { seed }),
	});
}

function solve(text: string, start: number[], times: number[], options: SolveOptions = {}): Solution {
	const ivp = systemOf(parseModel(text, "test.ode")).ivp([]);
	const x0 = Float64Array.from(start);
	return solveIvp(ivp, times[0], times[times.length - 1], x0, {
		rtol: 1e-10,
		atol: 1e-12,
		saveAt: times,
		...options,
	});
}
const column = ({ t, x }: Solution, i: number): number[] =>
	Array.from(t, (_, k) => x[k * (x.length / t.length) + i]);

describe("switches", () => {
	test.each(["tsit5", "dop853", "rodas5p", "rodas6p", "radau9", "auto"] as const)(
		"a pulse of length 1 within 200 counts, by %s at any tolerance",
		(method) => {
			for (const rtol of [1e-2, 1e-6, 1e-10]) {
				const text = "state x\nx' = if(t > 150 and t <= 151, 2, 0)";
				const solution = solve(text, [1], [0, 150, 150.5, 151, 200], { rtol, atol: rtol, method });
				column(solution, 0).forEach((value, i) => {
					expect(value).toBeCloseTo([1, 1, 2, 3, 3][i], 9);
				});
			}
		},
	);

	test("a condition of a state is met where it changes", () => {
		// Falls freely from 1, then is held: x = 1 - t^2/2 down to 1/2 at t = 1, then v fades as exp(-(t - 1)).
		const text = "state x, v\nx' = v\nv' = if(x > 0.5, -1, -v)";
		const solution = solve(text, [1, 0], [0, 1, 2]);
		expect(solution.x[2 * 2]).toBeCloseTo(0.5 - (1 - Math.exp(-1)), 9);
		expect(solution.stats.rejected).toBeLessThan(20);
	});

	test("narrow pulses of any form of the time alone", () => {
		const pulses = "if(sin(t) > 0.99999, 1, 0) + if((t - 77.7)^2 < 1e-6, 1, 0) + floor(t/100)";
		const one = 2 * Math.acos(0.99999);
		for (const rtol of [1e-3, 1e-9]) {
			// Peaks of the sine at pi/2 + 2 pi k: 80 of them up to 500.
			const there = solve(`state x\nx' = ${pulses}`, [0], [0, 500], { rtol, atol: rtol });
			// Instants are told apart to 1e-9 of the time, and slopes jump by 1.
			expect(column(there, 0)[1]).toBeCloseTo(80 * one + 2e-3 + 1000, 5);
		}
	});

	test("pulses one after another, by a remainder of the time, to the end", () => {
		const pulse = "if(t - 12*floor(t/12) < 0.01, 20000, 0)";
		const solution = solve(`state x\nx' = ${pulse} - 2*x`, [0], [0, 2393], { rtol: 1e-8, atol: 1e-10 });
		expect(solution.outcome).toBe("converged");
		// What is left of the two hundredth, 5 later; of those before it nothing.
		const left = 10_000 * Math.expm1(0.02) * Math.exp(-10);
		expect(Math.abs(column(solution, 0)[1] / left - 1)).toBeLessThan(1e-6);
	});

	test("a condition of the time that is always at its border costs no more than its share", () => {
		const solution = solve("state x\nx' = if(sin(t)^2 + cos(t)^2 < 1, 2, 1) - x", [1], [0, 50]);
		expect(solution.outcome).toBe("converged");
	});

	test("stairs", () => {
		const solution = solve("state x\nx' = floor(t)", [0], [0, 2.5, 10]);
		column(solution, 0).forEach((value, i) => {
			expect(value).toBeCloseTo([0, 2, 45][i], 9);
		});
	});

	test("sliding along a condition comes to its end", () => {
		const solution = solve("state x\nx' = if(x > 1, -1, 1)", [0], [0, 3], { rtol: 1e-4, atol: 1e-4 });
		expect(solution.outcome).toBe("converged");
		expect(solution.x[1]).toBeCloseTo(1, 2);
	});

	test("sensitivities know that the instant of a switch moves", () => {
		// x' = -k before tau, -2x after, from 1: x(3) = (1 - k tau) exp(-2 (3 - tau)).
		const model = parseModel("param k, tau\nstate x\nx' = if(t < tau, -k, -2*x)", "test.ode");
		const [k, tau] = [0.3, 1.2];
		const ivp = systemOf(model).sensitiveIvp([k, tau]);
		const { x, S } = solveWithSensitivities(ivp, 0, 3, Float64Array.of(1), new Float64Array(2), {
			rtol: 1e-10,
			atol: 1e-12,
			saveAt: [3],
		});
		const fade = Math.exp(-2 * (3 - tau));
		expect(x[0]).toBeCloseTo((1 - k * tau) * fade, 9);
		expect(S[0]).toBeCloseTo(-tau * fade, 9);
		expect(S[1]).toBeCloseTo((-k + 2 * (1 - k * tau)) * fade, 9);
	});

	test("also where it depends on a state", () => {
		// y = exp(a t) crosses 2 at log(2)/a; from then on x grows.
		const model = parseModel("param a\nstate x, y\nx' = if(y > 2, 1, 0)\ny' = a*y", "test.ode");
		const ivp = systemOf(model).sensitiveIvp([0.5]);
		const { x, S } = solveWithSensitivities(ivp, 0, 3, Float64Array.of(0, 1), new Float64Array(2), {
			rtol: 1e-10,
			atol: 1e-12,
			saveAt: [3],
		});
		expect(x[0]).toBeCloseTo(3 - Math.log(2) / 0.5, 9);
		expect(S[0]).toBeCloseTo(Math.log(2) / 0.25, 8);
	});
});

describe("events", () => {
	test("a ball bounces", () => {
		const text = "state h, v\nh' = v\nv' = -1\nwhen h < 0 { v = -v/2, h = 0 }";
		// From 1/2 it lands at t = 1 with v = -1, rises with 1/2, and lands again at t = 2 with -1/2.
		const solution = solve(text, [0.5, 0], [0, 0.5, 1.5, 2.25]);
		column(solution, 0).forEach((value, i) => {
			expect(value).toBeCloseTo([0.5, 0.375, 0.125, 0.25 * 0.25 - 0.25 * 0.25 * 0.5][i], 9);
		});
	});

	test("what is kept at the instant of an event is what holds from then on", () => {
		const text = "state x\nx' = 0\nwhen t >= 1 { x = 5 }\nwhen t > 2 { x = 6 }";
		expect(column(solve(text, [1], [0, 1, 2, 3]), 0)).toEqual([1, 5, 5, 6]);
	});

	test("assignments of one event happen at once, and with the values of the trigger unless they are late", () => {
		const swap = "state x, y\nx' = 0\ny' = 0\nwhen t >= 1 { x = y, y = x }";
		expect([...solve(swap, [1, 2], [2, 2.5]).x.slice(0, 2)]).toEqual([1, 2]);
		expect([...solve(swap, [1, 2], [0, 2]).x.slice(2)]).toEqual([2, 1]);
		const clock = "state x, y\nx' = 1\ny' = 0\nwhen x >= 1, delay: 2 { y = x }";
		expect(solve(clock, [0, 0], [0, 2.9]).x[3]).toBe(0);
		expect(solve(clock, [0, 0], [0, 4]).x[3]).toBeCloseTo(1, 9);
		expect(solve(clock.replace("2 {", "2, late: true {"), [0, 0], [0, 4]).x[3]).toBeCloseTo(3, 9);
	});

	test("persistence: what is no longer true when it is due", () => {
		const text = (flag: string) => `state x\nx' = 0\nwhen t > 1 and t < 2, delay: 2${flag} { x = 7 }`;
		expect(solve(text(""), [0], [0, 4]).x[1]).toBe(7);
		expect(solve(text(", persistent: false"), [0], [0, 4]).x[1]).toBe(0);
	});

	test("the start: a condition that holds there fires only when it counts as false before", () => {
		const text = (flag: string) => `state x\nx' = 0\nwhen t >= 0${flag} { x = 7 }`;
		expect([...solve(text(""), [0], [0, 1]).x]).toEqual([0, 0]);
		expect([...solve(text(", initially: false"), [0], [0, 1]).x]).toEqual([7, 7]);
	});

	test("priorities, and events that cancel one another", () => {
		const text = (a: number, b: number) => `state x, y
x' = 0
y' = 0
when t >= 1 and x < 1, priority: ${a}, persistent: false { y = y + 1, x = 1 }
when t >= 1 and x < 1, priority: ${b}, persistent: false { y = y + 10, x = 1 }`;
		expect(solve(text(2, 1), [0, 0], [0, 2]).x[3]).toBe(1);
		expect(solve(text(1, 2), [0, 0], [0, 2]).x[3]).toBe(10);
	});

	test("of two with one priority one is drawn, each as often as the other and by the seed alone", () => {
		// The clock z strikes 400 times; the first of the two sets it back, so that the other does not happen.
		const text = `state x, y, z
x' = 0
y' = 0
z' = 1
when z >= 1, priority: 2, persistent: false { x = x + 1, z = 0 }
when z >= 1, priority: 1 + 1, persistent: false { y = y + 1, z = 0 }`;
		const counted = (seed: number): number[] => {
			const ivp = systemOf(parseModel(text, "test.ode"), seed).ivp([]);
			return [...solveIvp(ivp, 0, 400.5, new Float64Array(3), { saveAt: [400.5] }).x.slice(0, 2)];
		};
		const [x, y] = counted(1);
		expect(x + y).toBe(400);
		// Binomial: its standard deviation is 10.
		expect(Math.abs(x - 200)).toBeLessThan(40);
		expect(counted(1)).toEqual([x, y]);
		expect([2, 3, 4].map(counted)).not.toEqual([
			[x, y],
			[x, y],
			[x, y],
		]);
	});

	test("one triggers another at the same instant", () => {
		const text = "state x, y\nx' = 0\ny' = 0\nwhen t >= 1 { x = 2 }\nwhen x > 1 { y = 3 }";
		expect([...solve(text, [0, 0], [0, 1]).x.slice(2)]).toEqual([2, 3]);
	});

	test("events without end are said to be so", () => {
		const text =
			"state x\nx' = 0\nwhen t >= 1 and x < 1 { x = 2 }\nwhen x > 1 { x = 0 }\nwhen x <= 0 and t >= 1 { x = 2 }";
		expect(() => solve(text, [0.5], [0, 2])).toThrow(/without end at t = 1/);
	});

	test("a delay below zero", () => {
		expect(() => solve("state x\nx' = 0\nwhen t >= 1, delay: -t { x = 2 }", [0], [0, 2])).toThrow(
			/delay of -1 at t = 1/,
		);
	});

	test("interpolation stands on either side of an event", () => {
		const solution = solve("state x\nx' = x\nwhen t >= 1 { x = 0.5 }", [1], [0, 2], { dense: true });
		const out = new Float64Array(1);
		for (const [t, value] of [
			[0.5, Math.exp(0.5)],
			[0.999, Math.exp(0.999)],
			[1.5, 0.5 * Math.exp(0.5)],
		]) {
			solution.at!(t, out);
			expect(out[0]).toBeCloseTo(value, 8);
		}
	});
});
