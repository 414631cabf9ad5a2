/** White noise in the equations: held against the exact filter of a linear equation. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { type FilterSettings, Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { symbolsOf } from "../../../src/model/walk.ts";
import { stream } from "../../../src/num/random.ts";
import { experimentOf } from "./helpers.ts";

const [k, s, q] = [0.4, 0.1, 0.5];
const text = `input w ~ white(q)
param k ~ lognormal(log(0.5), 0.7), q ~ lognormal(log(0.4), 0.7)
state x = 3
x' = -k*x + w
measure y ~ normal(x, ${s})
`;

interface Sampled {
	readonly t: Float64Array;
	readonly y: Float64Array;
}

/** The solution over h: x -> a x + an error of variance q² v. */
function solution(h: number, rate: number): { a: number; v: number } {
	const a = Math.exp(-rate * h);
	return { a, v: (1 - a * a) / (2 * rate) };
}

function recordOf(seed: number, intervals: readonly number[]): Sampled {
	const random = stream(seed, "white noise");
	const t = new Float64Array(intervals.length);
	let [x, now] = [3, 0];
	const y = Float64Array.from(intervals, (h, i) => {
		const { a, v } = solution(h, k);
		x = a * x + q * Math.sqrt(v) * random.normal(2 * i);
		now += h;
		t[i] = now;
		return x + s * random.normal(2 * i + 1);
	});
	return { t, y };
}

/** Kalman's filter of the linear equation: each sample given those before it. */
function exactTerms({ t, y }: Sampled, rate: number, strength: number): number[] {
	let [mean, variance] = [3, 0];
	return Array.from(y, (sample, i) => {
		const { a, v } = solution(t[i] - (i > 0 ? t[i - 1] : 0), rate);
		mean *= a;
		variance = a * a * variance + strength * strength * v;
		const total = variance + s * s;
		const term = -0.5 * (Math.log(2 * Math.PI * total) + (sample - mean) ** 2 / total);
		mean += (variance / total) * (sample - mean);
		variance *= (s * s) / total;
		return term;
	});
}

const exactLogLikelihood = (data: Sampled, rate: number, strength: number): number =>
	exactTerms(data, rate, strength).reduce((a, b) => a + b);

/** Log evidence, mean and sd of k and q, and the score of samples without their own part, on a fine grid of logarithms. */
function exactPosterior(data: Sampled): { logEvidence: number; k: number[]; q: number[]; elpd: number } {
	const grid = Array.from({ length: 81 }, (_, i) => 0.08 * (i - 40));
	const points = grid.flatMap((u) =>
		grid.map((v) => {
			const [rate, strength] = [0.5 * Math.exp(0.7 * u), 0.4 * Math.exp(0.7 * v)];
			const density = -0.5 * (u * u + v * v) - Math.log(2 * Math.PI);
			const terms = exactTerms(data, rate, strength);
			return { rate, strength, terms, log: density + terms.reduce((a, b) => a + b) };
		}),
	);
	const most = Math.max(...points.map(({ log }) => log));
	const weights = points.map(({ log }) => Math.exp(log - most));
	const total = weights.reduce((sum, w) => sum + w);
	const momentsOf = (of: (point: (typeof points)[number]) => number): number[] => {
		const mean = points.reduce((sum, point, i) => sum + weights[i] * of(point), 0) / total;
		const square = points.reduce((sum, point, i) => sum + weights[i] * (of(point) - mean) ** 2, 0) / total;
		return [mean, Math.sqrt(square)];
	};
	// Without a sample's own part weights are w/p, and its density is Σw/Σ(w/p).
	const without = (i: number): number =>
		points.reduce((sum, { terms }, b) => sum + weights[b] * Math.exp(-terms[i]), 0);
	return {
		elpd: data.y.reduce((sum, _, i) => sum + Math.log(total / without(i)), 0),
		logEvidence: most + Math.log(total * 0.08 ** 2),
		k: momentsOf(({ rate }) => rate),
		q: momentsOf(({ strength }) => strength),
	};
}

const settings: FilterSettings = {
	layout: "native",
	q: 3,
	linearisation: "ekf0",
	diffusion: "off",
	equationEvidence: false,
	substeps: 1,
};

async function logLikelihood(
	model: Model,
	{ t, y }: Sampled,
	theta: readonly number[],
	changes: Partial<FilterSettings> = {},
): Promise<number> {
	const data = { ...experimentOf(Float64Array.of(0, ...t), {}), outputs: outputsOf(t, y) };
	const unknowns = posteriorUnknowns(model, ["record"]);
	const likelihood = new Likelihood(model, unknowns, [data], { ...settings, ...changes }, inline);
	return (await likelihood.logLikelihoods(Float64Array.from(theta), 1))[0];
}

function outputsOf(t: Float64Array, y: Float64Array): Experiment["outputs"] {
	return new Map([["y", { times: t, values: y, rows: Int32Array.from(t, (_, i) => i) }]]);
}

/** Even ones, pairs of samples, and bursts. */
const intervals = {
	even: Array.from({ length: 60 }, () => 0.5),
	pairs: Array.from({ length: 60 }, (_, i) => [0.02, 0.98][i % 2]),
	bursts: Array.from({ length: 60 }, (_, i) => [0.05, 0.05, 0.05, 1.85][i % 4]),
};

describe("white noise in the equations", () => {
	it("has the likelihood of the exact filter, however far samples lie apart", async () => {
		const model = parseModel(text, "m.ode");
		for (const [name, own] of Object.entries(intervals))
			for (const seed of [1, 2, 3])
				for (const [rate, strength] of [
					[0.4, 0.5],
					[1.2, 0.2],
					[0.1, 1.5],
				]) {
					const data = recordOf(seed, own);
					const substeps = name === "even" ? 16 : 1;
					const found = await logLikelihood(model, data, [rate, strength], { substeps });
					expect(Math.abs(found - exactLogLikelihood(data, rate, strength))).toBeLessThan(1e-3);
				}
	});

	it("is the same in both forms of the second moments, and in both layouts", async () => {
		const model = parseModel(
			"param c = 0.3, q ~ lognormal(0, 1)\nstate x = 1, x' = 0\nx'' + c*x' + 2*x = noise(q)\nmeasure y ~ normal(x, 0.1)",
			"m.ode",
		);
		const data = recordOf(4, intervals.bursts);
		const plain = await logLikelihood(model, data, [0.7], { substeps: 2 });
		const root = await logLikelihood(model, data, [0.7], { substeps: 2, form: "root" });
		expect(Math.abs(root - plain)).toBeLessThan(1e-9 * Math.abs(plain));
		const stacked = await logLikelihood(model, data, [0.7], { substeps: 4, layout: "stacked" });
		const native = await logLikelihood(model, data, [0.7], { substeps: 4, q: 4 });
		expect(Math.abs(stacked - native)).toBeLessThan(1e-3);
	});

	it("may be stronger at one time than at another", async () => {
		// x is the sum of errors of variance ∫ (q t)² dt.
		const model = parseModel(
			"param q ~ lognormal(0, 1)\nstate x = 3\nx' = 0*x + t*noise(q)\nmeasure y ~ normal(x, 0.1)",
			"m.ode",
		);
		const data = recordOf(5, intervals.pairs);
		let [mean, variance, exact, before] = [3, 0, 0, 0];
		for (const [i, y] of data.y.entries()) {
			variance += (0.2 ** 2 * (data.t[i] ** 3 - before ** 3)) / 3;
			before = data.t[i];
			const total = variance + s * s;
			exact -= 0.5 * (Math.log(2 * Math.PI * total) + (y - mean) ** 2 / total);
			mean += (variance / total) * (y - mean);
			variance *= (s * s) / total;
		}
		expect(Math.abs((await logLikelihood(model, data, [0.2])) - exact)).toBeLessThan(1e-6);
	});

	it("has the posterior and the evidence of the exact filter", async () => {
		for (const [name, seed] of [
			["even", 8],
			["pairs", 9],
		] as const) {
			const data = recordOf(seed, intervals[name]);
			const exact = exactPosterior(data);
			const n = 800;
			const { summary, doubts } = await runOf(
				bayes,
				parseModel(text, "m.ode"),
				record({ t: [...data.t], y: [...data.y] }, { start: 0 }),
				{ particles: n, runs: 1 },
				{},
			);
			for (const param of ["k", "q"] as const) {
				const { mean, sd } = summary.parameters[param];
				// Four standard errors of as many draws.
				expect(Math.abs(mean - exact[param][0]) / exact[param][1]).toBeLessThan(4 / Math.sqrt(n));
				expect(Math.abs(sd / exact[param][1] - 1)).toBeLessThan(0.15);
			}
			const { lo, hi } = summary.logEvidenceInterval!;
			// Of a normal error, 90 % lie within the interval: 4 standard deviations are 2.4 of its halves.
			expect(Math.abs(summary.logEvidence! - exact.logEvidence)).toBeLessThan(2.4 * (hi - lo) * 0.5);
			// Two effective parameters, known by 500 draws: to five standard errors of about √(2/500).
			expect(Math.abs(summary.loo!.elpd - exact.elpd)).toBeLessThan(0.3);
			expect(summary.loo!.oneStepAhead).toBe(true);
			// The noise of the equations follows the samples: what is left is smaller than their own, and no fault.
			expect(doubts.map(({ code }) => code)).not.toContain("noise-smaller");
		}
	}, 180_000);

	it("adds to rates, and nothing else can be made of it", async () => {
		const data = record({ t: [0, 1, 2], y: [1, 2, 1] });
		const refused = (changed: string) => runOf(bayes, parseModel(changed, "m.ode"), data, {}, {});
		await expect(refused(text.replace("+ w", "+ sin(w)"))).rejects.toThrow(
			/input w: is white noise, and does not enter/,
		);
		await expect(refused(text.replace("normal(x,", "normal(x + w,"))).rejects.toThrow(/a measure uses it/);
	});

	it("is written into the equation as well", () => {
		const short = text.replace("input w ~ white(q)\n", "").replace("+ w", "+ noise(q)");
		const { inputs, rhs } = parseModel(short, "m.ode");
		expect(inputs.map(({ name }) => name)).toEqual(["noise1"]);
		expect(rhs[0]).toMatchObject({ op: "add" });
		expect(symbolsOf(rhs)).toEqual(new Set(["k", "x", "noise1"]));
		const plain = printModel(parseModel(short, "m.ode"));
		expect(plain).toMatch(/noise1 ~ white\(q\)/);
		expect(parseModel(plain, "m.ode").inputs.length).toBe(1);
		// A function of one's own is one's own; elsewhere there is no such function.
		const own = short.replace("input", "").concat("function noise(a) = 2*a\n");
		expect(parseModel(own, "m.ode").inputs).toEqual([]);
		expect(() => parseModel(short.replace("noise(q)", "sin(noise(q))"), "m.ode")).toThrow(/noise/);
	});

	it("is refused elsewhere, with a reason", async () => {
		const data = record({ t: [0, 1, 2], y: [1, 2, 1] });
		await expect(runOf(fit, parseModel(text, "m.ode"), data, {}, {})).rejects.toThrow(
			/input w is a random process: bayes finds it/,
		);
		const short = text.replace("input w ~ white(q)\n", "").replace("+ w", "+ noise(q)");
		await expect(runOf(fit, parseModel(short, "m.ode"), data, {}, {})).rejects.toThrow(
			/noise\(…\) in the equations is a random process: bayes finds it. Elsewhere leave it out/,
		);
		expect(() => parseModel(text.replace("white(q)", "white(-1)"), "m.ode")).toThrow(
			/q must be a positive number/,
		);
	});
});
