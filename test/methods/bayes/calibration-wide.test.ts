/** The tempered cloud is as wide as the posterior: some replications of what  npm run bench -- calibration  does with many. */
import { describe, expect, it } from "vitest";
import { cheapOnes, cloudSizes, wideBounds, wideCalibration } from "../../../bench/wide-calibration.ts";
import { repetitions } from "../../repetitions.ts";

const replications = repetitions(80, 200);
const most = wideBounds(replications);

describe.each(cheapOnes)("from a cheap likelihood that is %s", (_, r, off) => {
	it.each(cloudSizes)("%i particles cover the truth and are as wide as the posterior", async (n) => {
		const { coverage, pValue, ratios } = await wideCalibration(n, r, off, replications);
		for (const share of coverage) expect(Math.abs(share - 0.9)).toBeLessThan(most.coverage);
		for (const p of pValue) expect(p).toBeGreaterThan(most.pValue);
		for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(most.ratio);
		expect([coverage.length, pValue.length, ratios.length]).toEqual([3, 3, 3]);
	});
});
