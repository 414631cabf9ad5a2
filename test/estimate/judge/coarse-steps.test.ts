/** Steps that are too long: the same measure, the same words in every method that integrates. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { coarseDoubt, lengthOf } from "../../../src/estimate/judge/coarse-steps.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

test("what moves no estimate by as much as matters is not said; more is, and much more is grave", () => {
	// 100 samples, each moved by a twentieth of its noise: half a standard error at most.
	expect(coarseDoubt(lengthOf(0.05, 100), 2)).toEqual([]);
	expect(coarseDoubt(lengthOf(0.1, 100), 2)).toMatchObject([{ code: "coarse-steps", grave: false }]);
	expect(coarseDoubt(lengthOf(0.3, 100), 1)).toMatchObject([
		{ title: "1 integration step a sample is too few", grave: true },
	]);
	expect(coarseDoubt(Number.POSITIVE_INFINITY, 1)[0].text).toContain("without bound");
});

test("an error along an estimate's own direction moves it by as many standard errors, no other moves it by more", () => {
	// y = a s + noise of 1: the estimate of a has the error 1/|s|, and moves by s·d/|s|² with d.
	const random = stream(1, "directions");
	const s = Array.from({ length: 40 }, (_, i) => random.normal(i));
	const norm = Math.sqrt(s.reduce((sum, value) => sum + value * value, 0));
	const movedBy = (d: readonly number[]): number =>
		Math.abs(s.reduce((sum, value, i) => sum + value * d[i], 0) / norm);
	const along = s.map((value) => (0.7 * value) / norm);
	const rms = (d: readonly number[]): number => Math.sqrt(d.reduce((sum, v) => sum + v * v, 0) / d.length);
	expect(movedBy(along)).toBeCloseTo(lengthOf(rms(along), 40), 12);
	for (let k = 1; k < 50; k++) {
		const d = s.map((_, i) => random.normal(40 * k + i));
		expect(movedBy(d)).toBeLessThanOrEqual(lengthOf(rms(d), 40));
	}
});

describe("a swing that is sampled seven times a turn, in one step a sample", () => {
	const random = stream(9, "swing");
	const t = Array.from({ length: 60 }, (_, i) => 0.3 * i);
	const y = t.map((time, i) => 2 * Math.cos(3 * time) + 0.02 * random.normal(i));
	const equations = "state x = 2, v = 0\nx' = v\nv' = -k*x\nmeasure y ~ normal(x, 0.02)";
	const texts = {
		fit: `param k in [8, 10]\n${equations}`,
		bayes: `param k ~ lognormal(log(9), 0.02)\n${equations}`,
		inversion: `unknown f(x) = polynomial(1)\n${equations.replace("-k*x", "f(x)")}`,
	} as const;
	const options = {
		fit: {},
		bayes: { particles: 200, runs: 1, netcdf: false },
		inversion: { stability: 0, starts: 0, profile: false },
	} as const;

	test.each(["fit", "bayes", "inversion"] as const)("%s says that these are too few", async (method) => {
		const doubtWith = async (own: { readonly substeps?: number }) => {
			const result = await run(parseModel(texts[method], "swing.ode"), record({ t, y }), {
				method,
				options: { ...options[method], ...own },
				seed: 1,
			});
			return result.doubts.find(({ code }) => code === "coarse-steps");
		};
		const found = await doubtWith({ substeps: 1 });
		expect(found).toMatchObject({ title: "1 integration step a sample is too few", grave: true });
		expect(found?.text).toMatch(
			/^Shorter ones move the prediction (by [\d.e+]+ standard deviations|without bound), taken over all samples/,
		);
		expect(await doubtWith({})).toBeUndefined();
	});
});
