/** Laws of errors that say they are mixtures of normal ones are these, and what says nothing is told of as approximate. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { families } from "../../../src/estimate/law/families.ts";
import { farOut } from "../../../src/estimate/law/normal-mixture.ts";
import { numbers } from "../../../src/estimate/observe/sample-terms.ts";
import { logSumExp } from "../../../src/num/statistics/log-weights.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes } from "../../methods/bayes/helpers.ts";

const shapes = [0.5, 1, 2, 4, 30, 200];
const laws = Object.entries(families).flatMap(([name, { noise }]) =>
	noise
		? (noise.length > 0 ? shapes : [undefined]).map((shape) => ({
				title: `${name}${shape ?? ""}`,
				law: noise(...(shape === undefined ? [] : [shape])),
			}))
		: [],
);

describe("a mixture of normal errors", () => {
	// Sums at far ends are coarse beside what a single error says there: -13 to -100.
	test.each(laws)("$title", ({ law }) => {
		const mixture = law.mixture();
		if (!mixture) return;
		expect(mixture.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 12);
		for (let e = law.corner ? 0.02 : 0; e * e < farOut; e = 1.5 * e + 0.01) {
			// Sums of numbers that are too small for a double, by their logarithms.
			const logs = mixture.map(
				({ variance, chance }) =>
					Math.log(chance) - (e * e) / variance / 2 - Math.log(2 * Math.PI * variance) / 2,
			);
			expect(Math.abs(logSumExp(logs) - law.logDensity(numbers, e * e))).toBeLessThan(e < 12 ? 0.025 : 1);
		}
	});
});

describe("a law that is none", () => {
	afterEach(() => vi.restoreAllMocks());

	test.each([true, false])("beside noise in the equations is told of (it is one: %s)", async (isOne) => {
		const { noise } = families.laplace;
		if (!isOne)
			vi.spyOn(families.laplace, "noise").mockImplementation(() => ({
				...noise!(),
				mixture: () => undefined,
			}));
		const times = gridTimes(8, 0.4);
		const y = noisy(
			Array.from(times, (t) => 3 * Math.exp(-0.4 * t)),
			0.05,
			2,
		);
		const text =
			"param k ~ lognormal(log(0.5), 0.1)\nstate x = 3\nx' = -k*x + noise(0.05)\nmeasure y ~ laplace(x, 0.05)";
		const problem = problemOf(text, [experimentOf(times, { y })]);
		const { result } = await runBayes(problem, { particles: 8, runs: 1, substeps: 1, netcdf: false });
		const said = result.doubts.find(({ code }) => code === "errors-approximate")!.text;
		expect(said.includes("no mixture of normal ones")).toBe(!isOne);
	});
});
