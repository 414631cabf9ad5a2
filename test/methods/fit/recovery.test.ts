import { describe, expect, test } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { fitProblem, modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const duffing = modelOf(`input u
param m ~ lognormal(0, 1), c ~ lognormal(-1, 1), k ~ lognormal(1, 1), k3 ~ lognormal(0, 1)
state x = 0, x' = 0
m*x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, 0.02)`);
const truth = { m: 1, c: 0.2, k: 3, k3: 0.8 };
const times = regularTimes(601, 0.05);
const force = signalFrom(
	times,
	Float64Array.from(times, (t) => 2 * Math.sin(1.1 * t) + Math.sin(2.9 * t + 1)),
	"cubic",
);
const duffingRecord = (seed: number) =>
	simulateRecord({
		model: duffing,
		values: truth,
		x0: [0, 0],
		times,
		noise: { y: 0.02 },
		seed,
		inputs: { u: force },
	});

describe("recovery", () => {
	test("Duffing: every estimate within 4.5 sd of the truth, residuals as large as the noise", async () => {
		const result = await runFit({ model: duffing, train: [duffingRecord(1)] });
		expect(result.outcome).toBe("converged");
		expect(result.answered).toBe(true);
		for (const { name, estimate, sd, lo, hi, verdict } of result.parameters) {
			const expected = truth[name as keyof typeof truth];
			expect(Math.abs(estimate - expected)).toBeLessThan(4.5 * sd!);
			expect(verdict).toBe("identifiable");
			expect(lo!).toBeLessThan(estimate);
			expect(hi!).toBeGreaterThan(estimate);
			// Near enough to linear: the profile interval is close to estimate ± 1.96 sd.
			expect((hi! - lo!) / (2 * 1.96 * sd!)).toBeCloseTo(1, 1);
		}
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
	});

	test("the 95 % intervals hold the truth in 95 % of the records", async () => {
		const records = repetitions(25, 60);
		let inside = 0;
		for (let seed = 1; seed <= records; seed++) {
			const options = { starts: 1, candidates: 1 } as const;
			const { parameters } = await runFit({
				model: duffing,
				train: [duffingRecord(seed)],
				start: truth,
				options,
			});
			for (const { name, lo, hi } of parameters) {
				const expected = truth[name as keyof typeof truth];
				if (lo! <= expected && expected <= hi!) inside++;
			}
		}
		// Four intervals a record, correlated: four binomial sd of the records about 0.95.
		const spread = 4 * Math.sqrt((0.95 * 0.05) / records);
		expect(inside / (4 * records)).toBeGreaterThan(0.95 - spread);
		expect(inside).toBeLessThan(4 * records);
	});

	test("from ten times off in every parameter several starts find the optimum", async () => {
		const start = { m: 10, c: 2, k: 30, k3: 8 };
		const result = await runFit({ model: duffing, train: [duffingRecord(2)], start });
		for (const { name, estimate, sd } of result.parameters)
			expect(Math.abs(estimate - truth[name as keyof typeof truth])).toBeLessThan(4.5 * sd!);
	});

	test("one bad start alone is doubted, not returned as sure", async () => {
		const start = { m: 10, c: 2, k: 30, k3: 8 };
		const options = { starts: 1, candidates: 1 } as const;
		const result = await runFit({ model: duffing, train: [duffingRecord(2)], start, options });
		const good = result.parameters.every(
			({ name, estimate, sd }) => Math.abs(estimate - truth[name as keyof typeof truth]) < 4.5 * sd!,
		);
		expect(good || result.doubts.some(({ grave }) => grave)).toBe(true);
	});

	test("unknown initial values and an unknown spread are found with the rest", async () => {
		const model = modelOf(`param a ~ lognormal(0, 1), b ~ lognormal(0, 1), s
state x, y ~ lognormal(0, 1)
x' = a*x - b*x*y
y' = x*y - y
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`);
		const times = regularTimes(121, 0.1);
		const values = { a: 1.3, b: 0.9 };
		const record = simulateRecord({
			model,
			values,
			x0: [1.5, 0.7],
			times,
			noise: { xm: 0.03, ym: 0.03 },
			seed: 4,
		});
		const { parameters } = await runFit({ model, train: [record] });
		const expected: Record<string, number> = { a: 1.3, b: 0.9, "x(0)": 1.5, "y(0)": 0.7, s: 0.03 };
		expect(parameters.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
		for (const { name, estimate, sd } of parameters)
			expect(Math.abs(estimate - expected[name])).toBeLessThan(4.5 * sd!);
	});

	test("several experiments with conditions: weights of a combination", async () => {
		const model = modelOf(`condition c
param r(1, c), g
state x = 1
x' = -r*x + g
measure y ~ normal(x, 0.01)`);
		const times = regularTimes(31, 0.2);
		const train = [0, 1, 2].map((c) =>
			simulateRecord({
				model: modelOf(`condition c
param r, g
state x = 1
x' = -r*x + g
measure y ~ normal(x, 0.01)`),
				values: { c, r: 0.5 + 0.3 * c, g: 0.2 },
				x0: [1],
				times,
				noise: { y: 0.01 },
				seed: 5,
				name: `run${c}`,
			}),
		);
		const { parameters } = await runFit({ model, train });
		const expected: Record<string, number> = { "r[1]": 0.5, "r[c]": 0.3, g: 0.2 };
		for (const { name, estimate, sd } of parameters)
			expect(Math.abs(estimate - expected[name])).toBeLessThan(4.5 * sd!);
		expect(parameters).toHaveLength(3);
	});

	test("a stiff model is fitted by the adaptive solver", async () => {
		const model =
			modelOf(`param k1 ~ lognormal(log(0.03), 1), k2 ~ lognormal(log(2e7), 1), k3 ~ lognormal(log(8e3), 1)
state a = 1, b = 0, c = 0
a' = -k1*a + k3*b*c
b' = k1*a - k3*b*c - k2*b^2
c' = k2*b^2
measure am ~ normal(a, 0.002)
measure cm ~ normal(c, 0.002)`);
		const values = { k1: 0.04, k2: 3e7, k3: 1e4 };
		const times = Float64Array.from([0, ...Array.from({ length: 25 }, (_, i) => 10 ** (-1 + i / 6))]);
		const record = simulateRecord({
			model,
			values,
			x0: [1, 0, 0],
			times,
			noise: { am: 0.002, cm: 0.002 },
			seed: 6,
		});
		const result = await runFit({ model, train: [record], options: { starts: 3, candidates: 12 } });
		expect(result.summary.integration).toMatch(/adaptive/);
		const k1 = result.parameters.find(({ name }) => name === "k1")!;
		expect(Math.abs(k1.estimate - 0.04)).toBeLessThan(4.5 * k1.sd!);
	});
});

describe("resume", () => {
	test("a fit that is saved at any step and loaded again ends with the same bits", async () => {
		const setup = {
			model: duffing,
			train: [duffingRecord(3)],
			options: { starts: 3, candidates: 8 },
		} as const;
		const options = { ...defaultOptions(fit.options), ...setup.options };
		const straight = await runFit(setup);
		const pick = stream(9, "interruptions");
		let state = await fit.prepare(fitProblem(setup), options);
		for (let step = 0; ; step++) {
			if ((await fit.advance(state)).done) break;
			if (pick.uniform(step) < 0.3) state = await fit.load(fitProblem(setup), options, fit.save(state));
		}
		expect((await fit.result(state)).parameters).toEqual(straight.parameters);
	});
});
