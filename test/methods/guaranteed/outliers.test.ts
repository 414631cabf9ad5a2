/** Samples that may be beyond their largest errors: the set holds the truth, and what is said of the samples is so. */
import { describe, expect, it } from "vitest";
import type { Experiment } from "../../../src/data/experiment.ts";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { repetitions } from "../../repetitions.ts";
import { compartments, enclose, paperRecord, record } from "./records.ts";
import { robustProblem } from "./truth/other-families.ts";
import { checkStatements } from "./truth/statements.ts";

/** The record of the paper with the second sample far off. */
const wrong: readonly Experiment[] = [paperRecord([0.320759, 0.455876, 0.190112, 0.136033, 0.105644])];

describe("outliers", () => {
	it("are not allowed by default: the set is empty", async () => {
		expect(outcomeOf(await enclose(compartments, wrong))).toBe("refuted");
	});
	it("auto finds the least number, names the sample, and encloses the truth closely", async () => {
		const run = await enclose(compartments, wrong, { outliers: "auto" });
		expect(outcomeOf(run)).toBe("proved");
		expect(run.outliers).toBe(1);
		const { summary, message } = await answer(run);
		expect(summary.outliers).toEqual({
			allowed: 1,
			atLeast: 1,
			samples: [{ t: 4, output: "y", record: "record" }],
		});
		expect(message).toContain("At least 1 sample must be beyond its largest error");
		expect(message).toContain("y at t = 4");
		// The exact set, to the six digits that it is known to.
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(0.2477875);
		expect(hi).toBeGreaterThanOrEqual(0.2533525);
		expect(hi - lo).toBeLessThan(1.05 * (0.253353 - 0.247787));
	});
	it("a number that is allowed: those that are named are at least as many; where it is not enough, one more are", async () => {
		const two = (await answer(await enclose(compartments, wrong, { outliers: 2 }))).summary.outliers!;
		expect(two.atLeast).toBe(two.samples.length);
		const worse = [paperRecord([0.320759, 0.455876, 0.490112, 0.136033, 0.105644])];
		const one = await answer(await enclose(compartments, worse, { outliers: 1 }));
		expect([one.outcome, one.summary.outliers!.atLeast]).toEqual(["refuted", 2]);
	});
	it("auto follows no part again that was refuted with fewer", async () => {
		const text =
			"param w in [1, 3], a in [0.5, 1.5]\nstate x = a, v = 0\nx' = v\nv' = -w^2*x\nmeasure y in x +- 0.05";
		const times = Float64Array.of(0, 0.5, 1, 1.5, 2, 2.5, 3);
		const y = Float64Array.of(0.597985, 0.4783, 0.300536, -0.229809, -0.536371, -0.616547, -0.40518);
		const by = async (outliers: number | "auto") =>
			(
				await answer(
					await enclose(text, [record(times, new Map([["y", y]]))], { outliers, correction: "sivia" }),
				)
			).summary;
		const [auto, one] = [await by("auto"), await by(1)];
		expect(auto.outliers?.allowed).toBe(1);
		expect(auto.models).toBe(one.models);
		expect(auto.boxes).toBeGreaterThan(0.8 * one.boxes);
	});
	it("does not say that none is needed where no value was proved to be consistent", async () => {
		// The last sample is 5 bars off, which a coarse search does not see.
		const text =
			"param a in [0.079, 0.448]\nstate x in [0.472, 0.972]\nx' = -x\nmeasure y in x + 0*a +- 0.0001";
		const y = Float64Array.of(0.5, 0.5 * Math.exp(-0.4), 0.5 * Math.exp(-0.9) + 0.0005);
		const run = await enclose(text, [record(Float64Array.of(0, 0.4, 0.9), new Map([["y", y]]))], {
			outliers: "auto",
			correction: "sivia",
			boxes: 0,
		});
		expect([run.outliers, run.innerBoxes.inner.length]).toEqual([0, 0]);
		const { message } = await answer(run);
		expect(message).toContain("No sample was shown to be an outlier.");
		expect(message).not.toContain("has to be");
	});
	it("auto finds that none is needed", async () => {
		const run = await enclose(compartments, [paperRecord()], { outliers: "auto" });
		expect(run.outliers).toBe(0);
		expect((await answer(run)).message).toContain("No sample has to be an outlier.");
	});
	it("makes the set no smaller where they are allowed and none is there", async () => {
		const strict = await enclose(compartments, [paperRecord()]);
		const loose = await enclose(compartments, [paperRecord()], { outliers: 1 });
		expect(loose.enclosure![0]).toBeLessThanOrEqual(strict.enclosure![0]);
		expect(loose.enclosure![1]).toBeGreaterThanOrEqual(strict.enclosure![1]);
		expect((await answer(loose)).summary.outliers!.samples).toEqual([]);
	});
	it("comes to the same bits from a checkpoint with one outlier", async () => {
		const whole = await enclose(compartments, wrong, { outliers: "auto" });
		const resumed = await enclose(compartments, wrong, { outliers: "auto" }, (run) => run.outliers === 1);
		expect([...resumed.enclosure!]).toEqual([...whole.enclosure!]);
		expect(resumed.outliers).toBe(1);
	});
	it("is refused with brackets", async () => {
		await expect(enclose(compartments, wrong, { outliers: 1, prediction: "mueller" })).rejects.toThrow(
			/not known to Müller's brackets/,
		);
	});
	it(`every statement holds in ${repetitions(10, 30)} problems with up to two wrong samples`, async () => {
		const misses: string[] = [];
		let named = 0;
		for (let seed = 0, done = 0; done < repetitions(10, 30); seed++) {
			const problem = robustProblem(seed);
			if (!problem) continue;
			done++;
			const checked = await checkStatements(problem);
			named += checked.counts["named outliers"] ?? 0;
			for (const miss of checked.misses) misses.push(`seed ${seed}: ${miss}`);
		}
		expect(misses).toEqual([]);
		expect(named).toBeGreaterThan(repetitions(6, 20));
	}, 120_000);
});
