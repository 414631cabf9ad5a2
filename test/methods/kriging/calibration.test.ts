/** The 95 % band of the simulation holds the truth as often as it says, also where the field is no polynomial. */
import { expect, test } from "vitest";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { coverageOf } from "./coverage.ts";
import { fitzHughNagumo, lotkaVolterra, pendulum } from "./problems.ts";

const options = defaultOptions(krigingOptions);
const seeds = 16;

test("bands are calibrated: pendulum, FitzHugh–Nagumo, Lotka–Volterra", { timeout: 600_000 }, async () => {
	const shares = [
		await coverageOf(pendulum, { n: 60, step: 0.3, end: 120, sd: 0.02 }, options, seeds),
		await coverageOf(fitzHughNagumo, { n: 50, step: 0.5, end: 90, sd: 0.02 }, options, seeds),
		await coverageOf(lotkaVolterra, { n: 40, step: 0.5, end: 120, sd: 0.01 }, options, seeds),
	];
	// One run is either covered nearly everywhere or it is not, so sixteen runs say little of one system.
	for (const share of shares) expect(share).toBeGreaterThan(0.85);
	const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
	expect(mean).toBeGreaterThanOrEqual(0.93);
	expect(mean).toBeLessThanOrEqual(0.97);
});
