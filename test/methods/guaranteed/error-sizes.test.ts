/** Largest errors that are unknown themselves: data narrow them together with the parameters. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { enclose, record } from "./records.ts";

const decay = (error: string, more = "s in [0, 0.3]"): string =>
	`param k in [0.5, 1.5], ${more}\nstate x = 1\nx' = -k*x\nmeasure y in x +- ${error}`;
const times = Float64Array.of(0, 1, 2, 3);
/** exp(-t), and errors of which the one at t = 0 is the largest, 0.1. */
const data = record(
	times,
	new Map([["y", times.map((t, i) => Math.exp(-t) + [0.1, -0.02, 0.03, -0.04][i])]]),
);

describe("an error of unknown size", () => {
	it("is at least what the data need, and no more is cut off", async () => {
		const run = await enclose(decay("s"), [data]);
		expect(outcomeOf(run)).toBe("proved");
		const [, , lo, hi] = run.enclosure!;
		// x(0) = 1 and y(0) = 1.1, so that s >= 0.1, and k = 1 fits with any such s.
		expect(lo).toBeLessThanOrEqual(0.1 + 1e-15);
		expect(lo).toBeGreaterThan(0.0999);
		expect(hi).toBeGreaterThanOrEqual(0.3);
		const inner = run.paving!.inner;
		expect(inner.length).toBeGreaterThan(10);
		for (const box of inner) {
			expect(box[2]).toBeGreaterThanOrEqual(0.1);
			// The worst corner of each inner box: least error, either rate.
			for (const k of [box[0], box[1]])
				data.outputs.get("y")!.values.forEach((y, i) => {
					expect(Math.abs(Math.exp(-k * times[i]) - y)).toBeLessThanOrEqual(box[2] + 1e-12);
				});
		}
	});
	it("has inner boxes inside the declared set, and none is left without a box", async () => {
		for (const prediction of ["taylor", "mueller"] as const) {
			const run = await enclose(decay("s"), [data], { prediction, boxes: 200 });
			// 3/10 is no double: the double 0.3 is below it, the next above.
			expect(run.unknowns[1].inside).toEqual({ lo: 0, hi: 0.3 });
			expect(run.unknowns[1].prior.hi).toBeGreaterThan(0.3);
			const { inner, edge } = run.innerBoxes;
			expect(inner.length).toBeGreaterThan(10);
			expect(Math.max(...inner.map((box) => box[3]))).toBe(0.3);
			// Three tenths are consistent, and in the box of what was cut off.
			expect(edge.length).toBe(1);
			expect([edge[0][2], edge[0][3]]).toEqual([0.3, run.unknowns[1].prior.hi]);
			expect(edge[0][0] < 1 && edge[0][1] > 1).toBe(true);
			const { files, summary } = await answer(run);
			const rows = String(files[0].content).trim().split("\n").slice(1);
			for (const row of rows.filter((each) => each.startsWith("inner")))
				expect(Number(row.split(",")[4])).toBeLessThanOrEqual(0.3);
			expect(rows.length).toBe(summary.boxes);
			expect(summary.inner!.s[1]).toBe(0.3);
		}
	});
	it("has no inner box where no double is in a set", async () => {
		const run = await enclose(decay("s", "s in [0.3, 0.30000000000000003]"), [data]);
		expect(run.paving!.inner.length).toBeGreaterThan(0);
		expect(run.innerBoxes.inner.length).toBe(0);
		expect(run.innerBoxes.edge).toEqual(run.paving!.inner);
	});
	it("narrows the parameter as its set narrows: a small error leaves few rates", async () => {
		const run = await enclose(decay("s", "s in [0, 0.105]"), [data]);
		const [kLo, kHi] = run.enclosure!;
		expect(kHi - kLo).toBeLessThan(0.65);
		expect(kLo).toBeLessThan(1);
		expect(kHi).toBeGreaterThan(1);
	});
	it("refutes errors that are too small", async () => {
		const run = await enclose(decay("s", "s in [0, 0.09]"), [data]);
		expect(outcomeOf(run)).toBe("refuted");
		expect(run.emptied!.t).toBe(0);
	});
	it("may depend on states", async () => {
		// |y - x| <= s·x: 0.1 at t = 0, 0.02/0.37 at 1, 0.03/0.135 at 2 for k = 1.
		const run = await enclose(decay("s*x", "s in [0, 2]"), [data]);
		const [kLo, kHi, lo] = run.enclosure!;
		expect(lo).toBeGreaterThan(0.0999);
		expect(lo).toBeLessThan(0.8);
		expect(kLo).toBeLessThan(1);
		expect(kHi).toBeGreaterThan(1);
	});
	it("is narrowed by brackets as well", async () => {
		const run = await enclose(decay("s"), [data], {
			prediction: "mueller",
			correction: "sivia",
			precision: 0.1,
		});
		expect(run.enclosure![2]).toBeLessThanOrEqual(0.1 + 1e-15);
		expect(run.enclosure![2]).toBeGreaterThan(0.05);
	});
	it("is refused where it may be negative", async () => {
		for (const set of ["s in [-0.3, 0.3]", "s in [-0.3, -0.1]"]) {
			await expect(enclose(decay("s", set), [data])).rejects.toThrow(InputError);
			await expect(enclose(decay("s", set), [data])).rejects.toThrow(/wrong way round/);
		}
		await expect(enclose(decay("s - 1", "s in [0, 0.3]"), [data])).rejects.toThrow(/wrong way round/);
	});
});
