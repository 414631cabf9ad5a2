/** Müller's brackets: they hold the truth, and reach what the paper's prediction reaches. */
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/methods/guaranteed/answer.ts";
import { stream } from "../../../src/num/random.ts";
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

describe("random problems with brackets", () => {
	it("keeps the truth in 14 problems, with indefinite signs among them", async () => {
		let proved = 0;
		for (let seed = 0; seed < 14; seed++) {
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
			for (const { t, states } of run.parts[0].instants)
				for (const i of [0, 1]) {
					const value = x[2 * times.indexOf(t) + i];
					expect(states[2 * i]).toBeLessThanOrEqual(value + 1e-10);
					expect(states[2 * i + 1]).toBeGreaterThanOrEqual(value - 1e-10);
				}
			if (outcomeOf(run) === "proved") proved++;
		}
		expect(proved).toBeGreaterThan(11);
	}, 120_000);
});
