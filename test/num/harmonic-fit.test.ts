import { describe, expect, it } from "vitest";
import { fitHarmonics, seriesAt, seriesDerivative } from "../../src/num/harmonic-fit.ts";
import { stream } from "../../src/num/random.ts";

const c = Float64Array.of(0.5, 1, -0.3, 0.2, 0.7, -0.05, 0.11);
const plain = (phi: number): number =>
	c[0] +
	[1, 2, 3].reduce((sum, k) => sum + c[2 * k - 1] * Math.cos(k * phi) + c[2 * k] * Math.sin(k * phi), 0);
const omega = 1.7;
const random = stream(3, "times");
const t = Float64Array.from({ length: 300 }, (_, i) => 12 * random.uniform(i)).sort();

describe("Fourier series of unknown period", () => {
	it("is the sum that it stands for, and so is its derivative", () => {
		const d = seriesDerivative(c);
		for (let phi = -3; phi < 9; phi += 0.37) {
			expect(seriesAt(c, phi)).toBeCloseTo(plain(phi), 13);
			expect(seriesAt(d, phi)).toBeCloseTo((plain(phi + 1e-5) - plain(phi - 1e-5)) / 2e-5, 8);
		}
	});
	it("finds period and coefficients from irregular samples without noise", () => {
		const y = t.map((time) => plain(omega * (time - 1)));
		const fit = fitHarmonics(t, y, 5, { omega: 1.72, origin: 1 })!;
		expect(Math.abs(fit.omega / omega - 1)).toBeLessThan(1e-12);
		fit.c.forEach((value, i) => {
			expect(Math.abs(value - (c[i] ?? 0))).toBeLessThan(1e-11);
		});
	});
	it("says how far it errs: the covariance is that of repeated noise", () => {
		const sigma = 0.1;
		const noise = stream(5, "noise");
		const scores: number[] = [];
		for (let seed = 0; seed < 300; seed++) {
			const y = t.map((time, i) => plain(omega * time) + sigma * noise.normal(1000 * seed + i));
			const fit = fitHarmonics(t, y, 3, { omega: 1.71, origin: 0 })!;
			scores.push((fit.omega - omega) / (sigma * Math.sqrt(fit.inverse[fit.inverse.length - 1])));
		}
		const variance = scores.reduce((sum, z) => sum + z * z, 0) / scores.length;
		expect(variance).toBeGreaterThan(0.8);
		expect(variance).toBeLessThan(1.2);
	});
	it("refuses more harmonics than the samples hold", () => {
		expect(fitHarmonics(t.subarray(0, 8), t.subarray(0, 8), 8, { omega, origin: 0 })).toBeUndefined();
	});
});
