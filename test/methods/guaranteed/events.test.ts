/** Events at known times: states jump within the last digits of a time, and enclosures stay as close as without. */
import { describe, expect, it } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import type { GuaranteedRun } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import { certificate } from "../../../src/methods/guaranteed/proof/check.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { enclose, record } from "./records.ts";

const exp = Math.exp;
const k = 0.7;

interface Case {
	readonly name: string;
	readonly event: string;
	readonly times: number[];
	/** With x' = -0.7 x from 1. */
	readonly exact: (t: number) => number;
	readonly head?: string;
	readonly rate?: string;
}

const dosed =
	(...doses: [number, number][]) =>
	(t: number): number =>
		doses.reduce((sum, [at, dose]) => sum + (t > at ? dose * exp(-k * (t - at)) : 0), exp(-k * t));

const cases: Case[] = [
	{ name: "a dose", event: "when t >= 1.5 { x = x + 0.5 }", times: [0, 1, 2, 3], exact: dosed([1.5, 0.5]) },
	{
		name: "a dose at a time that is no double, strictly after",
		event: "when t > 0.3 { x = x + 0.5 }",
		times: [0, 0.2, 1, 2],
		exact: dosed([0.3, 0.5]),
	},
	{
		name: "two doses, each by its own",
		event: "when t >= 0.5 { x = x + 0.5 }\nwhen t >= 1.7 { x = x + 0.25 }",
		times: [0, 1, 2],
		exact: dosed([0.5, 0.5], [1.7, 0.25]),
	},
	{
		name: "one event that happens again and again",
		event: "when sin(pi*t) > 0 { x = x + 0.5 }",
		times: [0.1, 1, 2.5, 3.5, 4.5],
		// From 0.1 on the condition holds; it comes true again at 2 and 4.
		exact: (t) =>
			exp(k * 0.1) * exp(-k * t) +
			[2, 4].reduce((sum, at) => sum + (t > at ? 0.5 * exp(-k * (t - at)) : 0), 0),
	},
	{
		name: "a value that is set, later by a delay",
		event: "when t >= 1, delay: 0.25 { x = 0.5 }",
		times: [0, 1.1, 1.5, 3],
		exact: (t) => (t < 1.25 ? exp(-k * t) : 0.5 * exp(-k * (t - 1.25))),
	},
	{
		name: "a state that it multiplies by itself",
		event: "when t >= 1 { x = 2*x^2 }",
		times: [0, 0.9, 1.5, 3],
		exact: (t) => (t < 1 ? exp(-k * t) : 2 * exp(-2 * k) * exp(-k * (t - 1))),
	},
	{
		name: "one that happens at the start, as its condition counts as false before",
		event: "when t >= 0, initially: false { x = x + 1 }",
		times: [0.5, 1, 2],
		exact: (t) => 2 * exp(-k * t),
	},
	{
		name: "one whose condition holds at the start, and does not happen",
		event: "when t >= 0 { x = x + 1 }",
		times: [0.5, 1, 2],
		exact: (t) => exp(-k * t),
	},
	{
		name: "one at a time at which the equations switch, too",
		event: "when t >= 1 { x = x + 1 }",
		rate: "if(t < 1, k, 0)*x",
		times: [0, 0.5, 1.5, 2],
		exact: (t) => (t < 1 ? exp(-k * t) : exp(-k) + 1),
	},
	{
		name: "one at a time at which a held input jumps",
		event: "when t >= 1 { x = x + 1 }",
		head: "input u",
		rate: "k*x - u",
		times: [0, 0.5, 1.5, 2],
		exact: (t) => (t < 1 ? exp(-k * t) : (exp(-k) + 1) * exp(-k * (t - 1)) + (1 - exp(-k * (t - 1))) / k),
	},
];
const inputs = { u: signalFrom(Float64Array.of(0, 1, 3), Float64Array.of(0, 1, 1), "zoh") };

/** The run on exact samples, which start at 0 whatever their first time is. */
async function followed({ event, times, exact, head, rate }: Case, options = {}): Promise<GuaranteedRun> {
	const at = Float64Array.from(times);
	const text = `${head ?? ""}\nparam k in [0.6, 0.8]\nstate x = 1\nx' = -(${rate ?? "k*x"})\n${event}\nmeasure y in x +- 0.02`;
	const data = record(at, new Map([["y", at.map(exact)]]), head ? { inputs } : {});
	const from = event.includes("sin") ? at : Float64Array.from(new Set([0, ...at]));
	const own = event.includes("sin") ? text.replace("state x = 1", `state x = exp(0.07)*exp(-0.07)`) : text;
	return enclose(own, [{ ...data, times: from }], options);
}

describe("events at known times", () => {
	it.each(cases)("$name", async (each) => {
		const run = await followed(each);
		expect(outcomeOf(run)).toBe("proved");
		expect(run.enclosure![0]).toBeLessThanOrEqual(k);
		expect(run.enclosure![1]).toBeGreaterThanOrEqual(k);
		expect(run.enclosure![1] - run.enclosure![0]).toBeLessThan(0.15);
		const part = run.parts.find(({ box }) => box[0] <= k && k <= box[1])!;
		for (const { t, states } of part.instants) {
			expect(states[0]).toBeLessThanOrEqual(each.exact(t) + 1e-12);
			expect(states[1]).toBeGreaterThanOrEqual(each.exact(t) - 1e-12);
			expect(states[1] - states[0]).toBeLessThan(0.1);
		}
		expect((await answer(run)).summary.innerBoxes).toBeGreaterThan(0);
	});
	it("cost no width: a known model stays exact to 1e-11", async () => {
		const text =
			"param d in [0.4, 0.6]\nstate x = 1, z = 0\nx' = -0.7*x\nz' = 0\nwhen t >= 0.3 { x = x + 0.5, z = z + d }\nmeasure y in z +- 0.05";
		const run = await enclose(text, [
			record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(0, 0.5)]])),
		]);
		const { states } = run.parts[0].instants[1];
		expect(states[1] - states[0]).toBeLessThan(1e-11);
		expect(states[0]).toBeLessThanOrEqual(dosed([0.3, 0.5])(1) + 1e-14);
		expect(states[1]).toBeGreaterThanOrEqual(dosed([0.3, 0.5])(1) - 1e-14);
		// An unknown that only the event knows is found.
		expect(run.enclosure![1] - run.enclosure![0]).toBeCloseTo(0.1, 10);
	});
	it("a sample at the very time may be before it or after it, and says so", async () => {
		for (const y of [exp(-1.4), exp(-1.4) + 0.5]) {
			const run = await enclose(
				"param k in [0.6, 0.8]\nstate x = 1\nx' = -k*x\nwhen t >= 2 { x = x + 0.5 }\nmeasure y in x +- 0.02",
				[
					record(
						Float64Array.of(0, 1, 2, 3),
						new Map([["y", Float64Array.of(1, exp(-0.7), y, dosed([2, 0.5])(3))]]),
					),
				],
			);
			expect(outcomeOf(run)).toBe("proved");
			expect(run.enclosure![0] <= k && k <= run.enclosure![1]).toBe(true);
			const { doubts } = await answer(run);
			expect(doubts.map(({ title }) => title)).toContain("A sample at the time of a jump");
		}
		const neither = await enclose(
			"param k in [0.6, 0.8]\nstate x = 1\nx' = -k*x\nwhen t >= 2 { x = x + 0.5 }\nmeasure y in x +- 0.02",
			[record(Float64Array.of(0, 2), new Map([["y", Float64Array.of(1, 1.5)]]))],
		);
		expect(outcomeOf(neither)).toBe("refuted");
	});
	it("are in the tube, without data too", async () => {
		const run = await enclose("param k in [0.6, 0.8]\nstate x = 1\nx' = -k*x\nwhen t >= 1 { x = x + 0.5 }", [
			record(Float64Array.of(0, 2), new Map()),
		]);
		const [{ tubes }] = run.parts;
		for (const t of [0.3, 0.999, 1.001, 1.7])
			for (const rate of [0.6, 0.7, 0.8]) {
				const x = exp(-rate * t) + (t > 1 ? 0.5 * exp(-rate * (t - 1)) : 0);
				const piece = tubes.find(({ from, to }) => from <= t && t <= to)!;
				expect(piece.states[0] <= x && x <= piece.states[1]).toBe(true);
			}
		for (const [i, piece] of tubes.entries()) if (i > 0) expect(piece.from).toBe(tubes[i - 1].to);
	});
	it("rest on the solver in a certificate", async () => {
		const run = await followed(cases[0], { proof: 40 });
		const { content } = (await answer(run)).files.find(({ name }) => name === "proof.json")!;
		expect(certificate.check(String(content), "proof.json", run.problem)).toMatchObject({
			holds: true,
			isIndependent: false,
		});
	});
	it("go on from a checkpoint, to the same bits", async () => {
		const text =
			"param k in [0.6, 0.8]\nstate x = 1\nx' = -k*x\nwhen t >= 1 { x = x + 0.5 }\nmeasure y in x +- 0.02";
		const data = [record(Float64Array.of(0, 2), new Map([["y", Float64Array.of(1, dosed([1, 0.5])(2))]]))];
		const whole = await enclose(text, data);
		const resumed = await enclose(text, data, {}, (run) => run.passes > 0);
		expect([...resumed.enclosure!]).toEqual([...whole.enclosure!]);
	});
});

describe("events that are refused", () => {
	const why = (event: string): string =>
		guaranteed.appliesTo(
			parseModel(`param k in [0, 1]\nstate x = 1\nx' = -k*x\n${event}\nmeasure y in x +- 0.1`, "m.ode"),
		).why;
	it("those with a delay that keep values, or may be called off", () => {
		expect(why("when t > 1, delay: 1 { x = 2*x }")).toContain("late: true");
		expect(why("when t > 1, delay: 1, late: true { x = 2*x }")).toContain("Encloses every value");
		expect(why("when t > 1, delay: 1, persistent: false { x = 2 }")).toContain("persistent: false");
	});
	it("two at one time that act on one another, and one that may be at the very start", async () => {
		const run = (events: string, times = Float64Array.of(0, 2)) =>
			enclose(`param k in [0, 1]\nstate x = 1, z = 1\nx' = -k*x\nz' = 0\n${events}\nmeasure y in x +- 0.1`, [
				record(times, new Map([["y", Float64Array.of(1, 1)]])),
			]);
		await expect(run("when t >= 1 { x = 2*z }\nwhen t >= 1 { z = 3 }")).rejects.toThrow("act on one another");
		expect(outcomeOf(await run("when t >= 1 { x = 2*x }\nwhen t >= 1 { z = 3 }"))).toBe("proved");
		await expect(run("when t >= 3 { x = 2 }", Float64Array.of(3, 4))).rejects.toThrow("very start");
		await expect(run("when t^2 - 2*t + 1 <= 0 { x = 2 }")).rejects.toThrow();
	});
	it("with Müller's brackets", async () => {
		await expect(followed(cases[0], { prediction: "mueller" })).rejects.toThrow("does not go with events");
	});
});
