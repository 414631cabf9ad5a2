/** The truth is kept for models that nobody thought of: random expressions, inputs of every kind, coarse and fine settings. */
import { describe, expect, it } from "vitest";
import type { GuaranteedOptions } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import { repetitions } from "../../repetitions.ts";
import fixtures from "./fixtures.json" with { type: "json" };
import { keepsTruth, provedByBrackets, provedByTaylorModels } from "./keeps-truth.ts";
import type { RandomModel } from "./random-models.ts";

/** A slice of what  npm run bench -- guaranteed-truth  does with many. */
async function provedAmong(
	first: number,
	count: number,
	proved: (seed: number) => Promise<boolean>,
): Promise<number> {
	let sum = 0;
	for (let seed = first; seed < first + count; seed++) if (await proved(seed)) sum++;
	return sum;
}

describe("random models", () => {
	const count = repetitions(8, 40);
	it(`keeps the truth of ${count} with Taylor models`, { timeout: 600_000 }, async () => {
		expect(await provedAmong(38, count, provedByTaylorModels)).toBeGreaterThan(0.62 * count);
	});
	it("keeps the truth of 6 with brackets", { timeout: 600_000 }, async () => {
		expect(await provedAmong(1000, 6, provedByBrackets)).toBeGreaterThan(2);
	});
});

describe("cases that once lost the truth", () => {
	it.each(fixtures)("$name", async ({ text, truth, values, x0, times, delta, unknowns, options }) => {
		const model: RandomModel = {
			text,
			truth,
			values,
			x0,
			times: Float64Array.from(times),
			inputs: {},
			delta,
			unknowns,
			drifted: () => truth,
			draw: (lo = 0, hi = 1) => (lo + hi) / 2,
		};
		expect(await keepsTruth(model, options as Partial<GuaranteedOptions>, "fixture")).toBeDefined();
	});
});
