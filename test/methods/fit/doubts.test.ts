import { describe, expect, test } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const verdicts = ({ parameters }: Result) =>
	Object.fromEntries(parameters.map(({ name, verdict }) => [name, verdict]));

describe("identifiability", () => {
	test("a product of two parameters is structurally unidentifiable, and said so", async () => {
		const model = modelOf(`param a ~ lognormal(0, 1), b ~ lognormal(0, 1), g ~ lognormal(0, 1)
state x = 1
x' = -a*b*x + g
measure y ~ normal(x, 0.01)`);
		const values = { a: 1, b: 0.7, g: 0.2 };
		const record = simulateRecord({
			model,
			values,
			x0: [1],
			times: regularTimes(41, 0.2),
			noise: { y: 0.01 },
			seed: 1,
		});
		const result = await runFit({ model, train: [record] });
		expect(verdicts(result)).toEqual({
			a: "structurally unidentifiable",
			b: "structurally unidentifiable",
			g: "identifiable",
		});
		const [a] = result.parameters;
		expect(a.sd).toBeUndefined();
		expect(
			result.doubts.some(({ title, grave }) => grave && /a and b can only be found together/.test(title)),
		).toBe(true);
	});

	const decay = (text: string) => {
		const model = modelOf(text);
		const record = simulateRecord({
			model: modelOf("state x = 2\nx' = -1.2*x\nmeasure y ~ normal(x, 0.02)"),
			values: {},
			x0: [2],
			times: regularTimes(41, 0.1),
			noise: { y: 0.02 },
			seed: 7,
		});
		return runFit({ model, train: [record] });
	};

	test("a product of which nothing is known, of either sign", async () => {
		const result = await decay("param a, b, g\nstate x = g\nx' = -a*b*x\nmeasure y ~ normal(x, 0.02)");
		expect(verdicts(result)).toEqual({
			a: "structurally unidentifiable",
			b: "structurally unidentifiable",
			g: "identifiable",
		});
	});

	test("three unknowns of which the data see one number", async () => {
		const result = await decay("param a, b, c\nstate x = a*b + c\nx' = -1.2*x\nmeasure y ~ normal(x, 0.02)");
		expect(new Set(Object.values(verdicts(result)))).toEqual(new Set(["structurally unidentifiable"]));
		expect(result.doubts.some(({ title }) => /a, b and c can only be found together/.test(title))).toBe(true);
	});

	test("a product of two in sets", async () => {
		const text =
			"param a in [0.1, 10], b in [0.1, 10]\nstate x = 2\nx' = -a*b*x\nmeasure y ~ normal(x, 0.02)";
		expect(new Set(Object.values(verdicts(await decay(text))))).toEqual(
			new Set(["structurally unidentifiable"]),
		);
	});

	test("a parameter without effect is named", async () => {
		const result = await decay("param a, b\nstate x = 2\nx' = -a*x\nmeasure y ~ normal(x + 0*b, 0.02)");
		expect(verdicts(result)).toEqual({ a: "identifiable", b: "structurally unidentifiable" });
		expect(result.doubts.some(({ title, grave }) => grave && title === "b has no effect on any output")).toBe(
			true,
		);
	});

	test("two optima that are as good are both told", async () => {
		const result = await decay(
			"param a ~ normal(0, 1)\nstate x = 2\nx' = -a^2*x\nmeasure y ~ normal(x, 0.02)",
		);
		expect(Math.abs(result.parameters[0].estimate)).toBeCloseTo(Math.sqrt(1.2), 1);
		expect(result.doubts.some(({ title, grave }) => grave && title === "Another optimum is as good")).toBe(
			true,
		);
	});

	test("an estimate on its bound has the bound as the end of its interval", async () => {
		const result = await decay("param a in [2, 3]\nstate x = 2\nx' = -a*x\nmeasure y ~ normal(x, 0.02)");
		expect(result.parameters[0]).toMatchObject({ estimate: 2, lo: 2, verdict: "on its bound" });
	});

	test("noise that is declared too large is said for few samples too", async () => {
		const { doubts } = await decay("param a\nstate x = 2\nx' = -a*x\nmeasure y ~ normal(x, 0.2)");
		expect(doubts.some(({ title }) => /only .* times the declared noise/.test(title))).toBe(true);
	});

	test("errors that keep well inside their bound are no reason for doubt", async () => {
		const { doubts } = await decay("param a in [0, 5]\nstate x = 2\nx' = -a*x\nmeasure y in x +- 0.06");
		expect(doubts).toEqual([]);
	});

	test("errors that are too large for their bound are", async () => {
		const { doubts } = await decay("param a in [0, 5]\nstate x = 2\nx' = -a*x\nmeasure y in x +- 0.01");
		expect(doubts[0].title).toMatch(
			/^The residuals of y are 3\.\d+ times what errors evenly spread between the declared bounds would be$/,
		);
	});

	test("a parameter that is both value and spread is found by what both say of it", async () => {
		const { outcome, parameters, summary } = await decay(
			"param s in [0.1, 10]\nstate x = 2\nx' = -1.2*x\nmeasure y ~ normal(x*s, s)",
		);
		expect(outcome).toBe("converged");
		// n log s + Σ (y - x s)²/(2 s²) has its least where n s² + s Σ xy - Σ y² = 0; x is nearly y.
		const [{ estimate }] = parameters;
		expect(estimate).toBeGreaterThan(0.3);
		expect(estimate).toBeLessThan(0.9);
		expect(summary.chi2).toBeLessThan(41);
	});

	test("a rate that the record is too short to show is practically unidentifiable", async () => {
		const model = modelOf(`param k ~ lognormal(0, 2), d ~ lognormal(-4, 2)
state x = 1
x' = -k*x/(1 + d*x)
measure y ~ normal(x, 0.02)`);
		const record = simulateRecord({
			model,
			values: { k: 1, d: 0.001 },
			x0: [1],
			times: regularTimes(15, 0.2),
			noise: { y: 0.02 },
			seed: 2,
		});
		const result = await runFit({ model, train: [record] });
		expect(verdicts(result)).toEqual({ k: "identifiable", d: "practically unidentifiable" });
	});
});

describe("integration error", () => {
	const model = modelOf(`input u
param m ~ lognormal(log(5e-6), 1), c ~ lognormal(log(2e-4), 1), k ~ lognormal(0, 1)
state x = 0, x' = 0
m*x'' + c*x' + k*x = u
measure y ~ normal(x, 1e-3)`);
	const times = regularTimes(1500, 1 / 610);
	const force = signalFrom(
		times,
		Float64Array.from(times, (t) => 0.05 * Math.sin(300 * t) + 0.05 * Math.sin(441 * t + 1)),
		"cubic",
	);
	const record = simulateRecord({
		model,
		values: { m: 5e-6, c: 2e-4, k: 1 },
		x0: [0, 0],
		times,
		noise: { y: 1e-4 },
		seed: 3,
		inputs: { u: force },
	});

	test("steps that are too coarse are found out by a finer check, and said", async () => {
		const coarse = await runFit({ model, train: [record], options: { substeps: 1 } });
		const found = coarse.doubts.find(({ title }) => /1 integration step a sample is too few/.test(title));
		expect(found?.grave).toBe(true);
		expect(found?.text).toMatch(/standard deviations/);
	});

	test("auto refines until the error is negligible, and then the truth is inside", async () => {
		const fine = await runFit({ model, train: [record] });
		expect(fine.summary.integrationError).toBeLessThan(0.02);
		expect(fine.doubts.some(({ title }) => /integration step/.test(title))).toBe(false);
		const truth: Record<string, number> = { m: 5e-6, c: 2e-4, k: 1 };
		for (const { name, estimate, sd } of fine.parameters)
			expect(Math.abs(estimate - truth[name])).toBeLessThan(4.5 * sd!);
	});
});

describe("residuals", () => {
	const times = regularTimes(200, 0.05);

	test("a missing term shows as correlated residuals and as more than the declared noise", async () => {
		const full = modelOf(`param k, k3
state x = 1.5, x' = 0
x'' = -k*x - k3*x^3
measure y ~ normal(x, 0.01)`);
		const record = simulateRecord({
			model: full,
			values: { k: 1, k3: 0.2 },
			x0: [1.5, 0],
			times,
			noise: { y: 0.01 },
			seed: 4,
		});
		const lacking = modelOf(`param k ~ lognormal(0, 1)
state x = 1.5, x' = 0
x'' = -k*x
measure y ~ normal(x, 0.01)`);
		const { doubts } = await runFit({ model: lacking, train: [record] });
		expect(doubts.some(({ title }) => /times the declared noise/.test(title))).toBe(true);
		expect(doubts.some(({ title }) => /not independent/.test(title))).toBe(true);
	});

	test("a right model with independent noise raises no doubt", async () => {
		const model = modelOf(`param k ~ lognormal(0, 1), k3 ~ lognormal(-1, 1)
state x = 1.5, x' = 0
x'' = -k*x - k3*x^3
measure y ~ normal(x, 0.01)`);
		const record = simulateRecord({
			model,
			values: { k: 1, k3: 0.2 },
			x0: [1.5, 0],
			times,
			noise: { y: 0.01 },
			seed: 5,
		});
		const { doubts, message } = await runFit({ model, train: [record] });
		expect(doubts.filter(({ title }) => !/first starting point/.test(title))).toEqual([]);
		expect(message).toMatch(/every unknown is identifiable/);
	});

	test("an estimate on its bound that the data pull beyond it is doubted; one that may as well lie inside is not", async () => {
		const model = modelOf(`param k in [0.1, 0.8]
state x = 1
x' = -k*x
measure y ~ normal(x, 0.01)`);
		const record = simulateRecord({ model, values: { k: 1 }, x0: [1], times, noise: { y: 0.01 }, seed: 6 });
		const { doubts } = await runFit({ model, train: [record] });
		expect(doubts).toContainEqual(
			expect.objectContaining({
				code: "beyond-bound",
				grave: true,
				title: "The data pull k beyond its bound",
			}),
		);
		let resting = 0;
		for (let seed = 0; seed < 20; seed++) {
			const atEnd = simulateRecord({ model, values: { k: 0.8 }, x0: [1], times, noise: { y: 0.01 }, seed });
			const fitted = await runFit({ model, train: [atEnd], options: { profile: false } });
			expect(fitted.doubts).toEqual([]);
			if (fitted.notes!.some(({ title }) => title === "k ended on a bound")) resting++;
		}
		// About every second one.
		expect(resting).toBeGreaterThan(2);
		expect(resting).toBeLessThan(18);
	});
});

describe("what is left over", () => {
	const model = modelOf(
		"param k ~ lognormal(0, 1), b\nstate x = 1\nx' = -k*x + b\nmeasure y ~ normal(x, 0.05)",
	);
	const times = regularTimes(41, 0.2);

	test("an output that hardly moves, with noise as declared, is no misfit", async () => {
		const flat = simulateRecord({
			model,
			values: { k: 1, b: 1 },
			x0: [1],
			times,
			noise: { y: 0.05 },
			seed: 3,
		});
		const { doubts } = await runFit({ model, train: [flat] });
		expect(doubts.filter(({ title }) => title.includes("unexplained"))).toEqual([]);
	});

	test("noise that is much larger than declared is one", async () => {
		const loud = simulateRecord({
			model,
			values: { k: 1, b: 0 },
			x0: [1],
			times,
			noise: { y: 0.4 },
			seed: 3,
		});
		const { doubts } = await runFit({ model, train: [loud] });
		expect(doubts.some(({ title, grave }) => grave && title.includes("unexplained"))).toBe(true);
	});

	test("a spread that is to be found, and whose range ends before the residuals do, is doubted; one within its range is not", async () => {
		const model = (range: string) =>
			modelOf(`param k in [0.1, 8]
param s in ${range}
state x = 1
x' = -k*x
measure y ~ normal(x, s)`);
		const found = async (range: string) => {
			const known = model(range);
			const record = simulateRecord({
				model: known,
				values: { k: 1 },
				x0: [1],
				times,
				noise: { y: 0.01 },
				seed: 7,
			});
			return (await runFit({ model: known, train: [record], options: { profile: false } })).doubts;
		};
		expect(await found("[0.001, 0.1]")).toEqual([]);
		for (const range of ["[0.0001, 0.006]", "[0.02, 0.1]"])
			expect(await found(range)).toContainEqual(
				expect.objectContaining({
					code: "beyond-bound",
					grave: true,
					title: "The data pull s beyond its bound",
				}),
			);
	});
});

test("a motion that is faster than the samples follow is doubted, a slower one through the same samples is not", async () => {
	const model = modelOf("param w\nstate x = 1, x' = 0\nx'' + w^2*x = 0\nmeasure y ~ normal(x, 0.01)");
	const times = regularTimes(60, 0.5);
	// cos(w t) and cos((4π - w) t) are the same at all multiples of 0.5.
	const record = simulateRecord({ model, values: { w: 2 }, x0: [1, 0], times, noise: { y: 0.01 }, seed: 4 });
	const codes = async (w: number) => {
		const options = { starts: 1, candidates: 1, profile: false, segments: false };
		const { parameters, doubts } = await runFit({ model, train: [record], start: { w }, options });
		expect(parameters[0].estimate).toBeCloseTo(w, 1);
		return doubts.map(({ code }) => code);
	};
	expect(await codes(2)).not.toContain("too-fast");
	expect(await codes(4 * Math.PI - 2)).toContain("too-fast");
});
