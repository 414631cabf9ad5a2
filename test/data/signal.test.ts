import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resample } from "../../src/data/signal/resample.ts";
import {
	formulaSignal,
	INTERPOLATIONS,
	type Interpolation,
	signalFrom,
} from "../../src/data/signal/signal.ts";
import { inputErrorOf } from "./bytes.ts";

/** Times with steps that vary by a factor of ten, the same each run. */
function unevenTimes(n: number): Float64Array {
	let seed = 7;
	let t = -1;
	return Float64Array.from({ length: n }, () => {
		seed = (seed * 48271) % 2147483647;
		t += 0.02 + (0.2 * seed) / 2147483647;
		return t;
	});
}

function evenTimes(n: number, rate = 1, start = 0): Float64Array {
	return Float64Array.from({ length: n }, (_, i) => start + i / rate);
}

/** The largest |signal - f| over a fine grid between two times. */
function worst(
	signal: { at(t: number): number },
	f: (t: number) => number,
	from: number,
	to: number,
): number {
	let error = 0;
	for (let k = 0; k <= 3000; k++) {
		const t = from + ((to - from) * k) / 3000;
		error = Math.max(error, Math.abs(signal.at(t) - f(t)));
	}
	return error;
}

describe("every interpolation", () => {
	it.each(INTERPOLATIONS)("%s passes through the samples and holds the ends", (kind) => {
		for (const times of kind === "sinc"
			? [evenTimes(300, 610.3515625)]
			: [unevenTimes(300), evenTimes(300, 610.3515625)]) {
			const values = times.map((t) => Math.cos(3 * t) + t);
			const signal = signalFrom(times, values, kind);
			for (let i = 0; i < times.length; i++) expect(signal.at(times[i])).toBe(values[i]);
			expect(signal.at(times[0] - 5)).toBe(values[0]);
			expect(signal.at(times[299] + 5)).toBe(values[299]);
			expect(signal.at(-Infinity)).toBe(values[0]);
			expect(signal.at(Infinity)).toBe(values[299]);
			expect(signal.at(Number.NaN)).toBeNaN();
		}
	});

	it.each(INTERPOLATIONS)("%s is a constant through one sample or equal samples", (kind) => {
		expect(signalFrom(Float64Array.of(2), Float64Array.of(5), kind).at(2.5)).toBe(5);
		for (const n of [2, 3, 4, 5, 30, 100]) {
			const signal = signalFrom(evenTimes(n), new Float64Array(n).fill(0.7), kind);
			expect(worst(signal, () => 0.7, -1, n)).toBeLessThan(1e-14);
		}
	});

	it.each(INTERPOLATIONS)("%s gives the same values in bulk as one by one", (kind) => {
		const times = evenTimes(200, 10, 3);
		const signal = signalFrom(
			times,
			times.map((t) => Math.sin(4 * t)),
			kind,
		);
		const offsets = [0, 1 / 8, 0.25, 0.3, 0.5, 0.75, 1];
		for (const part of [times, times.subarray(50, 90), times.subarray(150)]) {
			const bulk = resample(signal, part, offsets);
			const single = resample({ at: (t, side) => signal.at(t, side), knots: signal.knots }, part, offsets);
			expect(bulk.length).toBe((part.length - 1) * offsets.length);
			for (let k = 0; k < bulk.length; k++) expect(Math.abs(bulk[k] - single[k])).toBeLessThan(1e-11);
		}
	});

	it("is refused for times that do not increase, values that are no numbers, unknown names", async () => {
		const bad: [number[], number[], string][] = [
			[[0, 1, 1], [1, 2, 3], "linear"],
			[[0, 2, 1], [1, 2, 3], "cubic"],
			[[0, Number.NaN, 1], [1, 2, 3], "zoh"],
			[[0, 1, 2], [1, Number.NaN, 3], "zoh"],
			[[0, 1], [1, 2, 3], "zoh"],
			[[], [], "zoh"],
			[[0, 1], [1, 2], "spline"],
		];
		for (const [times, values, kind] of bad) {
			await inputErrorOf(() =>
				signalFrom(Float64Array.from(times), Float64Array.from(values), kind as Interpolation),
			);
		}
	});
});

describe("zoh", () => {
	it("jumps at samples, and the side picks the limit", () => {
		const signal = signalFrom(Float64Array.of(0, 1, 2, 4), Float64Array.of(5, 7, 7, -1), "zoh");
		expect([signal.at(0.999), signal.at(1), signal.at(1, 1), signal.at(1, -1)]).toEqual([5, 7, 7, 5]);
		expect([signal.at(4), signal.at(4, -1), signal.at(0, -1), signal.at(9, -1)]).toEqual([-1, 7, 5, -1]);
		expect([...signal.knots]).toEqual([1, 4]);
		expect([...resample(signal, Float64Array.of(0, 1, 2, 4), [0, 0.5, 1])]).toEqual([
			5, 5, 5, 7, 7, 7, 7, 7, 7,
		]);
		expect([...resample(signal, Float64Array.of(0, 2, 4), [0, 0.5, 1])]).toEqual([5, 7, 7, 7, 7, 7]);
	});
});

describe("linear", () => {
	it("is exact on lines", () => {
		fc.assert(
			fc.property(
				fc.double({ min: -9, max: 9, noNaN: true }),
				fc.double({ min: -9, max: 9, noNaN: true }),
				(a, b) => {
					const times = unevenTimes(40);
					const line = (t: number) => a + b * t;
					expect(worst(signalFrom(times, times.map(line), "linear"), line, times[0], times[39])).toBeLessThan(
						1e-13,
					);
				},
			),
			{ seed: 1, numRuns: 50 },
		);
	});

	it("bends at every sample", () => {
		const times = unevenTimes(9);
		expect([...signalFrom(times, times, "linear").knots]).toEqual([...times]);
	});
});

describe("cubic", () => {
	it("is exact on cubics from four samples on, on parabolas from three, on lines from two", () => {
		const cubic = (t: number) => 1 - 2 * t + 3 * t ** 2 - 0.5 * t ** 3;
		for (const [n, f] of [
			[2, (t: number) => 3 - t],
			[3, (t: number) => 3 - t + t * t],
			[4, cubic],
			[5, cubic],
			[40, cubic],
		] as const) {
			const times = unevenTimes(n);
			expect(worst(signalFrom(times, times.map(f), "cubic"), f, times[0], times[n - 1])).toBeLessThan(2e-12);
		}
	});

	it("has order four", () => {
		const f = (t: number) => Math.sin(5 * t);
		const errors = [20, 40, 80].map((n) => {
			const times = evenTimes(n + 1, n);
			return worst(signalFrom(times, times.map(f), "cubic"), f, 0, 1);
		});
		expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(3.6);
		expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(3.6);
	});

	it("is twice continuously differentiable", () => {
		const times = unevenTimes(30);
		const signal = signalFrom(
			times,
			times.map((t) => Math.sin(7 * t)),
			"cubic",
		);
		const h = 1e-4;
		for (let i = 1; i < 29; i++) {
			const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => signal.at(times[i] + k * h));
			// One-sided second differences on either side differ by about h times the third derivatives.
			expect(Math.abs((a - 2 * b + c) / h ** 2 - (c - 2 * d + e) / h ** 2)).toBeLessThan(0.5);
			expect(Math.abs((c - b) / h - (d - c) / h)).toBeLessThan(0.02);
		}
	});
});

describe("sinc", () => {
	const n = 400;
	const inside = [40, n - 41] as const;

	it("follows tones up to 0.85 of the Nyquist frequency to 1e-6", () => {
		const times = evenTimes(n);
		for (const part of [0.01, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85]) {
			for (const phase of [0, 1, 2]) {
				const tone = (t: number) => Math.sin(Math.PI * part * t + phase);
				expect(worst(signalFrom(times, times.map(tone), "sinc"), tone, ...inside)).toBeLessThan(1e-6);
			}
		}
	});

	it("beats cubic, which beats linear, on a tone at half the Nyquist frequency", () => {
		const times = evenTimes(n);
		const tone = (t: number) => Math.sin(0.5 * Math.PI * t);
		const errors = (["linear", "cubic", "sinc"] as const).map((kind) =>
			worst(signalFrom(times, times.map(tone), kind), tone, ...inside),
		);
		expect(errors[1]).toBeLessThan(errors[0] / 5);
		expect(errors[2]).toBeLessThan(errors[1] / 1000);
	});

	it("keeps lines exact up to the ends, and slow signals nearly so", () => {
		const times = evenTimes(n);
		const line = (t: number) => 2 - 0.3 * t;
		expect(worst(signalFrom(times, times.map(line), "sinc"), line, 0, n - 1)).toBeLessThan(1e-5);
		const slow = (t: number) => Math.sin(0.05 * Math.PI * t);
		expect(worst(signalFrom(times, times.map(slow), "sinc"), slow, 0, n - 1)).toBeLessThan(2e-3);
	});

	it("works on records shorter than its kernel", () => {
		const line = (t: number) => 2 - 0.3 * t;
		for (const m of [2, 3, 7, 31, 33]) {
			const times = evenTimes(m);
			expect(worst(signalFrom(times, times.map(line), "sinc"), line, 0, m - 1)).toBeLessThan(1e-5);
		}
	});

	it("needs uniform sampling, within a ten-thousandth of a sample", async () => {
		const times = evenTimes(100);
		times[50] += 5e-5;
		expect(signalFrom(times, times, "sinc").knots.length).toBe(0);
		times[50] += 1e-3;
		expect((await inputErrorOf(() => signalFrom(times, times, "sinc"))).problem).toContain("sample 50");
	});
});

describe("formulaSignal", () => {
	it("is its formula, without knots", () => {
		const signal = formulaSignal((t) => t * t);
		expect([signal.at(3), signal.at(3, -1), signal.knots.length]).toEqual([9, 9, 0]);
		expect([...resample(signal, Float64Array.of(0, 2, 4), [0.5])]).toEqual([1, 9]);
	});
});
