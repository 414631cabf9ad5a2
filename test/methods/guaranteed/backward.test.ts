/** What later data say of earlier states: exact where that is known, and never at the cost of a course that is consistent. */
import { describe, expect, it } from "vitest";
import type { Experiment } from "../../../src/data/experiment.ts";
import { answer } from "../../../src/methods/guaranteed/answer/answer.ts";
import { stream } from "../../../src/num/random.ts";
import { enclose, record } from "./records.ts";

/** Instants without a datum are told by an output that says nothing. */
function told(times: readonly number[], samples: Readonly<Record<number, number>>): Experiment {
	const own = Object.keys(samples).map(Number);
	const whole = record(Float64Array.from(times), new Map([["z", new Float64Array(times.length)]]));
	const y = {
		times: Float64Array.from(own),
		values: Float64Array.from(own, (t) => samples[t]),
		rows: Int32Array.from(own, (t) => times.indexOf(t)),
	};
	return { ...whole, outputs: new Map([...whole.outputs, ["y", y]]) };
}

describe("later data narrow earlier states", () => {
	it("exactly, where an input may do anything within its bounds", async () => {
		const text =
			"input w in [-0.1, 0.1]\nstate x in [-1, 1]\nx' = w\nmeasure y in x +- 0.01\nmeasure z in x +- 100";
		const run = await enclose(text, [told([0, 1, 2, 3], { 2: 0.3 })]);
		const { summary, parameters } = await answer(run);
		const widths = summary.states.map(({ x }) => (x as [number, number])[1] - (x as [number, number])[0]);
		// 0.3 ± 0.01 at t = 2, and 0.1 more for each second before and after.
		for (const [k, exact] of [0.42, 0.22, 0.02, 0.22].entries()) {
			expect(widths[k] / exact).toBeGreaterThanOrEqual(1 - 1e-12);
			expect(widths[k] / exact).toBeLessThan(1 + 1e-6);
		}
		expect(parameters[0].hi! - parameters[0].lo!).toBeLessThan(0.42 * (1 + 1e-6));
	});
	it("exactly, where unknowns are constant: the datum at the end narrows the start", async () => {
		const run = await enclose("state x in [0, 10]\nx' = -x\nmeasure y in x +- 0.01\nmeasure z in x +- 100", [
			told([0, 3], { 3: 0.1 }),
		]);
		const [lo, hi] = run.enclosure!;
		expect((hi - lo) / (0.02 * Math.exp(3))).toBeGreaterThanOrEqual(1);
		expect((hi - lo) / (0.02 * Math.exp(3))).toBeLessThan(1 + 1e-6);
	});
	it("and lose no course: 400 inputs that jump, of which those that meet the data are in all bounds", async () => {
		const [k, most] = [0.7, 0.2];
		const times = [0, 0.5, 1, 1.5, 2, 2.5, 3];
		const random = stream(11, "inputs");
		let at = 0;
		const draw = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(at++);
		/** x at each time, for an input that is at one of its bounds, or between them, for a quarter of a second each. */
		const course = (): number[] => {
			let x = draw(0.5, 1.5);
			const out = [x];
			const bias = draw(-1, 1);
			for (let i = 1; i < 13; i++) {
				const w = most * Math.max(-1, Math.min(1, bias + draw(-1.5, 1.5)));
				x = w / k + (x - w / k) * Math.exp(-k * 0.25);
				if (i % 2 === 0) out.push(x);
			}
			return out;
		};
		const truth = course();
		const samples = { 1.5: truth[3] + 0.01, 3: truth[6] - 0.015 };
		const text = `input w in [-${most}, ${most}]\nparam k in [0.6, 0.8]\nstate x in [0.5, 1.5]\nx' = -k*x + w\nmeasure y in x +- 0.05\nmeasure z in x +- 100`;
		const run = await enclose(text, [told(times, samples)]);
		const { summary } = await answer(run);
		const courses = [truth, ...Array.from({ length: 400 }, course)].filter(
			(xs) => Math.abs(xs[3] - samples[1.5]) <= 0.05 && Math.abs(xs[6] - samples[3]) <= 0.05,
		);
		expect(courses.length).toBeGreaterThan(5);
		for (const xs of courses)
			summary.states.forEach(({ x }, i) => {
				const [lo, hi] = x as [number, number];
				expect(lo <= xs[i] && xs[i] <= hi, `${i}: ${lo} ${xs[i]} ${hi}`).toBe(true);
			});
		// Half a second before a datum: its bar and the input, led back by the largest rate, and what the rate leaves open; steps are boxes, which costs a little.
		const grown = Math.exp(0.8 * 0.5);
		const exact =
			0.1 * grown + (2 * most * (grown - 1)) / 0.8 + (samples[1.5] + 0.05) * (grown - Math.exp(0.6 * 0.5));
		const [lo, hi] = summary.states[2].x as [number, number];
		expect(hi - lo).toBeLessThan(1.1 * exact);
	});
});
