/** Faults of instruments in residuals: named where they are, and no more false alarms than the level. */
import { describe, expect, test } from "vitest";
import {
	instrumentChance,
	instrumentDoubt,
	instrumentFault,
} from "../../../src/estimate/judge/instrument.ts";
import { level, predictedBy, withTaken } from "../../../src/estimate/judge/series.ts";
import { stream } from "../../../src/num/random.ts";
import { allRepetitions } from "../../repetitions.ts";
import { curve, fitted, n, slope, times } from "./instrument-residuals.ts";
import { ask, doubtOf, truth } from "./one-record.ts";

describe("sound residuals", () => {
	const [records, tooMany] = allRepetitions ? [1500, 7] : [400, 4];
	test.each(["slow", "swinging", "rough"] as const)(
		"%s sensitivities: no more alarms than the level",
		(shape) => {
			let alarms = 0;
			for (let seed = 0; seed < records; seed++) if (instrumentFault(fitted(seed, { shape }), 4)) alarms++;
			// Of 1500 with a chance of 0.001: seven or more once in a thousand times; of 400 four or more.
			expect(level).toBe(0.001);
			expect(alarms).toBeLessThan(tooMany);
		},
	);

	test("chances are even, or larger: faults that go together count as so many", () => {
		const chances = Array.from({ length: 400 }, (_, seed) =>
			instrumentChance(fitted(seed, { shape: "rough" }), 4),
		);
		expect(chances).not.toContain(undefined);
		const below = (limit: number): number => chances.filter((chance) => chance! < limit).length;
		// Of 400 with a chance of 0.05: 35 or more once in a thousand times; of 0.5: 231 or more.
		expect(below(0.05)).toBeLessThan(35);
		expect(below(0.5)).toBeLessThan(231);
		expect(below(0.5)).toBeGreaterThan(100);
	});
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

test("fit and bayes name the same fault of a record, and none of a sound one", async () => {
	const random = stream(5, "clock");
	const t = Array.from({ length: 100 }, (_, i) => 0.1 * i);
	const noise = t.map((_, i) => 0.02 * random.normal(i));
	const drifting = t.map((time, i) => truth(time) + 0.03 * time + noise[i]);
	const sound = t.map((time, i) => truth(time) + noise[i]);
	const said: string[] = [];
	for (const method of ["fit", "bayes"] as const) {
		const found = doubtOf(await ask(method, "~ normal(x, 0.02)", t, drifting), "instrument");
		expect(found).toMatchObject({ grave: true, outputs: ["y"] });
		said.push(found!.title);
		expect(doubtOf(await ask(method, "~ normal(x, 0.02)", t, sound), "instrument")).toBeUndefined();
	}
	expect(said[0]).toMatch(/^The residuals of y are as if y drifted up by 0\.0\d+ per unit of time$/);
	expect(said[1]).toBe(said[0]);
});
