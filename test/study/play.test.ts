/** A model moved by hand gives what the simulation gives, and its tracks know what the model declares. */
import { describe, expect, it } from "vitest";
import { readCsv, signalFrom } from "../../src/data/index.ts";
import { parseModel } from "../../src/model/index.ts";
import { playerOf, simulateRecord } from "../../src/study/index.ts";

const oscillator = `input u
param m ~ lognormal(log(1), 0.5)
param c in [0.05, 2]
param k
param s ~ halfnormal(0.1)
state x, x' = 0
m*x'' + c*x' + k*x + 0.5*x^3 = u
measure y ~ normal(x, s)
`;
const n = 400;
const times = Float64Array.from({ length: n }, (_, i) => i / 10);
const text = `t,u,y\n${Array.from(times, (t) => `${t},${Math.sin(t)},${Math.cos(t)}`).join("\n")}\n`;

function played(source: string, change: Record<string, unknown> = {}, records = 1, csv = text) {
	const model = parseModel(source, "model.ode");
	const table = readCsv(new TextEncoder().encode(csv), "a.csv");
	const record = {
		path: "data",
		name: "a",
		file: "a.csv",
		time: "t",
		columns: {},
		input: "linear" as const,
		detrend: "none" as const,
		conditions: {},
		conditionColumns: {},
		missing: [],
		factors: {},
		reading: {},
		...change,
	};
	const all = Array.from({ length: records }, (_, i) => ({ ...record, name: i === 0 ? "a" : `a${i}` }));
	const whole = { from: 0, to: Infinity };
	const player = playerOf(
		{ records: all, train: all.map(() => whole), test: all.map(() => "none" as const), set: { k: 3 } },
		model,
		new Map([["a.csv", table]]),
		async () => simulateRecord,
	);
	return { player, model, table };
}

describe("a model moved by hand", () => {
	it("is no further from a limit than the curve lies beyond it", async () => {
		const decay = "param k = 1\nstate x = 8\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n";
		// The curve is 8, 2.94, 1.08: the first sample is met, the second limit kept, the third missed by 0.58.
		const csv = "t,y\n0,8\n1,<5\n2,<0.5\n";
		const { player } = played(decay, {}, 1, csv);
		const [{ outputs }] = await (await player).play({});
		expect(outputs[0].rmse).toBeCloseTo((8 * Math.exp(-2) - 0.5) / Math.sqrt(3), 4);
	});

	it("has a track for each unknown, with what is known of it", async () => {
		const { player } = played(oscillator);
		const byName = Object.fromEntries(player.tracks.map((track) => [track.name, track]));
		expect(Object.keys(byName)).toEqual(["m", "c", "k", "s", "x(0)"]);
		expect(byName.m).toMatchObject({ known: "distribution", scale: "log" });
		expect(Math.max(...byName.m.density!)).toBe(1);
		expect(byName.m.from).toBeLessThan(0.4);
		expect(byName.m.to).toBeGreaterThan(2.5);
		expect(byName.c).toMatchObject({ known: "set", lo: 0.05, hi: 2, from: 0.05, to: 2 });
		expect(byName.c.density).toBeUndefined();
		// What the study says, and what the first sample shows.
		expect(byName.k.start).toBe(3);
		expect(byName["x(0)"].start).toBe(1);
	});

	it("follows the simulation, and tells how far the samples are", async () => {
		const { player, model } = played(oscillator);
		const values = { m: 1.2, c: 0.3, k: 2, s: 0.1, "x(0)": 0.7 };
		const [{ t, outputs, states }] = await player.play(values);
		const { columns } = simulateRecord(
			model,
			values,
			{ name: "a", times: t, signals: signalsOf(), conditions: {} },
			{ noise: false, rtol: 1e-10, atol: 1e-12, knots: [], amounts: [], concentrations: [], digits: 17 },
			1,
		);
		const exact = columns.find(({ name }) => name === "y")!.values;
		const size = Math.max(...exact.map(Math.abs));
		const worst = Math.max(...exact.map((value, i) => Math.abs(value - outputs[0].values[i])));
		// Twice as fine as what agreed to a thousandth: of order 4, that is a fifteenth of it.
		expect(worst).toBeLessThan((1e-3 / 15) * 2 * size);
		expect(states.map(({ name }) => name)).toEqual(["x", "x'"]);
		expect(states[0].values[0]).toBe(0.7);
		const squares = exact.map((value, i) => (Math.cos(t[i]) - value) * (Math.cos(t[i]) - value));
		const rmse = Math.sqrt(squares.reduce((a, b) => a + b) / n);
		expect(Math.abs(outputs[0].rmse - rmse)).toBeLessThan(1e-3 * size);
	});

	it("goes on where steps must be fine, and where a curve runs away", async () => {
		const stiff = played(
			"param k ~ lognormal(log(5000), 1)\nstate x = 1\nx' = -k*(x - cos(t))\nmeasure y ~ normal(x, 0.1)\n",
		);
		const [{ outputs }] = await stiff.player.play({ k: 5000 });
		expect(outputs[0].rmse).toBeLessThan(1e-3);
		const away = played("param k ~ normal(0, 1)\nstate x = 1\nx' = k*x*x\nmeasure y ~ normal(x, 0.1)\n");
		expect((await away.player.play({ k: -1 }))[0].outputs[0].rmse).toBeLessThan(2);
		expect((await away.player.play({ k: 3 }))[0].outputs[0].rmse).toBe(Infinity);
	});

	it("solves a model with events, and names initial values of several records as the methods do", async () => {
		const ball =
			"param g ~ normal(9.81, 1)\nstate h = 1, h' = 0\nh'' = -g\nwhen h < 0 { h' = -0.8*h' }\nmeasure y ~ normal(h, 0.1)\n";
		const heights = (await played(ball).player.play({ g: 9.81 }))[0].outputs[0].values;
		// It falls for 0.45 s, and rises again.
		expect(heights[4]).toBeCloseTo(1 - (9.81 * 0.16) / 2, 4);
		expect(heights[6]).toBeGreaterThan(0);
		const { player } = played(oscillator, {}, 2);
		expect(player.tracks.map(({ name }) => name)).toEqual(["m", "c", "k", "s", "x(0) of a", "x(0) of a1"]);
		const [first, second] = await player.play({ "x(0) of a": 0.1, "x(0) of a1": 0.9 });
		expect([first.states[0].values[0], second.states[0].values[0]]).toEqual([0.1, 0.9]);
	});

	it("draws a curve where its samples are: what detrending takes off is put back", async () => {
		const plain = played("state x = 0\nx' = 0\nmeasure y ~ normal(x, 0.1)\n", { detrend: "mean" });
		const [{ outputs }] = await plain.player.play({});
		const mean = times.reduce((sum, t) => sum + Math.cos(t), 0) / n;
		expect(outputs[0].values[7]).toBeCloseTo(mean, 12);
	});
});

function signalsOf() {
	const u = Float64Array.from(times, Math.sin);
	return new Map([["u", signalFrom(times, u, "linear")]]);
}
