/** Müller's brackets: they hold the truth, and reach what the paper's prediction reaches. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { trainPredictions } from "../../../src/methods/guaranteed/answer/prediction.ts";
import { appliesTo } from "../../../src/methods/guaranteed/applies.ts";
import { opposingStates } from "../../../src/methods/guaranteed/paving/opposing-states.ts";
import { systemOf } from "../../../src/methods/guaranteed/system.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { compartments, enclose, paperRecord, record, simulateTruth } from "./records.ts";

describe("brackets on the compartments", () => {
	it("with Sivia down to 0.001: within 1.3 of the exact width", async () => {
		const run = await enclose(compartments, [paperRecord()], {
			prediction: "mueller",
			correction: "sivia",
			precision: 0.001 / 0.4,
		});
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(0.247787);
		expect(hi).toBeGreaterThanOrEqual(0.253353);
		expect((hi - lo) / (0.253353 - 0.247787)).toBeLessThan(1.3);
	});
	it("with sensitivities: within 1.05, where the paper's are at 2", async () => {
		const run = await enclose(compartments, [paperRecord()], { prediction: "mueller", precision: 0.5 });
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(0.247787);
		expect(hi).toBeGreaterThanOrEqual(0.253353);
		expect((hi - lo) / (0.253353 - 0.247787)).toBeLessThan(1.05);
	});
});

describe("what a run with brackets tells", () => {
	it("has predictions, tubes, and the unknown as data came in", async () => {
		const run = await enclose(compartments, [paperRecord()], {
			prediction: "mueller",
			correction: "sivia",
			precision: 0.01,
		});
		const [{ lo, hi, data }] = trainPredictions(run);
		expect(lo!.length).toBe(5);
		data!.y.forEach((y, i) => {
			expect(lo![i]).toBeLessThan(y + 0.005);
			expect(hi![i]).toBeGreaterThan(y - 0.005);
			expect(hi![i] - lo![i]).toBeLessThan(0.02);
		});
		const tubes = run.parts[0].tubes;
		expect(tubes[0].from).toBe(0);
		expect(tubes[tubes.length - 1].to).toBe(10);
		for (let k = 1; k < tubes.length; k++) expect(tubes[k].from).toBe(tubes[k - 1].to);
		expect(run.history.map(({ t }) => t)).toEqual([2, 4, 6, 8, 10]);
		const exact: Record<number, [number, number]> = {
			2: [0.224339, 0.256806],
			4: [0.241941, 0.256806],
			8: [0.247787, 0.256806],
			10: [0.247787, 0.253353],
		};
		for (const { t, unknowns } of run.history)
			if (exact[t]) {
				expect(unknowns[0]).toBeLessThanOrEqual(exact[t][0]);
				expect(unknowns[1]).toBeGreaterThanOrEqual(exact[t][1]);
				expect(unknowns[1] - unknowns[0]).toBeLessThan(0.15);
			}
		expect([run.history[4].unknowns[0], run.history[4].unknowns[1]]).toEqual([...run.enclosure!]);
	});
	it("names what stands in the way of brackets", async () => {
		const run = await enclose(
			"param a in [0.5, 2]\nstate x = 1\nx' = -1/x - a\nmeasure y in x +- 10",
			[record(Float64Array.of(0, 3), new Map([["y", Float64Array.of(1, 1)]]))],
			{ prediction: "mueller", boxes: 4 },
		);
		expect(outcomeOf(run)).toBe("undecided");
		expect((await answer(run)).message).toMatch(/division by|steps became too small/);
	});
	it("knows oscillators, on which brackets grow", () => {
		const opposed = (text: string) => opposingStates(systemOf(parseModel(text, "m.ode")));
		expect(opposed(compartments)).toBeUndefined();
		const oscillator = "param k in [1, 2]\nstate x = 1, v = 0\nx' = v\nv' = -k*x\nmeasure y in x +- 1";
		expect(opposed(oscillator)).toEqual(["x", "v"]);
		expect(appliesTo(parseModel(oscillator, "m.ode")).why).toContain("Müller");
		expect(appliesTo(parseModel(compartments, "m.ode")).why).not.toContain("Müller");
	});
});

describe("random problems with brackets", () => {
	it(`keeps the truth in ${repetitions(5, 14)} problems, with indefinite signs among them`, async () => {
		let proved = 0;
		for (let seed = 0; seed < repetitions(5, 14); seed++) {
			const random = stream(seed, "mueller soundness");
			let index = 0;
			const u = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(index++);
			const a = u(0.3, 0.8);
			const x0 = u(-0.5, 0.5);
			const text = `param a in [${a - u(0, 0.2)}, ${a + u(0, 0.2)}]
state x in [${x0 - u(0, 0.2)}, ${x0 + u(0, 0.2)}], y = 0.3
x' = -a*x + x*y
y' = a*x^2 - y
measure z in x + y +- 0.05`;
			const times = Float64Array.of(0, 1, 2, 3);
			const { outputs, x } = simulateTruth({ text, values: { a }, x0: [x0, 0.3], times });
			const z = outputs.get("z")!;
			for (let i = 0; i < z.length; i++) z[i] += u(-1, 1) * 0.05 * (1 - 1e-9);
			const run = await enclose(text, [record(times, outputs)], {
				prediction: "mueller",
				correction: seed % 2 === 0 ? "sivia" : "box",
				precision: 0.2,
				boxes: 40,
				timeOrder: 8,
				tolerance: 1e-7,
			});
			const box = run.enclosure!;
			expect(box, `seed ${seed}`).toBeDefined();
			for (const [k, value] of [a, x0].entries()) {
				expect(box[2 * k], `seed ${seed}`).toBeLessThanOrEqual(value);
				expect(box[2 * k + 1], `seed ${seed}`).toBeGreaterThanOrEqual(value);
			}
			const holding = run.parts.filter((part) =>
				[a, x0].every((value, k) => part.box[2 * k] <= value && value <= part.box[2 * k + 1]),
			);
			expect(holding.length).toBeGreaterThan(0);
			for (const { t, states } of holding.flatMap(({ instants }) => instants))
				for (const i of [0, 1]) {
					const value = x[2 * times.indexOf(t) + i];
					expect(states[2 * i]).toBeLessThanOrEqual(value + 1e-10);
					expect(states[2 * i + 1]).toBeGreaterThanOrEqual(value - 1e-10);
				}
			if (outcomeOf(run) === "proved") proved++;
		}
		expect(proved).toBeGreaterThan(repetitions(3, 11));
	}, 120_000);
});
