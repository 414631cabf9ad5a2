import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { partsOf, residualsOf, rmseByOutput, rootMeanSquare } from "../../src/estimate/predict/residuals.ts";
import type { Prediction, Result } from "../../src/estimate/result.ts";
import { stream } from "../../src/num/random.ts";
import { autocorrelation } from "../../src/num/statistics/autocorrelation.ts";
import { rmseSentences } from "../../src/report/page.ts";
import { trajectoryCsv } from "../../src/study/simulate/trajectory-csv.ts";
import { summaryOf } from "../../src/study/summary.ts";

const f64 = (...values: number[]): Float64Array => Float64Array.from(values);
const prediction = (more: Partial<Prediction> = {}): Prediction => ({
	experiment: "a.csv",
	output: "y",
	part: "train",
	t: f64(0, 1, 2, 3),
	y: f64(0, 10, 20, 30),
	data: { t: f64(0, 2, 3), y: f64(1, 18, 32) },
	...more,
});

describe("residuals", () => {
	it("are measured minus predicted at the measured times", () => {
		expect(residualsOf(prediction())).toEqual({ t: f64(0, 2, 3), r: f64(1, -2, 2) });
		expect(residualsOf(prediction({ data: undefined }))).toBeUndefined();
	});
	it("use the line between neighbours where a time is missing, and are NaN outside", () => {
		const { r } = residualsOf(prediction({ data: { t: f64(-1, 0.5, 9), y: f64(0, 6, 0) } }))!;
		expect([...r]).toEqual([Number.NaN, 1, Number.NaN]);
	});
	it("make one RMSE for each output over all experiments of a part", () => {
		const both = [
			prediction(),
			prediction({ experiment: "b.csv", data: { t: f64(1), y: f64(13) } }),
			prediction({ part: "test" }),
		];
		expect(rmseByOutput(both, "train").y).toBeCloseTo(Math.sqrt((1 + 4 + 4 + 9) / 4), 12);
		expect(rmseByOutput(both, "test").y).toBeCloseTo(Math.sqrt(3), 12);
		expect(rmseByOutput([], "test")).toEqual({});
	});
	it("say of how many samples they are, where some were not predicted", () => {
		const part = prediction({ t: f64(0, 1), y: f64(0, 10), data: { t: f64(0, 2, 3), y: f64(1, 18, NaN) } });
		const result = { predictions: [part], summary: {} };
		expect(partsOf(result).train).toEqual({ rmse: { y: 1 }, partial: { y: { samples: 1, of: 2 } } });
		expect(partsOf({ ...result, predictions: [prediction()] }).train).not.toHaveProperty("partial");
		expect(rmseSentences(result, { y: 0.5 })).toEqual([
			"Training record: RMSE 1.00 over 1 of 2 samples (the declared noise is 0.500)",
		]);
	});
	it("count a prediction that ran away as infinite, not as missing", () => {
		expect(rootMeanSquare([{ t: f64(0, 1), r: f64(1, -Infinity) }])).toBe(Infinity);
	});
	it("of noise are uncorrelated, of a slow wave are not", () => {
		const random = stream(2, "acf");
		const noise = Float64Array.from({ length: 5000 }, (_, i) => random.normal(i));
		const ofNoise = autocorrelation(noise, 20);
		expect(ofNoise[0]).toBe(1);
		for (const value of ofNoise.slice(1)) expect(Math.abs(value)).toBeLessThan(0.05);
		const wave = autocorrelation(
			noise.map((_, i) => Math.sin(i / 50)),
			20,
		);
		expect(wave[1]).toBeGreaterThan(0.99);
		// A hole takes its pairs away, and moves nothing else.
		const holes = noise.slice();
		for (const i of [7, 300, 4999]) holes[i] = Number.NaN;
		expect(Math.abs(autocorrelation(holes, 1)[1] - ofNoise[1])).toBeLessThan(5e-3);
		expect([...autocorrelation(f64(1, Number.NaN, -1, 1, -1), 1)]).toEqual([1, -0.5]);
		expect(autocorrelation(f64(), 5)).toHaveLength(1);
		expect([...autocorrelation(f64(2, 2, 2), 1)]).toEqual([Number.NaN, Number.NaN]);
	});
});

describe("trajectory.csv", () => {
	it("has a row for each time of each experiment, empty where there is nothing", () => {
		const text = trajectoryCsv([
			prediction({ lo: f64(-1, 9, 19, 29), hi: f64(1, 11, 21, 31) }),
			prediction({ output: "v", t: f64(0, 3), y: f64(5, Number.NaN), data: undefined }),
			prediction({ experiment: 'b "x", 2', part: "test" }),
		]);
		expect(text.split("\n")).toEqual([
			"t,y,y.lo,y.hi,y.data,v,experiment,part",
			"0,0,-1,1,1,5,a.csv,train",
			"1,10,9,11,,,a.csv,train",
			"2,20,19,21,18,,a.csv,train",
			"3,30,29,31,32,,a.csv,train",
			'0,0,,,1,,"b ""x"", 2",test',
			'1,10,,,,,"b ""x"", 2",test',
			'2,20,,,18,,"b ""x"", 2",test',
			'3,30,,,32,,"b ""x"", 2",test',
			"",
		]);
	});
	it("can be read as a record", () => {
		const table = readCsv(new TextEncoder().encode(trajectoryCsv([prediction()])), "trajectory.csv");
		expect(table.columns.map(({ name }) => name)).toEqual(["t", "y", "y.data"]);
		expect([...table.columns[1].values]).toEqual([0, 10, 20, 30]);
	});
});

describe("summary.json", () => {
	const result = {
		method: "fit",
		outcome: "converged",
		message: "Done.",
		predictions: [prediction()],
		doubts: [{ code: "c", title: "a", text: "b", grave: false }],
		notes: [{ code: "n", title: "d", text: "e" }],
		summary: { parameters: { k: { estimate: 1, lo: 0, hi: Infinity } }, iterations: 3 },
	} as unknown as Result;
	it("has the common part, then the method's own", () => {
		expect(summaryOf(result, { seed: 4, version: "1.2.3", seconds: 0.123456, nSamples: 3 })).toEqual({
			method: "fit",
			outcome: "converged",
			message: "Done.",
			seed: 4,
			version: "1.2.3",
			seconds: 0.1235,
			nSamples: 3,
			train: { rmse: { y: Math.sqrt(3) } },
			test: { rmse: {} },
			doubts: [{ code: "c", title: "a", text: "b", grave: false }],
			notes: [{ code: "n", title: "d", text: "e" }],
			parameters: { k: { estimate: 1, lo: 0, hi: null } },
			iterations: 3,
		});
	});
	it("lets a method say more of the test than the plain error", () => {
		const over = { y: { mean: 1, min: 0, max: 2 } };
		const own = { ...result, summary: { test: { rmseOver: over } } };
		expect(summaryOf(own, { seed: 1, version: "", seconds: 0, nSamples: 0 }).test).toEqual({
			rmse: {},
			rmseOver: over,
		});
	});
});
