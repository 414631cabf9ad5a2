/**
 * The 95 % band of the simulation holds the truth as often as it says, also where the field is no polynomial. A few seeds of
 * what  npm run bench -- kriging  tells of many; the six of  npm run bench -- repetitions  bound the mean, too.
 */
import { expect, test } from "vitest";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { repetitions, rootMeanSquareBounds } from "../../repetitions.ts";
import { coverages } from "./coverage.ts";
import { fitzHughNagumo, lotkaVolterra, pendulum } from "./problems.ts";

const options = defaultOptions(krigingOptions);
const seeds = repetitions(2, 6) as 2 | 6;
/** 99.5 % of Student's law with seeds - 1 degrees of freedom. */
const student = { 2: 63.66, 6: 4.03 }[seeds];
/** Errors along a path hang together, and a run has one at least. */
const [least, most] = rootMeanSquareBounds(seeds);

test.each([
	["pendulum", pendulum, { n: 60, step: 0.3, end: 120, sd: 0.02 }],
	["FitzHugh–Nagumo", fitzHughNagumo, { n: 50, step: 0.5, end: 90, sd: 0.02 }],
	["Lotka–Volterra", lotkaVolterra, { n: 40, step: 0.5, end: 120, sd: 0.01 }],
] as const)(
	"the band along the simulated path is as wide as it should be: %s",
	{ timeout: 600_000 },
	async (_, truth, task) => {
		const { shares, squares, bounded } = await coverages(truth, task, options, seeds);
		expect(bounded).toBe(1);
		// One run is covered nearly everywhere or it is not: runs are the unit, and their spread is that of the mean.
		const mean = shares.reduce((sum, share) => sum + share, 0) / seeds;
		const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (seeds - 1);
		// Shares of all or nothing would spread by .22; more means that the band fails in whole runs.
		expect(Math.sqrt(variance)).toBeLessThan(Math.sqrt(0.95 * 0.05));
		expect(mean + student * Math.sqrt(variance / seeds)).toBeGreaterThanOrEqual(0.93);
		const square = squares.reduce((sum, each) => sum + each, 0) / seeds;
		expect(Math.sqrt(square)).toBeGreaterThan(least);
		expect(Math.sqrt(square)).toBeLessThan(most);
	},
);
