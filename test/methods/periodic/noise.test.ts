/** Noise, irregular samples, and the period among the unknowns: errors are as large as they are said to be. */
import { describe, expect, it, test } from "vitest";
import { dependences } from "../../../src/estimate/judge/independence.ts";
import type { ResidualSeries } from "../../../src/estimate/judge/series.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { periodicRecord } from "../../../src/methods/periodic/record/record.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { studentQuantile975 } from "../../../src/num/statistics/quantile.ts";
import { allRepetitions, repetitions, rootMeanSquareBounds } from "../../repetitions.ts";
import { answerTo } from "./answers.ts";
import { type Oscillator, oscillators, problemFor, problemOf, type RecordSpec } from "./oscillators.ts";

const seeds = repetitions(6, 24);
/** What the root mean square of scores may be: these of all, the law's of few. */
const boundsOf = (least: number, most: number): readonly [number, number] =>
	allRepetitions ? [least, most] : rootMeanSquareBounds(6);
const rootMeanSquare = (values: readonly number[]): number =>
	Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe("the period of a record", () => {
	const { period } = oscillators.morrisLecar;
	const recordOf = (spec: RecordSpec) => {
		const [{ outputs }] = problemFor(oscillators.morrisLecar, {}, spec).train;
		const { times, values } = outputs.get("y")!;
		return periodicRecord(times, values, "record");
	};
	it("is found to rounding from exact samples that are not on its grid", () => {
		const { period: found } = recordOf({ periods: 2.3, samplesPerPeriod: 217.4 });
		expect(Math.abs(found / period - 1)).toBeLessThan(1e-11);
	});
	it("from noisy and irregular samples errs as much as it says", () => {
		const scores = Array.from({ length: seeds }, (_, i) => {
			const { period: found, periodSd } = recordOf({
				noise: 1,
				irregular: true,
				samplesPerPeriod: 120,
				seed: i + 1,
			});
			expect(Math.abs(found / period - 1)).toBeLessThan(2e-3);
			return (found - period) / periodSd;
		});
		const [least, most] = boundsOf(0.6, 1.4);
		expect(rootMeanSquare(scores)).toBeGreaterThan(least);
		expect(rootMeanSquare(scores)).toBeLessThan(most);
	});
	it("is found under noise as large as half the signal", () => {
		const t = Float64Array.from({ length: 400 }, (_, i) => i * 0.05);
		const errors = stream(3, "noise");
		const y = t.map((time, i) => Math.sin(time) + 0.4 * Math.cos(2 * time) + 0.4 * errors.normal(i));
		const { period: found, periodSd } = periodicRecord(t, y, "record");
		expect(Math.abs(found - 2 * Math.PI) / periodSd).toBeLessThan(4);
	});
	it("is not doubled by slow noise, however large", () => {
		const [{ outputs }] = problemFor(oscillators.morrisLecar, {}, { samplesPerPeriod: 100 }).train;
		const { times, values } = outputs.get("y")!;
		for (let seed = 1; seed <= seeds; seed++) {
			const errors = stream(seed, "slow");
			let error = errors.normal(100_000);
			const y = values.map((value, i) => {
				error = 0.9 * error + Math.sqrt(0.19) * errors.normal(i);
				return value + 5 * error;
			});
			expect(Math.abs(periodicRecord(times, y, "record").period / period - 1), `seed ${seed}`).toBeLessThan(
				0.05,
			);
		}
	});
	it("is divided where two or three were given as one", () => {
		const t = Float64Array.from({ length: 900 }, (_, i) => i * 0.05);
		const errors = stream(1, "noise");
		const y = t.map((time, i) => Math.sin(time) + 0.3 * Math.cos(2 * time) + 0.05 * errors.normal(i));
		for (const times of [1, 2, 3]) {
			const { period: found } = periodicRecord(t, y, "record", { period: times * 6.25 });
			expect(found).toBeCloseTo(2 * Math.PI, 1);
		}
		expect(() => periodicRecord(t, y, "record", { period: 2.1 })).toThrow(/leave it out|better value/);
	});
	it("is not sought among what made the record: the series of a long one ends where it no longer falls", () => {
		const t = Float64Array.from({ length: 4000 }, (_, i) => i * 0.05);
		let drift = 0;
		const errors = stream(2, "noise");
		const y = t.map((time, i) => {
			drift = 0.99 * drift + 1e-11 * errors.normal(i);
			return 1 / (1.2 + Math.sin(time)) + drift;
		});
		const { series } = periodicRecord(t, y, "record");
		expect(series.harmonics).toBeLessThan(90);
	});
	it("is that of the whole pattern where every second beat differs", () => {
		const t = Float64Array.from({ length: 900 }, (_, i) => i * 0.05);
		const y = t.map((time) => Math.sin(2 * Math.PI * time) + 0.1 * Math.sin(Math.PI * time + 1));
		expect(periodicRecord(t, y, "record").period).toBeCloseTo(2, 8);
	});
});

/** Errors in units of the stated standard deviation, over noises; none may be doubted gravely. */
async function scoresOf(
	oscillator: Oscillator,
	spec: RecordSpec & { correlation?: number },
	options: Partial<ReturnType<typeof defaultOptions<typeof periodic.options>>> = {},
): Promise<Map<string, number[]>> {
	const truth: Record<string, number> = { ...oscillator.truth };
	// Of the others the period is known roughly only.
	if (oscillator.settle === 0) truth.period = oscillator.period;
	const start = Object.fromEntries(
		Object.entries(oscillator.truth).map(([name, value]) => [name, 1.1 * value]),
	);
	const scores = new Map<string, number[]>();
	for (let seed = 1; seed <= seeds; seed++) {
		const problem = slowed(problemFor(oscillator, start, { ...spec, noise: 0 }), spec, seed);
		const run = await periodic.prepare(problem, { ...defaultOptions(periodic.options), ...options });
		while (!(await periodic.advance(run)).done);
		const { parameters, doubts, outcome } = await periodic.result(run);
		expect(outcome).toBe("converged");
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
		for (const { name, estimate, sd } of parameters)
			if (sd !== undefined && truth[name] !== undefined)
				scores.set(name, [...(scores.get(name) ?? []), (estimate - truth[name]) / sd]);
	}
	return scores;
}

/** The record with noise in which neighbours have a correlation. */
function slowed(
	problem: Problem,
	{ noise = 0, correlation = 0 }: { noise?: number; correlation?: number },
	seed: number,
): Problem {
	const [experiment] = problem.train;
	const [[name, series]] = experiment.outputs;
	const errors = stream(seed, "noise");
	let error = errors.normal(100_000);
	const values = series.values.map((value, i) => {
		error = correlation * error + Math.sqrt(1 - correlation ** 2) * errors.normal(i);
		return value + noise * error;
	});
	return { ...problem, train: [{ ...experiment, outputs: new Map([[name, { ...series, values }]]) }] };
}

describe("standard deviations", () => {
	const expectHonest = (scores: Map<string, number[]>, leastOfAll: number, mostOfAll: number): void => {
		const [least, most] = boundsOf(leastOfAll, mostOfAll);
		for (const [name, each] of scores) {
			expect(rootMeanSquare(each), name).toBeGreaterThan(least);
			expect(rootMeanSquare(each), name).toBeLessThan(most);
		}
	};
	it("hold for Morris–Lecar at 0.1 mV, the period's among them", async () => {
		expectHonest(await scoresOf(oscillators.morrisLecar, { noise: 0.1, samplesPerPeriod: 150 }), 0.6, 1.5);
	}, 120_000);
	it("hold for Lotka and Volterra, whose cycles form a family, and the answer settles", async () => {
		const scores = await scoresOf(oscillators.lotkaVolterra, { noise: 0.02, samplesPerPeriod: 100 });
		expect([...scores.keys()]).toEqual(["a", "c", "d", "period"]);
		expectHonest(scores, 0.6, 1.4);
	}, 120_000);
	it("hold without adjustment, whose name no doubt takes", async () => {
		const spec = { noise: 0.02, samplesPerPeriod: 100 };
		expectHonest(await scoresOf(oscillators.brusselator, spec, { adjust: false }), 0.6, 1.5);
	}, 120_000);
	it("hold for slow noise, which does not double the period", async () => {
		const spec = { noise: 0.02, samplesPerPeriod: 100, periods: 6.2, correlation: 0.9 };
		expectHonest(await scoresOf(oscillators.lotkaVolterra, spec), 0.4, 1.5);
	}, 120_000);
	it("of few samples make intervals of Student's law, whose degrees are what the series left of them", async () => {
		const spec = { noise: 0.01, samplesPerPeriod: 15, periods: 2.1 };
		const problem = slowed(
			problemFor(oscillators.lotkaVolterra, oscillators.lotkaVolterra.truth, { ...spec, noise: 0 }),
			spec,
			1,
		);
		const run = await periodic.prepare(problem, defaultOptions(periodic.options));
		while (!(await periodic.advance(run)).done);
		const { parameters, summary } = await periodic.result(run);
		const { harmonics } = summary.record as { harmonics: number };
		// A mean, two numbers a harmonic, the period; and what may drift: three slow functions, alone and times the first harmonic.
		const degrees = problem.train[0].times.length - 2 * harmonics - 2 - 9;
		const ratios = parameters.flatMap(({ sd, lo, hi }) => (sd! > 0 ? [(hi! - lo!) / (2 * sd!)] : []));
		expect(degrees).toBeLessThan(25);
		expect(ratios.length).toBeGreaterThan(3);
		for (const ratio of ratios) expect(ratio).toBeCloseTo(studentQuantile975(degrees), 10);
	});
});

test("of a short record it is seen that noise is slow: what fitting took out of the residuals is told", async () => {
	const model = parseModel(
		"param k in [1, 30]\nstate x, v\nx' = v\nv' = -k*x\nmeasure y ~ normal(x, 0.05)",
		"p.ode",
	);
	const times = Float64Array.from({ length: 60 }, (_, i) => 0.1 * i);
	for (const seed of [6, 33]) {
		const errors = stream(seed, "slow");
		let error = errors.normal(1000);
		const values = times.map((time, i) => {
			error = 0.55 * error + Math.sqrt(1 - 0.55 ** 2) * errors.normal(i);
			return 2 * Math.cos(3 * time + 0.3) + 0.05 * error;
		});
		const { doubts, predictions } = await answerTo(problemOf(model, times, values, { k: 8 }));
		expect(doubts.map(({ code }) => code)).toEqual(["dependent-residuals"]);
		// By themselves residuals of so few samples, with three unknowns fitted to them, say too little.
		const residual = values.map((y, i) => (y - predictions[0].y[i]) / 0.05);
		const bare: ResidualSeries = {
			experiment: "record",
			output: "y",
			t: times,
			observed: values,
			residual,
			noise: "declared",
		};
		expect(dependences([bare], 3)).toEqual([]);
	}
});
