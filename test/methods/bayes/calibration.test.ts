/**
 * Simulation-based calibration on a linear oscillator: 90 % intervals hold the truth 90 times in a hundred, ranks are
 * uniform. The acceptance rule as printed in the paper must fail the same test. A fixed part of what
 * npm run bench -- calibration  does with many replications.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { linearCalibration } from "../../../bench/linear-calibration.ts";
import { type CalibrationReport, chiSquareTail } from "../../../bench/simulation-based-calibration.ts";
import { movesAsPrinted } from "../../../papers/bayes/printed-acceptance.ts";
import { repetitions } from "../../repetitions.ts";

const replications = repetitions(100, 200);
/** Three standard errors of a share of 0.9. */
const reach = 3 * Math.sqrt((0.9 * 0.1) / replications);

describe.each(["tempering", "ibis"] as const)("%s", (sampler) => {
	let report: CalibrationReport;
	beforeAll(async () => {
		report = await linearCalibration(sampler, replications);
	}, 240_000);
	it("covers the truth as often as it says", () => {
		for (const coverage of report.coverage) expect(Math.abs(coverage - 0.9)).toBeLessThan(reach);
	});
	it("ranks the truth uniformly", () => {
		for (const p of report.pValue) expect(p).toBeGreaterThan(0.01);
	});
	it("fails with the acceptance rule as printed in the paper", async () => {
		const { coverage, pValue } = await linearCalibration(sampler, 100, movesAsPrinted);
		expect(Math.max(...coverage)).toBeLessThan(0.9 - reach);
		expect(Math.min(...pValue)).toBeLessThan(1e-3);
	}, 120_000);
});

describe("the χ² tail", () => {
	it("has the quantiles of the tables", () => {
		expect(chiSquareTail(30.1435, 19)).toBeCloseTo(0.05, 5);
		expect(chiSquareTail(10.117, 19)).toBeCloseTo(0.95, 5);
		expect(chiSquareTail(3.841459, 1)).toBeCloseTo(0.05, 6);
		expect(chiSquareTail(0, 4)).toBe(1);
	});
});
