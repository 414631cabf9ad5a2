/** Effective size, leave-one-out scores, predictive checks and ranks: against closed forms, and where a model is wrong. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { leaveOneOut } from "../../../src/methods/bayes/answer/diagnostics.ts";
import { pointwise } from "../../../src/methods/bayes/answer/pointwise.ts";
import { Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import {
	drawPriors,
	naturalValues,
	posteriorUnknowns,
} from "../../../src/methods/bayes/likelihood/unknowns.ts";
import type { BayesSummary } from "../../../src/methods/bayes/summary.ts";
import { stream } from "../../../src/num/random.ts";
import { experimentOf } from "./helpers.ts";

const settings = {
	layout: "native",
	q: 3,
	linearisation: "ekf0",
	diffusion: "off",
	equationEvidence: false,
	substeps: 8,
} as const;

test.each([
	"normal(a*x, s)",
	"lognormal(log(a*x), s)",
	"student(4, a*x, s)",
	"poisson(9*a*x)",
	"negbinomial(9*a*x, s)",
	"normal(a*x, s, correlated: 0.5)",
	"normal(a*x, s, rounded: 0.5)",
])(
	"%s: terms of the samples sum up to the likelihood, and replicas scatter as its law does",
	async (noise) => {
		const s = noise.includes("s") && /\bs\b/.test(noise) ? ", s ~ lognormal(-1, 0.3)" : "";
		const own = model(`param a ~ lognormal(0.7, 0.2)${s}\nstate x = 1\nx' = -0.3*x\nmeasure y ~ ${noise}`);
		const times = Array.from({ length: 12 }, (_, i) => i / 4);
		const { y } = simulate(own, { times, values: { a: 2, ...(s ? { s: 0.4 } : {}) }, noise: true }).columns;
		const unknowns = posteriorUnknowns(own, ["record"]);
		const experiment = experimentOf(Float64Array.from(times), { y });
		const likelihood = new Likelihood(own, unknowns, [experiment], settings, inline);
		const n = 400;
		const theta = naturalValues(unknowns, drawPriors(unknowns, n, 1, "test"), n);
		const samples = await pointwise(likelihood, theta, n, 1);
		const whole = await likelihood.logLikelihoods(theta, n);
		for (let b = 0; b < n; b++) {
			const sum = samples.reduce((total, { logLik }) => total + logLik[b], 0);
			expect(sum).toBeCloseTo(whole[b] + likelihood.logJacobian, 7);
		}
		// Replicas of one draw, again and again, have the mean of its law (of lognormal ones, the median).
		const same = theta.map((_, k) => theta[k - (k % n)]);
		const [first] = await pointwise(likelihood, same, n, 2);
		const sorted = first.replicated!.slice().sort();
		const middle = (noise.includes("9*") ? 9 : 1) * same[0];
		const width = (sorted[Math.floor(0.975 * n)] - sorted[Math.floor(0.025 * n)]) / 4;
		expect(Math.abs(sorted[n / 2] - middle)).toBeLessThan(width + 0.25);
		expect(width).toBeGreaterThan(0);
	},
);

describe("weights of samples that are left out", () => {
	/** Ratios with a tail of shape 2, so large beside 1. */
	const sampleOf = (size: number) => {
		const random = stream(3, "tail");
		return {
			logLik: Float64Array.from({ length: 500 }, (_, b) => -Math.log(1 + size * random.uniform(b) ** -2)),
		};
	};

	test("are judged by how far they differ, and then by their tail", () => {
		// 1 + 1e-7/u² is 1 up to 2 % but for one draw in 450.
		expect(leaveOneOut([sampleOf(1e-7), sampleOf(1)])).toMatchObject({ bad: 1 });
		expect(leaveOneOut([sampleOf(1e-7)]).worstK).toBeGreaterThan(0.7);
	});
});

describe("a level of normal samples", () => {
	const own = model("param a ~ normal(0, 10)\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, 1)");
	const random = stream(9, "level");
	const y = Array.from({ length: 20 }, (_, i) => 3 + random.normal(i));
	const data = record({ t: y.map((_, i) => i), y });

	test("leave-one-out scores are those of the posteriors without each sample", async () => {
		/** Log density of y[i] as foretold from these samples. */
		const foretold = (i: number, from: readonly number[]): number => {
			const variance = 1 / (from.length + 0.01);
			const mean = variance * from.reduce((a, b) => a + b);
			return -0.5 * Math.log(2 * Math.PI * (1 + variance)) - (0.5 * (y[i] - mean) ** 2) / (1 + variance);
		};
		const without = (i: number): number[] => y.filter((_, j) => j !== i);
		const elpd = y.reduce((sum, _, i) => sum + foretold(i, without(i)), 0);
		const whole = y.reduce((sum, _, i) => sum + foretold(i, y), 0);
		const { summary, assumptions } = await run(own, data, { method: "bayes", options: { particles: 2000 } });
		const { ess, loo, predictiveChecks } = summary as unknown as Required<BayesSummary>;
		expect(Math.abs(loo.elpd - elpd)).toBeLessThan(0.15);
		expect(Math.abs(loo.p - (whole - elpd))).toBeLessThan(0.1);
		expect(loo.bad).toBe(0);
		expect(ess).toBeGreaterThan(1000);
		expect(ess).toBeLessThanOrEqual(2000);
		for (const share of Object.values(predictiveChecks.y)) {
			expect(share).toBeGreaterThan(0.01);
			expect(share).toBeLessThan(0.99);
		}
		expect(assumptions.join(" ")).toContain("leave-one-out");
	});

	test("runs have ranks of their own, even where they agree", async () => {
		const { figures } = await run(own, data, { method: "bayes", options: { particles: 800 } });
		const { marks } = figures.find(({ name }) => name === "ranks")!;
		const lines = marks.flatMap((mark) => (mark.type === "line" ? [Array.from(mark.y)] : []));
		expect(lines).toHaveLength(2);
		// Shares of 1 in each bin, about: 5 standard deviations of what the rules are 2 of.
		const [above] = marks.flatMap((mark) => (mark.type === "rule" ? [mark.at - 1] : []));
		const shares = lines.flat().filter(Number.isFinite);
		expect(shares.length).toBeGreaterThan(0);
		for (const share of shares) expect(Math.abs(share - 1)).toBeLessThan((5 / 2) * above);
	});
});

test("samples that scatter more than the model lets them fail the check of their deviation", async () => {
	const times = Array.from({ length: 40 }, (_, i) => i / 10);
	const truth = model("param a, n\nstate x = 1\nx' = 0\nmeasure y ~ negbinomial(a*x, n)");
	const { y } = simulate(truth, { times, values: { a: 50, n: 3 }, noise: true }).columns;
	const wrong = model("param a ~ lognormal(4, 1)\nstate x = 1\nx' = 0\nmeasure y ~ poisson(a*x)");
	const { summary } = await run(wrong, record({ t: times, y }), {
		method: "bayes",
		options: { particles: 400 },
	});
	const { predictiveChecks } = summary as unknown as Required<BayesSummary>;
	expect(predictiveChecks.y.sd).toBeLessThan(0.01);
});
