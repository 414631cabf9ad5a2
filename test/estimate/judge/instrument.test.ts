/** Faults of instruments in residuals: named where they are, and no more false alarms than the level. */
import { describe, expect, test } from "vitest";
import { instrumentDoubt, instrumentFault } from "../../../src/estimate/judge/instrument.ts";
import { level, predictedBy, type ResidualSeries, withTaken } from "../../../src/estimate/judge/series.ts";
import { stream } from "../../../src/num/random.ts";
import { directions } from "./simulated.ts";

const n = 60;
const times = Float64Array.from({ length: n }, (_, i) => 0.2 * i);
const sd = new Float64Array(n).fill(0.1);
/** A decay with a swing: what a model says of output k. */
const curve = (k: number) => times.map((t) => (1 + k) * Math.exp(-0.1 * t) * Math.cos(t + k));
const slope = (k: number) =>
	times.map((t) => (1 + k) * Math.exp(-0.1 * t) * (-0.1 * Math.cos(t + k) - Math.sin(t + k)));

interface Wrong {
	/** In units of the output. */
	readonly add?: (t: number, k: number, i: number) => number;
	readonly outputs?: number;
	readonly shape?: "slow" | "swinging" | "rough";
}

/** Residuals of outputs whose fit has taken four directions out, as each method tells them. */
function fitted(seed: number, { add = () => 0, outputs = 2, shape = "slow" }: Wrong = {}): ResidualSeries[] {
	const random = stream(seed, "instrument");
	const count = n * outputs;
	const columns = directions(count, { shape, p: 4, n, random });
	const values = Float64Array.from({ length: count }, (_, at) => {
		const [k, i] = [Math.floor(at / n), at % n];
		return random.normal(at) + add(times[i], k, i) / sd[i];
	});
	for (const column of columns) {
		const share = values.reduce((sum, value, i) => sum + value * column[i], 0);
		for (let i = 0; i < count; i++) values[i] -= share * column[i];
	}
	return withTaken(
		Array.from({ length: outputs }, (_, k) => ({
			experiment: "record",
			output: `y${k}`,
			t: times,
			observed: curve(k),
			residual: values.slice(k * n, (k + 1) * n),
			noise: "declared" as const,
			predicted: predictedBy({ t: times, y: curve(k) }, times, sd, false),
			along: Float64Array.from({ length: n * columns.length }, (_, at) => {
				const [i, j] = [Math.floor(at / columns.length), at % columns.length];
				return columns[j][k * n + i];
			}),
		})),
	);
}

describe("sound residuals", () => {
	test.each(["slow", "swinging", "rough"] as const)(
		"%s sensitivities: no more alarms than the level",
		(shape) => {
			let alarms = 0;
			for (let seed = 0; seed < 1500; seed++) if (instrumentFault(fitted(seed, { shape }), 4)) alarms++;
			// Of 1500 with a chance of 0.001: seven or more once in a thousand times.
			expect(level).toBe(0.001);
			expect(alarms).toBeLessThan(7);
		},
	);
});

describe("what is wrong is named", () => {
	const late = 0.12;
	test.each([
		[
			"a clock of one output",
			(_t: number, k: number, i: number) => (k === 1 && i > 0 ? late * slope(1)[i] : 0),
			"clock",
			["y1"],
			late,
		],
		[
			"the clock of all",
			(_t: number, k: number, i: number) => (i > 0 ? -late * slope(k)[i] : 0),
			"clock",
			["y0", "y1"],
			-late,
		],
		["a drift", (t: number, k: number) => (k === 0 ? 0.03 * t : 0), "drift", ["y0"], 0.03],
		["a gain", (_t: number, k: number, i: number) => (k === 1 ? 0.6 * curve(1)[i] : 0), "gain", ["y1"], 0.6],
		["an offset", (_t: number, k: number) => (k === 0 ? -0.15 : 0), "offset", ["y0"], -0.15],
	] as const)("%s", (_name, add, kind, outputs, size) => {
		const found = [1, 2, 3, 4, 5].map((seed) => instrumentFault(fitted(seed, { add, shape: "rough" }), 4));
		for (const fault of found) {
			expect(fault?.kind).toBe(kind);
			expect(fault?.outputs).toEqual(outputs);
			expect(Math.abs(fault!.size / size - 1)).toBeLessThan(0.5);
			expect(fault!.isAll).toBe(true);
		}
	});

	test("a fault beside another is not all that there is", () => {
		const add = (t: number, k: number, i: number): number =>
			(k === 0 ? 0.05 * t : 0) + (k === 1 ? 0.3 * Math.sin(3 * times[i]) : 0);
		const fault = instrumentFault(fitted(1, { add, shape: "rough" }), 4)!;
		expect(fault.isAll).toBe(false);
		const [said] = instrumentDoubt(fault);
		expect(said.code).toBe("lack-of-fit");
		expect(said.title).toMatch(/^The residuals of y. follow /);
	});

	test("in words, with what to do", () => {
		const add = (t: number, k: number): number => (k === 0 ? -0.04 * t : 0);
		const [said] = instrumentDoubt(instrumentFault(fitted(1, { add, shape: "rough" }), 4));
		expect(said.title).toMatch(/^The residuals of y0 are as if y0 drifted down by 0\.0\d+ per unit of time$/);
		expect(said.text).toContain("measure y0 ~ normal(x + drift*t, 0.1)");
		expect(said.grave).toBe(true);
		expect(said.outputs).toEqual(["y0"]);
	});
});

test("what the unknowns can do themselves is not asked: an offset among them", () => {
	const one = fitted(1, { outputs: 1 })[0];
	const flat = new Float64Array(n).fill(1 / Math.sqrt(n));
	const mean = one.residual.reduce((a, b) => a + b, 0) / n;
	const series = withTaken([{ ...one, residual: one.residual.map((r) => r - mean + 3), along: flat }]);
	expect(instrumentFault(series, 1)?.kind).not.toBe("offset");
});

test("what moves no estimate by as much as matters is not said", () => {
	const add = (_t: number, k: number, i: number): number => (k === 1 ? 0.2 * curve(1)[i] : 0);
	expect(instrumentFault(fitted(1, { add, shape: "rough" }), 4)).toBeUndefined();
	expect(instrumentFault(fitted(3, { add, shape: "rough" }), 4)?.bias).toBeGreaterThan(0.66);
});

test("nothing is said where it is not known what fitting took out", () => {
	const add = (t: number): number => 0.5 * t;
	const series = fitted(1, { add }).map(({ taken: _, ...each }) => each);
	expect(instrumentFault(series, 4)).toBeUndefined();
});

test("a curve's slope is that of parabolas, at its ends too", () => {
	const t = Float64Array.from([0, 0.3, 1, 1.1, 2]);
	const y = t.map((s) => 2 + 3 * s - s * s);
	const { slope: found, perUnit } = predictedBy(
		{ t, y },
		t,
		t.map(() => 0.5),
		false,
	)!;
	found.forEach((value, i) => {
		expect(value).toBeCloseTo(3 - 2 * t[i], 10);
	});
	expect(Array.from(perUnit)).toEqual([2, 2, 2, 2, 2]);
	expect(predictedBy({ t, y }, [0.5], [1], false)).toBeUndefined();
});
