/** Size of residuals beside the declared noise, and samples far off: false alarms, what is found, in which words. */
import { describe, expect, test } from "vitest";
import { outlierDoubt } from "../../../src/estimate/judge/outliers.ts";
import { sizeDoubts, strangeSizes } from "../../../src/estimate/judge/size.ts";
import { stream } from "../../../src/num/random.ts";
import { leftOver, type Noise, noiseOf, seriesFrom } from "./simulated.ts";

function residuals(n: number, p: number, seed: number, noise?: Noise): Float64Array {
	const random = stream(seed, "size");
	return leftOver(noiseOf(random, n, noise), { shape: "slow", p, n, random });
}

describe("no alarm where noise is as declared", () => {
	test.each([
		[10, 4],
		[30, 5],
		[200, 5],
	])("n = %i, p = %i", (n, p) => {
		let sizes = 0;
		let outliers = 0;
		for (let seed = 0; seed < 1000; seed++) {
			const series = [seriesFrom(residuals(n, p, seed), { noise: "declared" })];
			if (strangeSizes(series, p).length > 0) sizes++;
			if (outlierDoubt(series, p).length > 0) outliers++;
		}
		// At a level of 0.001, six among 1000 happen once in 1700 times.
		expect(sizes).toBeLessThan(6);
		expect(outliers).toBeLessThan(6);
	});

	test("errors even between bounds", () => {
		for (let seed = 0; seed < 200; seed++) {
			const even = residuals(50, 3, seed, { kind: "even" });
			const series = [seriesFrom(even, { noise: "bound" })];
			expect(strangeSizes(series, 3)).toEqual([]);
			// Much smaller ones are as declared too.
			expect(
				strangeSizes(
					[
						seriesFrom(
							even.map((r) => r / 10),
							{ noise: "bound" },
						),
					],
					3,
				),
			).toEqual([]);
		}
	});
});

describe("what is found", () => {
	const so = { larger: "So.", smaller: "So." };
	const scaled = (by: number, noise: "declared" | "bound" | "found" = "declared") =>
		strangeSizes(
			[
				seriesFrom(
					residuals(100, 3, 1).map((r) => by * r),
					{ noise },
				),
			],
			3,
		);

	test("residuals of one and a half and of half the declared noise", () => {
		const [larger] = sizeDoubts(scaled(1.5), so);
		expect(larger).toMatchObject({ code: "noise-larger", grave: true, outputs: ["y"] });
		expect(larger.title).toMatch(/^The residuals of y are 1\.\d\d times the declared noise$/);
		expect(sizeDoubts(scaled(1.1), so)).toEqual([]);
		expect(sizeDoubts(scaled(0.5), so)[0].title).toMatch(
			/^The residuals of y are only 0\.\d\d times the declared noise$/,
		);
		expect(scaled(3, "found")).toEqual([]);
		expect(sizeDoubts(scaled(3, "bound"), so)[0].title).toMatch(/times what errors evenly spread between/);
	});

	test("single samples, and a number that stands for a missing one", () => {
		const r = residuals(60, 3, 2);
		r[20] += 12;
		const [doubt] = outlierDoubt([seriesFrom(r)], 3);
		expect(doubt).toMatchObject({ code: "outliers", title: "1 sample of y lies far off" });
		expect(doubt.text).toMatch(/^y at t = 20 \(/);
		const marked = residuals(12, 2, 3);
		marked[4] = -999;
		marked[5] = -999;
		const [marks] = outlierDoubt([seriesFrom(marked)], 2);
		expect(marks).toMatchObject({ title: "2 samples of y lie far off", grave: true });
		expect(marks.text).toContain("data: { missing: [-999] }");
	});

	test("but not what a model misses over several samples", () => {
		const r = residuals(200, 3, 4);
		for (let i = 90; i < 100; i++) r[i] += 30 * Math.sin((i - 90) / 3);
		expect(outlierDoubt([seriesFrom(r)], 3)).toEqual([]);
	});
});
