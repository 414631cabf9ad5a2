/** What the outputs cannot tell: one test, and the same words in every method. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { namedGroups, oneSided, openDoubts, openSides } from "../../../src/estimate/judge/identifiability.ts";
import { covarianceOf } from "../../../src/estimate/least-squares/covariance.ts";
import { isOpen, nullSpace, openGroups, openSteps } from "../../../src/estimate/least-squares/null-space.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { doubtOf } from "./one-record.ts";
import { askSwing, swing } from "./swing.ts";

/** Of random columns a, b, c, d: a, b, c, 3b, d, c - 2d and nothing, each in a unit of its own. */
function jacobianIn(units: readonly number[]): Float64Array {
	const random = stream(3, "open");
	return Float64Array.from(
		Array.from({ length: 30 }, (_, i) => {
			const [a, b, c, d] = [0, 1, 2, 3].map((k) => random.normal(4 * i + k));
			return [a, b, c, 3 * b, d, c - 2 * d, 0].map((value, j) => value * units[j]);
		}).flat(),
	);
}

describe("open directions", () => {
	test.each([[[1, 1, 1, 1, 1, 1, 1]], [[1e9, 1e-9, 1, 1e6, 1e-3, 1e4, 1]]])(
		"are the same in all units: %o",
		(units) => {
			const seen = nullSpace(jacobianIn(units), 7);
			expect(seen.rank).toBe(4);
			expect(openGroups(seen.open)).toEqual([
				{ members: [1, 3], ways: 1 },
				{ members: [2, 4, 5], ways: 1 },
				{ members: [6], ways: 1 },
			]);
			expect([0, 1, 2, 3, 4, 5, 6].map((i) => isOpen(seen.open, i))).toEqual([
				false,
				true,
				true,
				true,
				true,
				true,
				true,
			]);
			// Moving along one changes no row by more than rounding.
			const jacobian = jacobianIn(units);
			for (const step of openSteps(seen))
				for (let i = 0; i < 30; i++) {
					const parts = Array.from(step, (value, j) => value * jacobian[7 * i + j]);
					const size = Math.max(...parts.map(Math.abs));
					expect(Math.abs(parts.reduce((sum, value) => sum + value, 0))).toBeLessThanOrEqual(1e-12 * size);
				}
			// What is not open has its covariance in its own unit.
			expect(covarianceOf(jacobian, 7).sd[0] * units[0]).toBeCloseTo(
				covarianceOf(jacobianIn([1, 1, 1, 1, 1, 1, 1]), 7).sd[0],
				10,
			);
		},
	);

	test("a direction that is seen a thousand times better than sensitivities are wrong is not open", () => {
		const random = stream(1, "nearly");
		const rows = Array.from({ length: 50 }, (_, i) => {
			const [a, b] = [random.normal(2 * i), random.normal(2 * i + 1)];
			return [a, a + 3e-4 * b];
		});
		expect(nullSpace(Float64Array.from(rows.flat()), 2).rank).toBe(2);
		const closer = rows.map(([a, b]) => [a, a + 1e-4 * (b - a)]);
		expect(nullSpace(Float64Array.from(closer.flat()), 2).rank).toBe(1);
	});

	test("groups that have nothing to do with one another are named each, what acts on nothing by itself", () => {
		const { open } = nullSpace(jacobianIn([1, 1, 1, 1, 1, 1, 1]), 7);
		const doubts = openDoubts(namedGroups(openGroups(open), (i) => "abcdefg"[i]));
		expect(doubts.map(({ title }) => title)).toEqual([
			"2 groups of unknowns can only be found together",
			"g has no effect on any output",
		]);
		expect(doubts[0].text).toContain("(b and d); (c, e and f)");
	});
});

describe("a product of two parameters", () => {
	const texts = {
		fit: "param a in [0.1, 10], b in [0.1, 10]\nstate x = 2\nx' = -a*b*x\nmeasure y ~ normal(x, 0.02)",
		bayes:
			"param a ~ lognormal(0, 0.5), b ~ lognormal(0, 0.5)\nstate x = 2\nx' = -a*b*x\nmeasure y ~ normal(x, 0.02)",
		inversion: "param a, b\nstate x = 2\nx' = -a*b*x\nmeasure y ~ normal(x, 0.02)",
	} as const;
	const options: Record<string, Record<string, unknown>> = {
		bayes: { particles: 200, runs: 1, netcdf: false },
		inversion: { stability: 0, starts: 0, profile: false },
	};
	const random = stream(5, "product");
	const t = Array.from({ length: 41 }, (_, i) => 0.1 * i);
	const y = t.map((time, i) => 2 * Math.exp(-0.8 * time) + 0.02 * random.normal(i));

	test.each(["fit", "bayes", "inversion"] as const)(
		"%s says that only both together are found",
		async (method) => {
			const result = await run(parseModel(texts[method], "product.ode"), record({ t, y }), {
				method,
				options: options[method] ?? {},
				seed: 1,
			});
			const found = result.doubts.find(({ code }) => code === "unidentifiable");
			expect(found?.title).toBe("a and b can only be found together");
			expect(found?.text).toMatch(
				/^Moving them together leaves every output as it is: one combination of them is determined, no more\. /,
			);
			// A prior tells what the data do not: then it is no grave matter.
			expect(found?.grave).toBe(method !== "bayes");
			expect(result.parameters.map(({ verdict }) => verdict)).toEqual([
				"structurally unidentifiable",
				"structurally unidentifiable",
			]);
		},
	);

	test("periodic says so of a swing, and fit of the same record", async () => {
		const noisy = swing.map((value, i) => value + 0.02 * random.normal(1000 + i));
		for (const method of ["periodic", "fit"] as const) {
			const params = method === "fit" ? "param a in [0.1, 10], b in [0.1, 10]" : "param a, b";
			const result = await askSwing(method, params, noisy, "a*b");
			expect(doubtOf(result, "unidentifiable")).toMatchObject({
				title: "a and b can only be found together",
				text: expect.stringMatching(/^Moving them together leaves every output as it is: one combination/),
				grave: true,
			});
			for (const name of ["a", "b"])
				expect(result.parameters.find((row) => row.name === name)!.verdict).toBe(
					"structurally unidentifiable",
				);
		}
	});

	test("kriging says so of a factor and the trend of its function", async () => {
		const text =
			"param c\nunknown f(x) ~ kriging(trend: 1)\nstate x\nx' = c*f(x)\nmeasure y ~ normal(x, 0.02)";
		const result = await run(parseModel(text, "factor.ode"), record({ t, y }), {
			method: "kriging",
			seed: 1,
		});
		const found = doubtOf(result, "unidentifiable");
		expect(found?.title).toBe("c and the trends of the functions can only be found together");
		expect(found?.text).toMatch(/^Moving them together leaves every output as it is: one combination/);
	});
});

describe("sides on which a posterior ends only where its prior does", () => {
	const n = 4000;
	/** Places of draws in the mass of a uniform prior, by the quantile function of the posterior. */
	const draws = (quantile: (p: number) => number): Float64Array => {
		const random = stream(11, "sides");
		return Float64Array.from({ length: n }, (_, b) => quantile(random.uniform(b)));
	};

	test("a posterior like its prior has two, one that data hold has none", () => {
		expect(openSides(draws((p) => p))).toEqual({ up: true, down: true });
		expect(oneSided(draws((p) => p))).toBeUndefined();
		expect(openSides(draws((p) => 0.4 + 0.2 * p))).toEqual({ up: false, down: false });
	});

	test("a likelihood that is flat from somewhere on leaves that side open, one that falls to a tenth does not", () => {
		expect(oneSided(draws((p) => 0.6 + 0.4 * p))).toBe("bounded from below only");
		expect(oneSided(draws((p) => 0.3 * p))).toBe("bounded from above only");
		// exp(-rate u) from 0.6 to 1.
		const falling = (to: number) => draws((p) => 0.6 - (0.4 * Math.log(1 - p * (1 - to))) / -Math.log(to));
		expect(oneSided(falling(0.1))).toBeUndefined();
		expect(oneSided(falling(0.8))).toBe("bounded from below only");
	});

	test("a narrow posterior near the end of its prior is held by the data", () => {
		expect(openSides(draws((p) => 0.93 + 0.06 * p))).toEqual({ up: false, down: false });
	});
});
