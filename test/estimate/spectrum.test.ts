/** The spectrum of residuals: even for independent noise, a peak where a swing is left. */
import { expect, it } from "vitest";
import { spectrumOf } from "../../src/estimate/predict/spectrum.ts";
import { stream } from "../../src/num/random.ts";

function noise(n: number): Float64Array {
	const random = stream(5, "spectrum");
	return Float64Array.from({ length: n }, (_, i) => random.normal(i));
}

it("is 1 throughout for independent noise, up to chance", () => {
	const { frequency, power, stretches } = spectrumOf(noise(20_000))!;
	// Means of about 150 periodograms: five standard deviations.
	for (const value of power.subarray(0, -1))
		expect(Math.abs(value - 1)).toBeLessThan(5 / Math.sqrt(stretches));
	expect(frequency.at(-1)).toBe(0.5);
	const mean = power.subarray(0, -1).reduce((sum, value) => sum + value, 0) / (power.length - 1);
	expect(Math.abs(mean - 1)).toBeLessThan(0.05);
});

it("has its peak at the frequency of a swing", () => {
	const swinging = noise(2000).map((value, i) => value + 2 * Math.sin(2 * Math.PI * 0.125 * i));
	const { frequency, power } = spectrumOf(swinging)!;
	const most = power.indexOf(Math.max(...power));
	expect(frequency[most]).toBeCloseTo(0.125, 6);
	expect(power[most]).toBeGreaterThan(10);
});

it("is none of too few samples, of a constant, or where some are missing", () => {
	expect(spectrumOf(noise(20))).toBeUndefined();
	expect(spectrumOf(new Float64Array(100))).toBeUndefined();
	expect(spectrumOf(noise(100).fill(Number.NaN, 3, 4))).toBeUndefined();
});
