/** Inputs between samples are enclosed: the spline of a cubic is that cubic, and every signal is what the simulation takes it for. */
import { describe, expect, it } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import * as I from "../../../src/interval/index.ts";
import { EnclosedInput } from "../../../src/methods/guaranteed/flow/input-enclosure.ts";
import { stream } from "../../../src/num/random.ts";
import { record } from "./records.ts";

function input(
	kind: "zoh" | "linear" | "cubic" | "sinc",
	times: Float64Array,
	values: Float64Array,
): EnclosedInput {
	return new EnclosedInput("u", record(times, new Map(), { inputs: { u: signalFrom(times, values, kind) } }));
}

/** The cubic over a step at s, as an interval. */
function at({ c, r }: { readonly c: Float64Array; readonly r: number }, s: number): I.Interval {
	const x = I.interval(s);
	const value = I.add(c[0], I.mul(x, I.add(c[1], I.mul(x, I.add(c[2], I.mul(x, c[3]))))));
	return I.add(value, I.interval(-r, r));
}

describe("a cubic through samples of a cubic", () => {
	it.each([2, 3, 4, 5, 9])("is that cubic, from %i uneven samples", (n) => {
		const degree = Math.min(n - 1, 3);
		const random = stream(n, "cubic");
		// Quarters are doubles, and so are the cubic's values: nothing is rounded in the samples.
		const times = Float64Array.from({ length: n }, (_, i) => i + Math.floor(4 * random.uniform(i)) / 8);
		const p = (t: number): number =>
			[0.5, -1.25, 0.75, 0.375].reduce((sum, a, k) => sum + (k <= degree ? a * t ** k : 0), 0);
		const enclosed = input("cubic", times, times.map(p));
		for (let i = 0; i + 1 < n; i++)
			for (const [f, g] of [
				[0, 1],
				[0.25, 0.5],
				[0.5, 1],
			]) {
				const from = times[i] + f * (times[i + 1] - times[i]);
				const to = times[i] + g * (times[i + 1] - times[i]);
				for (const s of [0, 0.25, 0.5, 1]) {
					const { lo, hi } = at(enclosed.over(from, to), s);
					const value = p(from + s * (to - from));
					expect(lo).toBeLessThanOrEqual(value);
					expect(hi).toBeGreaterThanOrEqual(value);
					expect(hi - lo).toBeLessThan(1e-11 * (1 + Math.abs(value)) * n);
				}
			}
	});
});

describe.each(["zoh", "linear", "cubic"] as const)("%s", (kind) => {
	it("encloses the signal, late times and ends of the record included", () => {
		const random = stream(5, kind);
		for (const start of [0, -3, 1e6]) {
			const times = Float64Array.from({ length: 12 }, (_, i) => start + 0.3 * i + 0.1 * random.uniform(i));
			const values = times.map((_, i) => random.normal(100 + i));
			const signal = signalFrom(times, values, kind);
			const enclosed = input(kind, times, values);
			for (let k = 0; k < 200; k++) {
				const t = start - 0.5 + (k * 4.5) / 200;
				const { lo, hi } = enclosed.at(t);
				// The signal itself is rounded, and t is taken to be off by a few units in its last place.
				const slack = 1e-13 + Math.abs(t) * 1e-15 * 40;
				expect(lo).toBeLessThanOrEqual(signal.at(t) + 1e-12);
				expect(hi).toBeGreaterThanOrEqual(signal.at(t) - 1e-12);
				expect(hi - lo).toBeLessThan(1e-12 + slack * 100);
			}
		}
	});
});

it("refuses band-limited inputs and says why", () => {
	const times = Float64Array.of(0, 1, 2, 3);
	expect(() => input("sinc", times, Float64Array.of(0, 1, 0, 1))).toThrow(
		/sinc.*cannot be enclosed[\s\S]*input: cubic/,
	);
});
