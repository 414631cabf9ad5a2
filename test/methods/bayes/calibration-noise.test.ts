/** A fixed part of what  npm run bench -- calibration  does with 200 replications for each kind of noise. */
import { expect, test } from "vitest";
import { noiseCalibration, noiseProblems } from "../../../bench/noise-calibration.ts";
import { repetitions } from "../../repetitions.ts";

const replications = repetitions(16, 40);
/** Three and a half standard errors of a share of 0.9: one of fourteen unknowns leaves it by chance once in 150 seeds. */
const reach = 3.5 * Math.sqrt((0.9 * 0.1) / replications);

test.each(Object.keys(noiseProblems))("%s: intervals hold the truth as often as they say", async (name) => {
	const { coverage, pValue } = await noiseCalibration(name, replications);
	for (const share of coverage) expect(Math.abs(share - 0.9)).toBeLessThan(reach);
	for (const p of pValue) expect(p).toBeGreaterThan(1e-3);
});
