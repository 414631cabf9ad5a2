/** Errors of the most probable point: samples have errors of the size that residuals show, a prior those that it says. */
import { describe, expect, test } from "vitest";
import { stream } from "../../../src/num/random.ts";
import { studentQuantile975 } from "../../../src/num/statistics/quantile.ts";
import { repeated } from "../../repetitions.ts";
import { modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const times = regularTimes(40, 0.1);
const priors = { priors: true, starts: 1, candidates: 1 } as const;

/** A constant a, drawn from normal(2, width), measured with errors of `noise` where 0.5 is declared. */
async function constant(width: number, noise: number, seed: number, options: object = {}) {
	const model = modelOf(`param a ~ normal(2, ${width})\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, 0.5)`);
	const truth = 2 + width * stream(seed, "truth").normal(0);
	const train = [simulateRecord({ model, values: { a: truth }, x0: [1], times, noise: { y: noise }, seed })];
	const { parameters } = await runFit({ model, train, options: { ...priors, ...options } });
	return { truth, y: [...train[0].outputs.get("y")!.values], row: parameters[0] };
}

describe("standard errors under priors", () => {
	test.each([
		[0.01, 2],
		[0.1, 2],
		[0.1, 0.1],
		[10, 2],
	])("a prior as wide as %d, errors of %d: what was drawn, in closed form", async (width, noise) => {
		const { y, row } = await constant(width, noise, 1);
		const [w, p] = [y.length / 0.25, 1 / width ** 2];
		const squares = y.reduce((sum, value) => sum + ((value - row.estimate) / 0.5) ** 2, 0);
		const size = squares / (y.length - 1);
		const sd = Math.sqrt(size * w + p) / (w + p);
		expect(row.sd! / sd).toBeCloseTo(1, 5);
		const half = studentQuantile975(y.length - 1) * sd;
		expect((row.hi! - row.lo!) / (2 * half)).toBeCloseTo(1, 2);
		expect(row.lo!).toBeLessThan(row.estimate);
	});

	test.each(repeated([0.125, 2], [0.125, 0.5, 2]))(
		"errors of %d where 0.5 is declared: intervals hold what the prior drew",
		async (noise) => {
			const [count] = repeated([60], [400]);
			let held = 0;
			for (let seed = 1; seed <= count; seed++) {
				const { truth, row } = await constant(0.08, noise, 5000 + seed, { profile: false });
				if (truth >= row.lo! && truth <= row.hi!) held++;
			}
			// Four standard deviations of a binomial share.
			expect(Math.abs(held / count - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / count));
		},
	);

	test("a spread under a prior of its own: the curvature of the posterior", async () => {
		const model = modelOf(
			"param a ~ normal(2, 0.1), s ~ lognormal(-3, 0.1)\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, s)",
		);
		const train = [
			simulateRecord({ model, values: { a: 2, s: 1 }, x0: [1], times, noise: { y: 0.1 }, seed: 1 }),
		];
		const { parameters } = await runFit({ model, train, options: priors });
		const [a, s] = parameters;
		const [w, p] = [times.length / s.estimate ** 2, 1 / 0.01];
		expect(a.sd! * Math.sqrt(w + p)).toBeCloseTo(1, 4);
		// Of log s: 2n of the samples by Fisher's information, 100 of the prior.
		expect((s.sd! / s.estimate) * Math.sqrt(2 * times.length + 100)).toBeCloseTo(1, 3);
	});
});
