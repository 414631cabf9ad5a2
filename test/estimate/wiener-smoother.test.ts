import { expect, test } from "vitest";
import { smoothCurve } from "../../src/estimate/state-space/wiener-smoother.ts";
import { stream } from "../../src/num/random.ts";

function rms(values: ArrayLike<number>, truth: (k: number) => number): number {
	let sum = 0;
	for (let k = 0; k < values.length; k++) sum += (values[k] - truth(k)) ** 2;
	return Math.sqrt(sum / values.length);
}

test("value, slope and noise of a sine in noise", () => {
	for (const sd of [1e-3, 1e-2, 5e-2]) {
		const t = Float64Array.from({ length: 501 }, (_, k) => k / 25);
		const random = stream(7, `sine ${sd}`);
		const y = t.map((at, k) => Math.sin(at) + sd * random.normal(k));
		const { value, slope, noise } = smoothCurve(t, y, t);
		expect(noise / sd).toBeGreaterThan(0.85);
		expect(noise / sd).toBeLessThan(1.15);
		expect(rms(value, (k) => Math.sin(t[k]))).toBeLessThan(0.5 * sd);
		expect(rms(slope, (k) => Math.cos(t[k]))).toBeLessThan(2 * sd ** 0.6);
	}
});

test("samples without noise are followed; between them the curve interpolates", () => {
	const t = Float64Array.from({ length: 41 }, (_, k) => k / 4);
	const nodes = Float64Array.from({ length: 81 }, (_, k) => k / 8);
	const { value, noise } = smoothCurve(t, t.map(Math.sin), nodes);
	expect(noise).toBeLessThan(1e-4);
	expect(rms(value, (k) => Math.sin(nodes[k]))).toBeLessThan(1e-3);
});

test("the curve does not depend on units of time and value", () => {
	const t = Float64Array.from({ length: 60 }, (_, k) => k / 10);
	const random = stream(9, "units");
	const y = t.map((at, k) => Math.cos(at) + 0.02 * random.normal(k));
	const plain = smoothCurve(t, y, t);
	const scaled = smoothCurve(
		t.map((at) => 1000 * at),
		y.map((value) => 1e-6 * value + 5),
		t.map((at) => 1000 * at),
	);
	for (let k = 0; k < t.length; k++) {
		expect((scaled.value[k] - 5) * 1e6).toBeCloseTo(plain.value[k], 4);
		expect(scaled.slope[k] * 1e9).toBeCloseTo(plain.slope[k], 4);
	}
});
