/** Work goes where it gains: orders are raised and boxes are cut by what that did, and no more. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { enclose, record, simulateTruth } from "./records.ts";

describe("effort", () => {
	it("cuts no box where rounding and steps make the remainder: one model, the same bounds", async () => {
		const times = Float64Array.from({ length: 11 }, (_, i) => i * 0.3);
		const equations = "state x = 5, y = 2\nx' = a*x - x*y\ny' = -c*y + x*y";
		const { outputs } = simulateTruth({
			text: `param a, c\n${equations}\nmeasure u = x\nmeasure v = y`,
			values: { a: 1.5, c: 3 },
			x0: [5, 2],
			times,
		});
		const text = `param a in [1.3, 1.7], c in [2.8, 3.2]\n${equations}\nmeasure u in x +- 1e-6\nmeasure v in y +- 1e-6`;
		const one = await enclose(text, [record(times, outputs)], { models: 1, boxes: 0 });
		const many = await enclose(text, [record(times, outputs)], { boxes: 0 });
		expect(outcomeOf(many)).toBe("proved");
		expect(many.begun).toBe(1);
		expect(many.passes).toBe(one.passes);
		expect([...many.enclosure!]).toEqual([...one.enclosure!]);
	});
	it("raises the order where the enclosures are loose by it: van der Pol to T = 7 within 1.05 of exact", async () => {
		const text =
			"state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x\nmeasure y in x +- 10";
		const run = await enclose(text, [record(Float64Array.of(0, 7), new Map([["y", Float64Array.of(0, 0)]]))]);
		expect(outcomeOf(run)).toBe("proved");
		const { states } = run.parts[0].instants[1];
		// Exact widths as in the bench.
		expect(run.parts.length).toBe(1);
		expect(states[1] - states[0]).toBeLessThan(1.05 * 0.0874);
		expect(states[3] - states[2]).toBeLessThan(1.05 * 0.4117);
		expect(states[1] - states[0]).toBeGreaterThan(0.99 * 0.0874);
	});
	it("does so without any measurement: van der Pol to T = 7 within 1.05 of exact", async () => {
		const text = "state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x";
		const run = await enclose(text, [record(Float64Array.of(0, 7), new Map())]);
		expect(outcomeOf(run)).toBe("proved");
		const { states } = run.parts[0].instants[1];
		expect(run.parts.length).toBe(1);
		expect(states[1] - states[0]).toBeLessThan(1.05 * 0.0874);
		expect(states[3] - states[2]).toBeLessThan(1.05 * 0.4117);
		expect(states[1] - states[0]).toBeGreaterThan(0.99 * 0.0874);
	});
	it("cuts boxes without any measurement where the order is given and they are loose by it", async () => {
		const text = "state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x";
		const data = [record(Float64Array.of(0, 7), new Map())];
		const run = await enclose(text, data, { order: 6 });
		expect(run.parts.length).toBeGreaterThan(1);
		const { summary } = await answer(run);
		const [lo, hi] = summary.states[1].x as readonly [number, number];
		expect(hi - lo).toBeLessThan(1.05 * 0.0874);
		expect(hi - lo).toBeGreaterThan(0.99 * 0.0874);
	});
	it("cuts no box without any measurement where disturbances make the states wide", async () => {
		const text = "input w in [-0.1, 0.1]\nparam k in [0.9, 1.1]\nstate x = 1\nx' = -k*x + w";
		const run = await enclose(text, [record(Float64Array.of(0, 2, 4), new Map())]);
		expect(outcomeOf(run)).toBe("proved");
		expect(run.passes).toBeLessThan(4);
	});
	it("what was enclosed stands where the effort for more is spent on the way", async () => {
		const text = "state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x";
		const data = [record(Float64Array.of(0, 7), new Map())];
		const first = await enclose(text, data, { order: 6, models: 1 });
		const run = await enclose(text, data, { effort: (2 * first.effort.spent) / 2.2e8 });
		expect(outcomeOf(run)).toBe("proved");
	});
	it("leaves the order that was asked for", async () => {
		const text =
			"state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x\nmeasure y in x +- 10";
		const run = await enclose(
			text,
			[record(Float64Array.of(0, 3), new Map([["y", Float64Array.of(0, 0)]]))],
			{ order: 3 },
		);
		expect(run.order).toBe(3);
	});
	it("goes on from a checkpoint with the order that was reached", async () => {
		const text =
			"state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x\nmeasure y in x +- 10";
		const data = [record(Float64Array.of(0, 7), new Map([["y", Float64Array.of(0, 0)]]))];
		const whole = await enclose(text, data);
		const resumed = await enclose(text, data, {}, (run) => run.order > 6);
		expect(resumed.order).toBe(whole.order);
		expect([...resumed.parts[0].instants[1].states]).toEqual([...whole.parts[0].instants[1].states]);
	});
	it("ends with brackets where the effort is spent, and says so", async () => {
		const times = Float64Array.from({ length: 11 }, (_, i) => i * 0.3);
		const equations = "state x = 5, y = 2\nx' = a*x - x*y\ny' = -c*y + x*y";
		const { outputs } = simulateTruth({
			text: `param a, c\n${equations}\nmeasure u = x\nmeasure v = y`,
			values: { a: 1.5, c: 3 },
			x0: [5, 2],
			times,
		});
		const text = `param a in [1.3, 1.7], c in [2.8, 3.2]\n${equations}\nmeasure u in x +- 0.1\nmeasure v in y +- 0.1`;
		const run = await enclose(text, [record(times, outputs)], { prediction: "mueller", effort: 0.5 });
		expect(run.effort.isSpent).toBe(true);
		expect(outcomeOf(run)).toBe("undecided");
		const { message, parameters, doubts } = await answer(run);
		expect(message).toContain("the effort that was given is spent");
		expect(doubts.map(({ text }) => text).join()).toContain("guaranteed: { effort:");
		expect(parameters[0].lo).toBeLessThanOrEqual(1.5);
		expect(parameters[0].hi).toBeGreaterThanOrEqual(1.5);
	});
	it("keeps the truth, and what was proved before, wherever the effort ends", async () => {
		const text = "param p in [0.5, 1.5]\nstate x = 1\nx' = -p*abs(x) - 1\nmeasure y in x +- 1e-5";
		const times = Float64Array.of(0, 1, 2);
		const { outputs } = simulateTruth({
			text: "param p\nstate x = 1\nx' = -p*abs(x) - 1\nmeasure y = x",
			values: { p: 1 },
			x0: [1],
			times,
		});
		const whole = await enclose(text, [record(times, outputs)]);
		const outcomes: string[] = [];
		let width = 1;
		for (const share of [0.02, 0.1, 0.3, 0.6, 0.9]) {
			const effort = (whole.effort.share * share * guaranteedOptions.effort.default) as number;
			const run = await enclose(text, [record(times, outputs)], { effort });
			const [lo, hi] = run.enclosure!;
			expect(lo).toBeLessThanOrEqual(1);
			expect(hi).toBeGreaterThanOrEqual(1);
			// More effort, a set that is no wider.
			expect(hi - lo).toBeLessThanOrEqual(width);
			width = hi - lo;
			outcomes.push(outcomeOf(run));
		}
		expect(outcomes[0]).toBe("undecided");
		expect(outcomes[4]).toBe("proved");
	});
});
