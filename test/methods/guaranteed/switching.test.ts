/** Equations that jump by the clock: integration stops just before and goes on just behind, whatever side the last bit is on. */
import { describe, expect, it } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { enclose, record } from "./records.ts";

const exp = Math.exp;
/** x' = -x·rate(t) by its integral. */
const decay =
	(integral: (t: number) => number) =>
	(t: number): number =>
		exp(-integral(t));

interface Case {
	readonly name: string;
	readonly rate: string;
	readonly head?: string;
	readonly exact: (t: number) => number;
	readonly times: number[];
}
const cases: Case[] = [
	{
		name: "a condition on t",
		rate: "if(t < 1.5, a, 0.2)",
		exact: decay((t) => 0.8 * Math.min(t, 1.5) + 0.2 * Math.max(t - 1.5, 0)),
		times: [0, 0.5, 1, 2, 3],
	},
	{
		name: "a switch at a time that is no double, and a sample at it",
		rate: "if(0.3 <= t, 0.2, a)",
		exact: decay((t) => 0.8 * Math.min(t, 0.3) + 0.2 * Math.max(t - 0.3, 0)),
		times: [0, 0.3, 1, 2],
	},
	{
		name: "a switch at the start of the record",
		rate: "if(t <= 0, 0.2, a)",
		exact: decay((t) => 0.8 * t),
		times: [0, 1, 2],
	},
	{
		name: "a square wave",
		rate: "(0.5 + 0.3*sign(sin(pi*t)))*a/0.8",
		exact: decay((t) => {
			const whole = Math.floor(t / 2);
			const rest = t - 2 * whole;
			return whole + 0.8 * Math.min(rest, 1) + 0.2 * Math.max(rest - 1, 0);
		}),
		times: [0, 0.5, 1.5, 3.5, 5, 6.5],
	},
	{
		name: "a corner in time",
		rate: "a*max(t - 1.1, 0)",
		exact: decay((t) => (0.8 * Math.max(t - 1.1, 0) ** 2) / 2),
		times: [0, 1, 2],
	},
	{
		name: "the sign of an input that is joined by lines",
		head: "input u",
		rate: "(0.5 + 0.3*sign(u))*a/0.8",
		exact: decay((t) => 0.8 * Math.min(t, 1.2) + 0.2 * Math.max(t - 1.2, 0)),
		times: [0, 1, 2, 3],
	},
];
const inputs = { u: signalFrom(Float64Array.of(0, 3), Float64Array.of(1.2, -1.8), "linear") };

describe("jumps by the clock", () => {
	for (const prediction of ["taylor", "mueller"] as const)
		it.each(cases)(`${prediction}: $name`, async ({ rate, head, exact, times }) => {
			const at = Float64Array.from(times);
			const text = `${head ?? ""}\nparam a in [0.7, 0.9]\nstate x = 1\nx' = -x*(${rate})\nmeasure y in x +- 0.02`;
			const data = record(at, new Map([["y", at.map(exact)]]), head ? { inputs } : {});
			const run = await enclose(text, [data], { prediction });
			expect(outcomeOf(run)).toBe("proved");
			expect(run.enclosure![0]).toBeLessThanOrEqual(0.8);
			expect(run.enclosure![1]).toBeGreaterThanOrEqual(0.8);
			const part = run.parts.find(({ box }) => box[0] <= 0.8 && 0.8 <= box[1])!;
			for (const { t, states } of part.instants) {
				expect(states[0]).toBeLessThanOrEqual(exact(t) + 1e-14);
				expect(states[1]).toBeGreaterThanOrEqual(exact(t) - 1e-14);
			}
		});
	it("costs no width: a known model stays exact to 1e-11", async () => {
		const text =
			"param a in [0.5, 0.9], b = 0.8\nstate x = 1, z = 1\nx' = -x*if(t < 1.5, b, 0.2)\nz' = -a*z\nmeasure y in z +- 0.1";
		const run = await enclose(text, [
			record(Float64Array.of(0, 3), new Map([["y", Float64Array.of(1, exp(-2.1))]])),
		]);
		const { states } = run.parts[0].instants[1];
		expect(states[1] - states[0]).toBeLessThan(1e-11);
	});
});

describe("outputs that jump", () => {
	const times = Float64Array.of(0, 0.5, 1, 1.5, 2, 2.5, 3);
	const x = (t: number): number => Math.min(t, 1.5) - Math.max(t - 1.5, 0);
	const head = "param a in [0, 2], b in [-2, 2]\nstate x = 0\nx' = if(t <= 1.5, a, b)\n";

	for (const prediction of ["taylor", "mueller"] as const)
		it.each([
			["the first side", 1.5],
			["the second side", 3],
		])(`${prediction}: a sample at the time of the jump may be on %s`, async (_, at) => {
			const y = times.map((t) => (t < 1.5 ? x(t) : t === 1.5 ? at : 2 * x(t)));
			const text = `${head}measure y in if(t < 1.5, x, 2*x) +- 0.1`;
			const run = await enclose(text, [record(times, new Map([["y", y]]))], { prediction, boxes: 400 });
			expect(outcomeOf(run)).toBe("proved");
			const box = run.enclosure!;
			expect(box[0] <= 1 && 1 <= box[1] && box[2] <= -1 && -1 <= box[3]).toBe(true);
			// The other samples narrow as before.
			expect(box[1] - box[0]).toBeLessThan(0.3);
			expect(box[3] - box[2]).toBeLessThan(prediction === "taylor" ? 0.3 : 0.6);
			expect(run.paving!.inner.length).toBe(0);
			const { doubts } = await answer(run);
			const doubt = doubts.find(({ title }) => title === "A sample at the time of a jump")!;
			expect(doubt.text).toMatch(/y of record at t = 1\.5: .*both sides are possible/);
		});
	it("refutes a sample that is on neither side", async () => {
		const y = times.map((t) => (t < 1.5 ? x(t) : t === 1.5 ? 3.7 : 2 * x(t)));
		const text = `${head}measure y in if(t < 1.5, x, 2*x) +- 0.1`;
		expect(outcomeOf(await enclose(text, [record(times, new Map([["y", y]]))]))).toBe("refuted");
	});
	it("keeps another output of the instant sharp", async () => {
		const text = "param a in [0, 2]\nstate x = 0\nx' = a\nmeasure y in sign(t - 1.5) +- 0.1, z in x +- 0.01";
		const at = Float64Array.of(0, 1.5);
		const data = new Map([
			["y", Float64Array.of(-1, 1)],
			["z", Float64Array.of(0, 1.5)],
		]);
		const run = await enclose(text, [record(at, data)]);
		expect(outcomeOf(run)).toBe("proved");
		expect(run.enclosure![1] - run.enclosure![0]).toBeLessThan(0.0134);
	});
	it("takes both sizes of an error that jumps at the sample", async () => {
		const text = "param a in [0, 2]\nstate x = 0\nx' = a\nmeasure z in x +- if(t < 1.5, 0.01, 0.03)";
		const run = await enclose(text, [
			record(Float64Array.of(0, 1.5), new Map([["z", Float64Array.of(0, 1.5)]])),
		]);
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(0.98);
		expect(hi).toBeGreaterThanOrEqual(1.02);
		expect(hi - lo).toBeLessThan(0.042);
		// Sure are only those that the smaller error allows.
		for (const box of run.paving!.inner) expect(box[0] >= 0.9933 && box[1] <= 1.0067).toBe(true);
		expect(run.paving!.inner.length).toBeGreaterThan(0);
	});
	it("goes on where states decide, with the truth inside", async () => {
		const text = "param a in [0.5, 1.5]\nstate x = 0\nx' = a\nmeasure y in if(x < 1, x, x + 1) +- 0.1";
		const at = Float64Array.of(0, 0.7, 1.05, 2);
		const y = at.map((t) => (t < 1 ? t : t + 1));
		const run = await enclose(text, [record(at, new Map([["y", y]]))]);
		expect(outcomeOf(run)).toBe("proved");
		expect(run.enclosure![0] <= 1 && 1 <= run.enclosure![1]).toBe(true);
		expect(run.enclosure![1] - run.enclosure![0]).toBeLessThan(0.3);
	});
});
