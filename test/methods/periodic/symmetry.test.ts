/** Rates that can change places: where they are equal, first order says nothing of their difference. */
import { describe, expect, it } from "vitest";
import type { ParameterRow, Result } from "../../../src/estimate/result.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { repeated } from "../../repetitions.ts";
import { problemFor } from "./oscillators.ts";

const equations =
	"X' = k1/(1 + Z^12) - k2*X\nY' = k3*X - k4*Y\nZ' = k5*Y - k6*Z\nstate X, Y, Z\nmeasure y = Z\n";
const goodwin = {
	text: `param k1 = 3, k2 in [0.01, 3], k3 = 0.5, k4 in [0.01, 3], k5, k6\n${equations}`,
	truth: { k2: 0.3, k4: 0.25, k5: 0.4, k6: 0.35 },
	x0: [0.4278159527, 1.5751085567, 1.8498675187],
	period: 13.3848457233,
	settle: 2000,
};
const spec = { periods: 4.5, samplesPerPeriod: 267, noise: 1e-4 };

async function answerTo(problem: Problem): Promise<Result> {
	const run = await periodic.prepare(problem, defaultOptions(periodic.options));
	while (!(await periodic.advance(run)).done);
	return periodic.result(run);
}
const rowsOf = ({ parameters }: Result): Record<string, ParameterRow> =>
	Object.fromEntries(parameters.map((row) => [row.name, row]));
const rates = (rows: Record<string, ParameterRow>): ParameterRow[] =>
	[rows.k2, rows.k4, rows.k6].sort((a, b) => a.estimate - b.estimate);

describe("Goodwin's oscillator, from equal starts of two of its decay rates", () => {
	it.each(repeated([1], [1, 2, 3]))(
		"leaves the line on which they are equal, noise %i",
		async (seed) => {
			const result = await answerTo(problemFor(goodwin, {}, { ...spec, seed }));
			const rows = rowsOf(result);
			rates(rows).forEach(({ estimate, sd }, i) => {
				const error = Math.abs(estimate - [0.25, 0.3, 0.35][i]);
				expect(error / sd!).toBeLessThan(4);
				expect(sd!).toBeLessThan(0.01);
				expect(sd!).toBeGreaterThan(5e-4);
			});
			expect(Math.abs(rows.k5.estimate - 0.4) / rows.k5.sd!).toBeLessThan(4);
			for (const name of ["k2", "k4", "k6"]) expect(rows[name].verdict).toBe("one of several");
			const said = result.doubts.map(({ title, text }) => `${title}. ${text}`).join();
			expect(said).not.toMatch(/only be found together/);
			expect(said).toMatch(/k2 and k4 exchanged, or with k2 and k6 exchanged, or with k4 and k6 exchanged/);
		},
		180_000,
	);
	it("given starts choose, also between a searched rate and one in closed form", async () => {
		const start = { k2: 0.31, k4: 0.24 };
		const { doubts, assumptions, ...result } = await answerTo(problemFor(goodwin, start, spec));
		expect(doubts).toEqual([]);
		expect(assumptions.join()).toMatch(/k2 and k6 exchanged/);
		const rows = rowsOf({ doubts, assumptions, ...result });
		for (const [name, value] of Object.entries(goodwin.truth))
			expect(Math.abs(rows[name].estimate - value) / rows[name].sd!, name).toBeLessThan(4);
	}, 180_000);
	it("an exact record with all six rates unknown: the three decay rates, no value held that is determined", async () => {
		const text = `param k1, k2, k3, k4, k5, k6\n${equations}`;
		const truth = { ...goodwin.truth, k1: 3, k3: 0.5 };
		const result = await answerTo(problemFor({ ...goodwin, text, truth }, {}, { ...spec, noise: 0 }));
		const rows = rowsOf(result);
		rates(rows).forEach(({ estimate }, i) => {
			expect(estimate).toBeCloseTo([0.25, 0.3, 0.35][i], 7);
		});
		for (const name of ["k1", "k3", "k5"]) expect(rows[name].verdict).toBe("structurally unidentifiable");
		expect(rows.k1.estimate * rows.k3.estimate * rows.k5.estimate).toBeCloseTo(0.6, 6);
	}, 180_000);
	it("rates that are equal: errors come from finite steps, and hold the truth", async () => {
		const truth = { k2: 0.27, k4: 0.27, k5: 0.4, k6: 0.36 };
		const result = await answerTo(problemFor({ ...goodwin, truth }, {}, { ...spec, seed: 5 }));
		const rows = rowsOf(result);
		for (const [name, value] of Object.entries(truth)) {
			const { estimate, sd } = rows[name];
			expect(Math.abs(estimate - value) / sd!, name).toBeLessThan(4);
			expect(sd! / value, name).toBeLessThan(0.2);
		}
		expect(rows.k2.sd!).toBeGreaterThan(1e-3);
	}, 180_000);
});
