import { describe, expect, it } from "vitest";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { type SimulationRecord, simulateRecord } from "../../src/study/simulate/simulate.ts";

const options = {
	knots: [],
	amounts: [],
	concentrations: [],
	noise: false,
	rtol: 1e-10,
	atol: 1e-12,
	digits: 17,
};
const times = (to: number, n: number): Float64Array =>
	Float64Array.from({ length: n }, (_, i) => (to * i) / (n - 1));
const record = (more: Partial<SimulationRecord> = {}): SimulationRecord => ({
	name: "r",
	times: times(2, 21),
	signals: new Map(),
	conditions: {},
	...more,
});
const simulate = (
	model: string,
	set: Record<string, number> = {},
	more: Partial<SimulationRecord> = {},
	noise = false,
	seed = 1,
) => simulateRecord(parseModel(model, "m.ode"), set, record(more), { ...options, noise }, seed);
const column = ({ columns }: ReturnType<typeof simulate>, name: string): Float64Array =>
	columns.find((each) => each.name === name)!.values;

describe("simulation", () => {
	it("takes values of one record, and those of all where it has none", () => {
		const text = "param k[record]\nstate x = 1\nx' = -k*x\n";
		const set = { k: 2, "k of rig-2": 3 };
		for (const [name, k] of [
			["rig-1", 2],
			["rig-2", 3],
		] as const)
			expect(column(simulate(text, set, { name }), "x")[20]).toBeCloseTo(Math.exp(-2 * k), 8);
		expect(column(simulate(text, set, { name: "later", unit: "rig-2" }), "x")[20]).toBeCloseTo(
			Math.exp(-6),
			8,
		);
	});

	it("follows the exact solution, with values that the study sets", () => {
		const result = simulate("param k\nstate x\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n", { k: 2, "x(0)": 3 });
		expect(result.outcome).toBe("converged");
		const x = column(result, "x");
		column(result, "t").forEach((t, i) => {
			expect(x[i]).toBeCloseTo(3 * Math.exp(-2 * t), 8);
		});
		expect(column(result, "y")).toEqual(x);
		expect(result.columns.map(({ name }) => name)).toEqual(["t", "y", "x"]);
	});

	it("names the line of an event that happens without end", () => {
		const model = "state x = 0\nx' = 1\nmeasure y = x\nwhen x > 1 { x = 0.2 }\nwhen x < 0.5 { x = 2 }\n";
		expect(() => simulate(model, { "x(0)": 0.7 })).toThrow(/m\.ode:4:1: when x > 1 .* happens without end/s);
	});

	it("drives with a formula and writes it down", () => {
		const result = simulate("input u = cos(t)\nstate x = 0\nx' = u\nmeasure y = x\n");
		const t = column(result, "t");
		expect([...column(result, "u")]).toEqual([...t].map((time) => expect.closeTo(Math.cos(time), 12)));
		t.forEach((time, i) => {
			expect(column(result, "x")[i]).toBeCloseTo(Math.sin(time), 8);
		});
	});

	it("holds an input of the data between its knots", () => {
		const signal = {
			at: (t: number, side?: -1 | 1) => (t < 1 || (t === 1 && side === -1) ? 0 : 1),
			knots: [1],
		};
		const result = simulate(
			"input u\nstate x = 0\nx' = u\nmeasure y = x\n",
			{},
			{ signals: new Map([["u", signal]]) },
		);
		column(result, "t").forEach((t, i) => {
			expect(column(result, "x")[i]).toBeCloseTo(Math.max(0, t - 1), 9);
		});
	});

	it("uses conditions and weights of combinations", () => {
		const model = "condition c\nparam p(1, c)\nstate x = c\nx' = p\nmeasure y = x\n";
		const result = simulate(model, { "p[1]": 2, "p[c]": 10 }, { conditions: { c: 0.5 } });
		expect(column(result, "x").at(-1)).toBeCloseTo(0.5 + 2 * (2 + 10 * 0.5), 8);
	});

	it("takes the middle of what is known, and says so", () => {
		const result = simulate(
			"param a in [1, 3], b ~ lognormal(log(5), 1), c ~ uniform(0, 4), d ~ gamma(6, 2)\nstate x ~ normal(7, 1)\nx' = a + b + c + d - x\nmeasure y = x\n",
		);
		expect(result.notes).toEqual([
			"a = 2: the middle of its set",
			"b = 5: the median of its lognormal",
			"c = 2: the middle of its uniform",
			"d = 3: the mean of its gamma",
			"x = 7: the mean of its normal",
		]);
		expect(column(result, "x")[0]).toBe(7);
	});

	it("lists everything that has no value", () => {
		expect(() =>
			simulate("param a, b, k = 1\nstate x, z = 0\nx' = a*x + b*k\nz' = x\nmeasure y = x\n"),
		).toThrow(/a, b, x have no value to simulate with[\s\S]*set: \{ a: 1, b: 1, x: 1 \}/);
	});

	it("refuses unknown functions and random inputs", () => {
		expect(() =>
			simulate("unknown f(x) ~ kriging(trend: 2)\nstate x = 0\nx' = f(x)\nmeasure y = x\n"),
		).toThrow(/unknown f[\s\S]*is an unknown function/);
	});

	it.each([true, false])("says where an output has no value, with noise %s", (noise) => {
		const falls = "state x = 1\nx' = -1\nmeasure y ~ lognormal(log(x), 0.1)\nmeasure z ~ normal(x, 0.1)\n";
		const { notes } = simulate(falls, {}, { times: Float64Array.of(0, 0.5, 1.5, 2) }, noise);
		expect(notes).toEqual([expect.stringMatching(/^y has no value at 2 of 4 times, first at t = 1\.5: /)]);
	});

	it("says where a solution runs away", () => {
		const result = simulate("state x = 1\nx' = x^2\nmeasure y = x\n");
		expect(result.outcome).not.toBe("converged");
		expect(result.message).toMatch(/t = /);
	});
});

describe("synthetic noise", () => {
	const model =
		"state x = 1\nx' = 0\nmeasure a ~ normal(x, 0.2)\nmeasure b ~ lognormal(log(3), 0.1)\nmeasure c in x +- 0.5\nmeasure d = x\n";
	const many = { times: times(1, 20_001) };

	it("has the declared spread", () => {
		const result = simulate(model, {}, many, true);
		const moments = (values: Float64Array, centre: number) => {
			const sum = values.reduce((total, value) => total + (value - centre), 0);
			const square = values.reduce((total, value) => total + (value - centre) ** 2, 0);
			return { mean: sum / values.length, sd: Math.sqrt(square / values.length) };
		};
		const a = moments(column(result, "a"), 1);
		expect(Math.abs(a.mean)).toBeLessThan(0.005);
		expect(Math.abs(a.sd - 0.2)).toBeLessThan(0.004);
		const b = moments(column(result, "b").map(Math.log), Math.log(3));
		expect(Math.abs(b.sd - 0.1)).toBeLessThan(0.002);
		const c = column(result, "c").map((value) => value - 1);
		expect(Math.max(...c)).toBeLessThanOrEqual(0.5);
		expect(Math.min(...c)).toBeGreaterThanOrEqual(-0.5);
		expect(Math.abs(moments(c, 0).sd - 0.5 / Math.sqrt(3))).toBeLessThan(0.005);
		expect(column(result, "d")).toEqual(column(result, "x"));
	});

	it("follows from the seed alone, and differs between outputs", () => {
		const first = simulate(model, {}, many, true, 5);
		expect(simulate(model, {}, many, true, 5)).toEqual(first);
		expect(column(simulate(model, {}, many, true, 6), "a")).not.toEqual(column(first, "a"));
		const shorter = simulate(model, {}, { times: many.times.slice(0, 100) }, true, 5);
		expect(column(shorter, "a")).toEqual(column(first, "a").slice(0, 100));
	});
});
