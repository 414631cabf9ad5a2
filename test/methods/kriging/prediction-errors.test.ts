/** When samples outside their bands are no chance. */
import { expect, test } from "vitest";
import type { Prediction } from "../../../src/estimate/result.ts";
import { chanceOf } from "../../../src/methods/kriging/answer/prediction-errors.ts";
import { stream } from "../../../src/num/random.ts";

/** Held against zero, in a band of ± half. */
function prediction(y: Float64Array, half = 1.96): Prediction {
	const t = y.map((_, i) => i);
	const flat = (value: number): Float64Array => y.map(() => value);
	return {
		experiment: "a",
		output: "y",
		part: "test",
		t,
		y: flat(0),
		lo: flat(-half),
		hi: flat(half),
		data: { t, y },
	};
}
const noise = (n: number, seed: number, scale = 1): Float64Array => {
	const random = stream(seed, "noise");
	return Float64Array.from({ length: n }, (_, i) => scale * random.normal(i));
};

test("honest bands are blamed about as seldom as the test says", () => {
	let blamed = 0;
	for (let seed = 1; seed <= 1000; seed++) if (chanceOf([prediction(noise(80, seed))]) < 0.01) blamed++;
	expect(blamed).toBeLessThan(20);
});

test("errors that are 1.5 times as large as the band says are found in 200 samples", () => {
	for (let seed = 1; seed <= 20; seed++)
		expect(chanceOf([prediction(noise(200, seed, 1.5))])).toBeLessThan(0.01);
});

test("a fifth outside in one stretch is one event, a fifth here and there is many", () => {
	const sign = (i: number): number => (i % 2 === 0 ? 1 : -1);
	const spread = Float64Array.from({ length: 60 }, (_, i) => sign(i) * (i % 5 === 0 ? 3 : 1));
	const stretch = Float64Array.from({ length: 60 }, (_, i) => (i < 12 ? 3 : 1));
	expect(chanceOf([prediction(spread)])).toBeLessThan(0.001);
	expect(chanceOf([prediction(stretch)])).toBeGreaterThan(0.05);
});

test("samples without a band, or none at all, show nothing", () => {
	expect(chanceOf([prediction(noise(50, 1, 5), Number.POSITIVE_INFINITY)])).toBe(1);
	expect(chanceOf([])).toBe(1);
});
