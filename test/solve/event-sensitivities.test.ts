/** Sensitivities across events: what is set, and when, depends on the parameters. */
import { describe, expect, test } from "vitest";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../src/solve/system.ts";

const tight = { rtol: 1e-11, atol: 1e-13 };

function systemOf(text: string): OdeSystem {
	const { graph, components, rhs, events, params } = parseModel(text, "test.ode");
	return new OdeSystem({
		graph,
		states: components,
		rhs,
		params: params.map(({ name }) => name),
		events: events.map((event) => ({ ...event, label: "event" })),
	});
}

/** Column by column, the end's sensitivities and central differences of it; parameters first, then initial values. */
function bothWays(text: string, p: number[], x0: number[], end: number): { S: number[]; slopes: number[] } {
	const system = systemOf(text);
	const n = x0.length;
	const width = p.length + n;
	const S0 = new Float64Array(n * width);
	for (let i = 0; i < n; i++) S0[i * width + p.length + i] = 1;
	const { S } = solveWithSensitivities(system.sensitiveIvp(p), 0, end, Float64Array.from(x0), S0, {
		...tight,
		saveAt: [end],
	});
	const endOf = (all: number[]): Float64Array =>
		solveIvp(system.ivp(all.slice(0, p.length)), 0, end, Float64Array.from(all.slice(p.length)), {
			...tight,
			saveAt: [end],
		}).x;
	const h = 1e-5;
	const slopes = new Array<number>(n * width);
	for (let c = 0; c < width; c++) {
		const moved = (by: number): Float64Array =>
			endOf([...p, ...x0].map((value, i) => (i === c ? value + by : value)));
		const [up, down] = [moved(h), moved(-h)];
		for (let i = 0; i < n; i++) slopes[i * width + c] = (up[i] - down[i]) / (2 * h);
	}
	return { S: [...S], slopes };
}

describe("sensitivities across events", () => {
	test("a dose at a fixed time, by formula", () => {
		const ivp = systemOf("param k, d\nstate x\nx' = -k*x\nwhen t >= 1 { x = x + d }").sensitiveIvp([0.5, 2]);
		const { x, S } = solveWithSensitivities(ivp, 0, 3, Float64Array.of(1), new Float64Array(2), {
			...tight,
			saveAt: [1, 3],
		});
		// x = exp(-k t) + d exp(-k (t - 1)) after the dose.
		expect(x[0]).toBeCloseTo(Math.exp(-0.5) + 2, 9);
		expect(S[0]).toBeCloseTo(-Math.exp(-0.5), 9);
		expect(S[1]).toBeCloseTo(1, 9);
		expect(S[2]).toBeCloseTo(-3 * Math.exp(-1.5) - 2 * 2 * Math.exp(-1), 9);
		expect(S[3]).toBeCloseTo(Math.exp(-1), 9);
	});

	test.each([
		[
			"an instant that is unknown",
			"param k, tau\nstate x\nx' = -k*x\nwhen t >= tau { x = 2*x + t }",
			[0.5, 1.3],
			[1],
			3,
		],
		[
			"a ball that bounces",
			"param g, e\nstate h, v\nh' = v\nv' = -g\nwhen h < 0 { v = -e*v }",
			[1, 0.7],
			[0.5, 0.1],
			3,
		],
		[
			"one event that triggers another, and a switch with them",
			`param a, b, c
state x, y
x' = if(x > 1.5, -a, -b)*x
y' = c*x*y
when t >= 1 { x = x + a*y }
when x > 1.2 and t > 0.5 { y = y/2 + b*x }`,
			[0.8, 0.3, 0.2],
			[0.9, 1.1],
			2.5,
		],
		[
			"two at once, one with the values of the trigger and one late",
			`param a, b
state x, y
x' = -a*x
y' = b - x*y
when x < b, priority: 2 { x = 2*x + a*y }
when x < b, priority: 1 { y = x }
when x < b, priority: 0, late: true { y = y + x*y }`,
			[0.9, 0.4],
			[1, 0.5],
			2,
		],
	] as [string, string, number[], number[], number][])("%s, as by differences", (_, text, p, x0, end) => {
		const { S, slopes } = bothWays(text, p, x0, end);
		for (const [i, slope] of slopes.entries()) expect(Math.abs(S[i] - slope)).toBeLessThan(1e-6);
		expect(Math.max(...S.map(Math.abs))).toBeGreaterThan(0.1);
	});

	test("what happens at the very start", () => {
		const text = "param k, d\nstate x\nx' = -k*x\nwhen t >= 0, initially: false { x = d*x }";
		const { S, slopes } = bothWays(text, [0.5, 3], [1], 2);
		for (const [i, slope] of slopes.entries()) expect(S[i]).toBeCloseTo(slope, 7);
		expect(S[1]).toBeCloseTo(Math.exp(-1), 7);
	});
});
