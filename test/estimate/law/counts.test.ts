/** Counts: drawn by `simulate`, found by `fit`, weighed by `bayes`, judged by the same tests, refused where they are not understood. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { estimationOf } from "../../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../../src/estimate/forward/forward-of.ts";
import { negbinomialCounts, poissonCounts } from "../../../src/estimate/law/counts.ts";
import { countQuantile } from "../../../src/estimate/law/law.ts";
import { costs, misfits } from "../../../src/estimate/observe/likelihood.ts";
import { toSearch } from "../../../src/estimate/unknowns/unknowns.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { methods } from "../../../src/methods/registry.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { stream } from "../../../src/num/random.ts";
import { experimentOf } from "../../methods/bayes/helpers.ts";

const laws = { poisson: poissonCounts, negbinomial: negbinomialCounts };
const times = Array.from({ length: 40 }, (_, i) => i / 10);
const decay = (measure: string): ReturnType<typeof model> =>
	model(
		`param a ~ lognormal(log(50), 0.5), k ~ lognormal(0, 0.5)${measure.includes("n)") ? ", n ~ lognormal(log(10), 1)" : ""}\nstate x = 1\nx' = -k*x\nmeasure ${measure}`,
	);

describe.each(Object.entries(laws))("%s", (_, law) => {
	test.each([
		[0.3, 0.5],
		[4, 2],
		[40, 7],
		[3, 1e7],
	])("is a law of mean %s, with size %s", (mean, size) => {
		let [sum, first, second] = [0, 0, 0];
		for (let y = 0; y < 3000; y++) {
			const mass = Math.exp(law.logMass(y, mean, size));
			sum += mass;
			first += y * mass;
			second += y * y * mass;
			if (y < 60) {
				// The incomplete beta function loses digits where its arguments are large.
				const digits = size > 1e6 ? 7 : 10;
				expect(law.below(y, mean, size)).toBeCloseTo(sum, digits);
				expect(law.above(y, mean, size)).toBeCloseTo(1 - sum, digits);
			}
		}
		expect(sum).toBeCloseTo(1, 9);
		expect(first).toBeCloseTo(mean, 6);
		expect(second - first * first).toBeCloseTo(law.variance(mean, size), 4);
	});

	test("slopes are those of the log mass", () => {
		for (const [y, mean, size] of [
			[0, 0.7, 2],
			[5, 3, 0.8],
			[300, 250, 40],
			[20, 25, 1e6],
		]) {
			const h = 1e-5;
			const { value, logSpread } = law.score(y, mean, size);
			const byMean = law.logMass(y, mean * (1 + h), size) - law.logMass(y, mean * (1 - h), size);
			const bySize = law.logMass(y, mean, size * (1 + h)) - law.logMass(y, mean, size * (1 - h));
			expect(value * mean).toBeCloseTo(byMean / (2 * h), 4);
			expect(logSpread).toBeCloseTo(bySize / (2 * h), 4);
		}
	});

	test("a large size leads to Poisson's law, and a mean of 0 to no count but 0", () => {
		for (const y of [0, 3, 40])
			expect(law.logMass(y, 10, 1e12)).toBeCloseTo(poissonCounts.logMass(y, 10, 1), 9);
		expect([0, 1].map((y) => law.logMass(y, 0, 3))).toEqual([0, Number.NEGATIVE_INFINITY]);
		expect(law.logMass(0, -1, 3)).toBeNaN();
	});

	test("the quantile is the least count that reaches the probability", () => {
		for (const p of [1e-9, 0.01, 0.3, 0.5, 0.99, 1 - 1e-9]) {
			const y = countQuantile(law, p, 12, 3);
			expect(law.below(y, 12, 3)).toBeGreaterThanOrEqual(p);
			expect(law.below(y - 1, 12, 3)).toBeLessThan(p);
		}
	});
});

const measures = { poisson: "y ~ poisson(a*x)", negbinomial: "y ~ negbinomial(a*x, n)" };

describe.each(Object.entries(measures))("a measurement that is %s", (family, measure) => {
	const own = decay(measure);
	const values = { a: 60, k: 0.8, n: 20 };

	test("is printed as it was written", () => {
		expect(printModel(own)).toContain(measure);
	});

	test("is drawn with its mean and variance", () => {
		const still = model(`param a, n\nstate x = 1\nx' = 0\nmeasure ${measure}`);
		const many = Array.from({ length: 4001 }, (_, i) => i / 1000);
		const { columns } = simulate(still, { times: many, values: { a: 6, n: 4 }, noise: true, seed: 3 });
		const counts = Array.from(columns.y);
		expect(counts.every(Number.isInteger)).toBe(true);
		const mean = counts.reduce((sum, y) => sum + y, 0) / counts.length;
		const variance = counts.reduce((sum, y) => sum + (y - mean) ** 2, 0) / counts.length;
		const wanted = family === "poisson" ? 6 : 6 + 36 / 4;
		expect(Math.abs(mean - 6)).toBeLessThan(4 * Math.sqrt(wanted / 4001));
		// Of a negative binomial law the fourth moment is far larger than that of a normal one: 4 sd with a kurtosis of 7.
		expect(Math.abs(variance / wanted - 1)).toBeLessThan(4 * Math.sqrt(6 / 4001));
	});

	test("the rows give the gradient of the cost", async () => {
		const { columns } = simulate(own, { times, values, noise: true, seed: 2 });
		const experiment = experimentOf(Float64Array.from(times), { y: columns.y });
		const estimation = estimationOf(own, [experiment], {}, inline);
		const { unknowns } = estimation;
		const problem = { ...estimation, forward: forwardOf(estimation, { kind: "fixed", substeps: 4 }) };
		const random = stream(3, `gradient ${family}`);
		for (let trial = 0; trial < 4; trial++) {
			const z = Float64Array.from(
				unknowns,
				(unknown, j) => toSearch(unknown, unknown.start) + 0.5 * random.normal(10 * trial + j),
			);
			const [{ residual, jacobian, cost }] = await misfits(problem, [z]);
			expect((await costs(problem, [z]))[0]).toBeCloseTo(cost, 9);
			unknowns.forEach((_, j) => {
				let gradient = 0;
				for (let i = 0; i < residual.length; i++) gradient += residual[i] * jacobian[i * unknowns.length + j];
				expect(Number.isFinite(gradient)).toBe(true);
			});
			for (const [j] of unknowns.entries()) {
				const h = 1e-5;
				const [before, after] = await costs(
					problem,
					[-h, h].map((d) => z.map((value, i) => (i === j ? value + d : value))),
				);
				let gradient = 0;
				for (let i = 0; i < residual.length; i++) gradient += residual[i] * jacobian[i * unknowns.length + j];
				expect(Math.abs(gradient - (after - before) / (2 * h))).toBeLessThan(1e-5 * (1 + Math.abs(cost)));
			}
		}
	});

	test("fit and bayes find what made it, and have nothing to doubt", async () => {
		const { columns } = simulate(own, { times, values, noise: true, seed: 5 });
		const data = record({ t: times, y: columns.y });
		for (const method of ["fit", "bayes"] as const) {
			const { parameters, doubts, predictions } = await run(own, data, {
				method,
				...(method === "bayes" ? { options: { particles: 400 } } : {}),
			});
			for (const name of ["a", "k"] as const) {
				const { estimate, sd } = parameters.find((each) => each.name === name)!;
				expect(Math.abs(estimate - values[name]), `${method} ${name}`).toBeLessThan(4 * sd!);
			}
			const codes = doubts.filter(({ code }) => !["uninformed", "nothing-known"].includes(code));
			expect(codes.map(({ code }) => code)).toEqual([]);
			const [{ lo, hi }] = predictions;
			expect([...lo!, ...hi!].every((end) => Number.isInteger(end) && end >= 0)).toBe(true);
		}
	});

	test("other methods refuse it with a reason", () => {
		for (const [name, { appliesTo }] of methods) {
			if (["fit", "bayes", "all"].includes(name)) continue;
			const { applies, why } = appliesTo(own);
			expect(applies, name).toBe(false);
			expect(why).not.toBe("");
		}
	});
});

describe("counts of a level", () => {
	const level = model("param a ~ gamma(2, 0.1)\nstate x = 1\nx' = 0\nmeasure y ~ poisson(a*x)");
	const y = [3, 8, 5, 4, 9, 6, 7, 2, 5, 6];
	const data = record({ t: y.map((_, i) => i), y });
	const total = y.reduce((a, b) => a + b);

	test("fit has the maximum of the likelihood, and its error", async () => {
		const { parameters, summary } = await run(level, data, { method: "fit" });
		expect(parameters[0].estimate).toBeCloseTo(total / y.length, 6);
		expect(parameters[0].sd).toBeCloseTo(Math.sqrt(total) / y.length, 3);
		const expected = y.reduce((sum, each) => sum + poissonCounts.logMass(each, total / y.length, 1), 0);
		expect(summary.logLikelihood).toBeCloseTo(expected, 9);
	});

	test("bayes has the conjugate posterior and its evidence", async () => {
		// Gamma prior and Poisson counts: the posterior is gamma(2 + total, 0.1 + n).
		const [shape, rate] = [2 + total, 0.1 + y.length];
		const { parameters, summary } = await run(level, data, {
			method: "bayes",
			options: { particles: 4000 },
		});
		const sd = Math.sqrt(shape) / rate;
		expect(Math.abs(parameters[0].estimate - shape / rate)).toBeLessThan(0.08 * sd);
		expect(parameters[0].sd! / sd).toBeGreaterThan(0.93);
		expect(parameters[0].sd! / sd).toBeLessThan(1.07);
		// log of the negative multinomial mass, by products instead of gamma functions.
		let logEvidence = 2 * Math.log(0.1) - shape * Math.log(rate);
		for (let k = 2; k < shape; k++) logEvidence += Math.log(k);
		for (const each of y) for (let k = 2; k <= each; k++) logEvidence -= Math.log(k);
		expect(Math.abs((summary.logEvidence as number) - logEvidence)).toBeLessThan(0.1);
	});
});

test("counts that scatter more than Poisson's law are told, and the remedy cures it", async () => {
	const truth = decay("y ~ negbinomial(a*x, n)");
	const { columns } = simulate(truth, { times, values: { a: 200, k: 0.3, n: 3 }, noise: true, seed: 8 });
	const data = record({ t: times, y: columns.y });
	for (const method of ["fit", "bayes"] as const) {
		const options = method === "bayes" ? { particles: 400 } : {};
		const before = await run(decay("y ~ poisson(a*x)"), data, { method, options });
		const doubt = before.doubts.find(({ code }) => code === "noise-larger");
		expect(doubt?.text).toContain("measure y ~ negbinomial(…, size)");
		const after = await run(truth, data, { method, options });
		expect(after.doubts.filter(({ code }) => code === "noise-larger")).toEqual([]);
	}
});

test("the slope by the size goes with 1/size, however large that is", () => {
	// log mass = that of Poisson's law + (y (y - 1) - 2 y m + m²)/(2 k) + …; times -1, by log k.
	const [y, mean] = [130, 120.3];
	const first = -(y * (y - 1) - 2 * y * mean + mean * mean) / 2;
	for (const size of [1e7, 1e9]) {
		const { logSpread } = negbinomialCounts.score(y, mean, size);
		expect((size * logSpread) / first).toBeCloseTo(1, 3);
	}
	for (const size of [1e15, 1e96, 1e200])
		expect(Math.abs(negbinomialCounts.score(y, mean, size).logSpread)).toBeLessThan(1e-12);
});

test("counts that scatter no more than Poisson's have no end of their size, and that is no second optimum", async () => {
	const { columns } = simulate(decay("y ~ poisson(a*x)"), {
		times,
		values: { a: 200, k: 0.3 },
		noise: true,
		seed: 5,
	});
	const data = record({ t: times, y: columns.y });
	const { doubts, parameters, outcome } = await run(decay("y ~ negbinomial(a*x, n)"), data, {
		method: "fit",
	});
	expect(outcome).toBe("converged");
	expect(doubts.map(({ code }) => code)).not.toContain("other-optimum");
	expect(parameters.find(({ name }) => name === "n")!.verdict).toMatch(/unidentifiable/);
}, 60_000);

test.each([
	[[3, -1, 4], "-1"],
	[[3, 0.5, 4], "0.5"],
])("%j are no counts", async (y, wrong) => {
	const level = model("param a ~ gamma(2, 0.1)\nstate x = 1\nx' = 0\nmeasure y ~ poisson(a*x)");
	for (const method of ["fit", "bayes"] as const)
		await expect(run(level, record({ t: [0, 1, 2], y }), { method })).rejects.toThrow(
			`holds ${wrong} (row 1), but a poisson measurement is a count`,
		);
});

test("bayes refuses options that would bring an error of the integration in", async () => {
	const level = model("param a ~ gamma(2, 0.1)\nstate x = 1\nx' = 0\nmeasure y ~ poisson(a*x)");
	const data = record({ t: [0, 1, 2], y: [3, 4, 5] });
	for (const options of [{ sampler: "ibis" }, { integrationError: "running" }, { linearisation: "ekf1" }])
		await expect(run(level, data, { method: "bayes", options })).rejects.toThrow("measure y is a count");
});
