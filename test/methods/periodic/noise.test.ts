/** Noise, irregular samples, and the period among the unknowns: errors are as large as they are said to be. */
import { describe, expect, it } from "vitest";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { periodicRecord } from "../../../src/methods/periodic/record.ts";
import { stream } from "../../../src/num/random.ts";
import { oscillators, problemFor, type RecordSpec } from "./oscillators.ts";

const seeds = 24;
const rootMeanSquare = (values: readonly number[]): number =>
	Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe("the period of a record", () => {
	const { period } = oscillators.morrisLecar;
	const recordOf = (spec: RecordSpec) => {
		const [{ outputs }] = problemFor(oscillators.morrisLecar, {}, spec).train;
		const { times, values } = outputs.get("y")!;
		return periodicRecord(times, values, "record");
	};
	it("is found to rounding from exact samples that are not on its grid", () => {
		const { period: found } = recordOf({ periods: 2.3, samplesPerPeriod: 217.4 });
		expect(Math.abs(found / period - 1)).toBeLessThan(1e-11);
	});
	it("from noisy and irregular samples errs as much as it says", () => {
		const scores = Array.from({ length: seeds }, (_, i) => {
			const { period: found, periodSd } = recordOf({
				noise: 1,
				irregular: true,
				samplesPerPeriod: 120,
				seed: i + 1,
			});
			expect(Math.abs(found / period - 1)).toBeLessThan(2e-3);
			return (found - period) / periodSd;
		});
		expect(rootMeanSquare(scores)).toBeGreaterThan(0.6);
		expect(rootMeanSquare(scores)).toBeLessThan(1.4);
	});
	it("is found under noise as large as half the signal", () => {
		const t = Float64Array.from({ length: 400 }, (_, i) => i * 0.05);
		const errors = stream(3, "noise");
		const y = t.map((time, i) => Math.sin(time) + 0.4 * Math.cos(2 * time) + 0.4 * errors.normal(i));
		const { period: found, periodSd } = periodicRecord(t, y, "record");
		expect(Math.abs(found - 2 * Math.PI) / periodSd).toBeLessThan(4);
	});
	it("is divided where two or three were given as one", () => {
		const t = Float64Array.from({ length: 900 }, (_, i) => i * 0.05);
		const errors = stream(1, "noise");
		const y = t.map((time, i) => Math.sin(time) + 0.3 * Math.cos(2 * time) + 0.05 * errors.normal(i));
		for (const times of [1, 2, 3]) {
			const { period: found } = periodicRecord(t, y, "record", { period: times * 6.25 });
			expect(found).toBeCloseTo(2 * Math.PI, 1);
		}
		expect(() => periodicRecord(t, y, "record", { period: 2.1 })).toThrow(/leave it out|better value/);
	});
	it("is not sought among what made the record: the series of a long one ends where it no longer falls", () => {
		const t = Float64Array.from({ length: 4000 }, (_, i) => i * 0.05);
		let drift = 0;
		const errors = stream(2, "noise");
		const y = t.map((time, i) => {
			drift = 0.99 * drift + 1e-11 * errors.normal(i);
			return 1 / (1.2 + Math.sin(time)) + drift;
		});
		const { series } = periodicRecord(t, y, "record");
		expect(series.harmonics).toBeLessThan(90);
	});
	it("is that of the whole pattern where every second beat differs", () => {
		const t = Float64Array.from({ length: 900 }, (_, i) => i * 0.05);
		const y = t.map((time) => Math.sin(2 * Math.PI * time) + 0.1 * Math.sin(Math.PI * time + 1));
		expect(periodicRecord(t, y, "record").period).toBeCloseTo(2, 8);
	});
});

describe("standard deviations", () => {
	it("hold for Morris–Lecar at 0.1 mV, the period's among them", async () => {
		const { truth, period } = oscillators.morrisLecar;
		const scores = new Map<string, number[]>();
		for (let seed = 1; seed <= seeds; seed++) {
			const start = Object.fromEntries(Object.entries(truth).map(([name, value]) => [name, 1.1 * value]));
			const problem = problemFor(oscillators.morrisLecar, start, { noise: 0.1, seed, samplesPerPeriod: 150 });
			const run = await periodic.prepare(problem, defaultOptions(periodic.options));
			while (!(await periodic.advance(run)).done);
			const { parameters, doubts } = await periodic.result(run);
			expect(doubts.filter(({ grave }) => grave)).toEqual([]);
			for (const { name, estimate, sd } of parameters) {
				const known = name === "period" ? period : truth[name as keyof typeof truth];
				if (known === undefined) continue;
				scores.set(name, [...(scores.get(name) ?? []), (estimate - known) / sd!]);
			}
		}
		for (const [name, each] of scores) {
			expect(rootMeanSquare(each), name).toBeGreaterThan(0.6);
			expect(rootMeanSquare(each), name).toBeLessThan(1.5);
		}
	}, 120_000);
});
