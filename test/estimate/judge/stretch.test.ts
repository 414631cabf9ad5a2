/** Residuals that are larger for a while: false alarms, what is found, what is left to others. */
import { describe, expect, test } from "vitest";
import { stretchDoubt } from "../../../src/estimate/judge/stretch.ts";
import { stream } from "../../../src/num/random.ts";
import { leftOver, type Noise, noiseOf, seriesFrom } from "./simulated.ts";

function residuals(n: number, p: number, seed: number, noise?: Noise): Float64Array {
	const random = stream(seed, "stretch");
	return leftOver(noiseOf(random, n, noise), { shape: "slow", p, n, random });
}

describe("no alarm where noise is of one size", () => {
	test.each([
		[20, 4, "found"],
		[60, 5, "declared"],
		[400, 5, "found"],
	] as const)("n = %i, p = %i", (n, p, noise) => {
		let alarms = 0;
		for (let seed = 0; seed < 1000; seed++)
			alarms += stretchDoubt([seriesFrom(residuals(n, p, seed), { noise })], p).length;
		// At a level of 0.001, six among 1000 happen once in 1700 times.
		expect(alarms).toBeLessThan(6);
	});

	test("one sample far off is an outlier", () => {
		const r = residuals(100, 3, 1);
		r[40] = 12;
		expect(stretchDoubt([seriesFrom(r, { noise: "found" })], 3)).toEqual([]);
	});
});

describe("what a model misses for a while", () => {
	const missed = (noise: "found" | "counts" | "declared", scale = 1) => {
		const r = residuals(100, 3, 2);
		// It changes its sign from sample to sample: nothing goes on.
		for (let k = 2; k < 8; k++) r[k] += k % 2 === 0 ? 4 : -4;
		const scaled = r.map((value) => scale * value);
		return stretchDoubt([seriesFrom(scaled, { noise })], 3);
	};

	test("is found, and where", () => {
		const [{ grave, title, text }] = missed("found");
		expect({ grave, title }).toEqual({
			grave: true,
			title: "The residuals of y are larger in one part of the record",
		});
		const [, from, to] = /from t = (\S+) to (\S+),/.exec(text)!;
		expect(Number(from)).toBeLessThan(Number(to));
	});

	test("is nothing that counts are asked", () => expect(missed("counts")).toEqual([]));

	test("is no news where it is smaller than the declared noise", () => {
		expect(missed("declared")).toHaveLength(1);
		expect(missed("declared", 0.1)).toEqual([]);
		expect(missed("found", 0.1)).toHaveLength(1);
	});
});
