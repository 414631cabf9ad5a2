/** Errors that go on from sample to sample: an exact likelihood, the remedy of the doubt that names them, and refusals. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { readCsv } from "../../../src/data/csv/csv.ts";
import { record, recordOf } from "../../../src/data/data-record.ts";
import { estimationOf } from "../../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../../src/estimate/forward/forward-of.ts";
import { costs } from "../../../src/estimate/observe/likelihood.ts";
import { residualsOf } from "../../../src/estimate/predict/residuals.ts";
import { toSearch } from "../../../src/estimate/unknowns/unknowns.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { methods } from "../../../src/methods/registry.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { choleskyInto } from "../../../src/num/linear/cholesky.ts";
import { stream } from "../../../src/num/random.ts";
import { autocorrelation } from "../../../src/num/statistics/autocorrelation.ts";
import { experimentOf } from "../../methods/bayes/helpers.ts";
import { expectGradient } from "./gradient.ts";

const random = stream(5, "times");
/** At no even distances. */
const times = Float64Array.from({ length: 25 }, (_, i) => 0.2 * i + 0.1 * random.uniform(i));
const lines = "state x = 1\nx' = -k*x";
const priors =
	"param a ~ lognormal(log(2), 0.5), k ~ lognormal(log(0.5), 0.5), s ~ lognormal(log(0.1), 0.7), tau ~ lognormal(log(0.5), 0.7)";
const own = model(`${priors}\n${lines}\nmeasure y ~ normal(a*x, s*(1 + x), correlated: tau)`);
const truth = { a: 2, k: 0.5, s: 0.1, tau: 0.6 };

/** Log density of all samples at once: a normal vector with the covariance sᵢ sⱼ exp(-|tᵢ - tⱼ|/τ). */
function dense(y: ArrayLike<number>, { a, k, s, tau }: typeof truth): number {
	const n = times.length;
	const decay = Array.from(times, (t) => Math.exp(-k * (t - times[0])));
	const L = Float64Array.from({ length: n * n }, (_, p) => {
		const [i, j] = [Math.floor(p / n), p % n];
		const spread = s * (1 + decay[i]) * s * (1 + decay[j]);
		return spread * Math.exp(-Math.abs(times[i] - times[j]) / tau);
	});
	choleskyInto(L, n);
	let sum = -0.5 * n * Math.log(2 * Math.PI);
	const w = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		let rest = y[i] - a * decay[i];
		for (let j = 0; j < i; j++) rest -= L[i * n + j] * w[j];
		w[i] = rest / L[i * n + i];
		sum -= 0.5 * w[i] * w[i] + Math.log(L[i * n + i]);
	}
	return sum;
}

const y = simulate(own, { times: [...times], values: truth, noise: true, seed: 3 }).columns.y;
const experiment = experimentOf(times, { y });

describe("the likelihood", () => {
	test("is that of the whole vector, in fit and in bayes", async () => {
		const estimation = estimationOf(own, [experiment], {}, inline);
		const problem = { ...estimation, forward: forwardOf(estimation, { kind: "fixed", substeps: 8 }) };
		const values = [1.8, 0.45, 0.13, 0.4];
		const z = Float64Array.from(estimation.unknowns, (unknown, i) => toSearch(unknown, values[i]));
		const wanted = dense(y, { a: values[0], k: values[1], s: values[2], tau: values[3] });
		const [cost] = await costs(problem, [z]);
		// The cost leaves nothing out.
		expect(-cost).toBeCloseTo(wanted, 5);
		const settings = {
			layout: "native",
			q: 3,
			linearisation: "ekf0",
			diffusion: "off",
			equationEvidence: false,
			substeps: 20,
		} as const;
		const likelihood = new Likelihood(
			own,
			posteriorUnknowns(own, ["record"]),
			[experiment],
			settings,
			inline,
		);
		const [logLik] = await likelihood.logLikelihoods(Float64Array.from(values), 1);
		expect(logLik).toBeCloseTo(wanted, 5);
	});

	test("has the slopes that its rows say", async () => {
		const estimation = estimationOf(own, [experiment], {}, inline);
		const { unknowns } = estimation;
		const problem = { ...estimation, forward: forwardOf(estimation, { kind: "fixed", substeps: 4 }) };
		for (let trial = 0; trial < 5; trial++) {
			const z = Float64Array.from(
				unknowns,
				(unknown, j) => toSearch(unknown, unknown.start) + 0.4 * random.normal(1000 + 10 * trial + j),
			);
			await expectGradient(problem, z);
		}
	});
});

test("errors are drawn with the correlation that is declared", () => {
	const still = model("param tau\nstate x = 0\nx' = 0\nmeasure y ~ normal(x, 2, correlated: tau)");
	const many = Array.from({ length: 8001 }, (_, i) => i / 10);
	const e = simulate(still, { times: many, values: { tau: 0.3 }, noise: true }).columns.y;
	const product = (lag: number): number => {
		let sum = 0;
		for (let i = lag; i < e.length; i++) sum += e[i] * e[i - lag];
		return sum / (e.length - lag);
	};
	// Bartlett's formula: the standard error of such a correlation is below 0.015 here, that of the variance below 0.03.
	expect(Math.abs(product(0) / 4 - 1)).toBeLessThan(0.12);
	for (const lag of [1, 2, 3])
		expect(Math.abs(product(lag) / product(0) - Math.exp(-lag / 3))).toBeLessThan(0.06);
});

test("is printed as it was written, and depends on nothing that moves", () => {
	expect(printModel(own)).toContain("normal(a*x, s*(1 + x), correlated: tau)");
	const wrong = (time: string): unknown =>
		model(`param k\n${lines}\nmeasure y ~ normal(x, 1, correlated: ${time})`);
	expect(() => wrong("x")).toThrow(/a time of memory cannot use the state "x"/);
	expect(() => wrong("-1")).toThrow(/correlated must be a positive number/);
	expect(() => wrong("1, rounded: 0.1")).toThrow(/cannot be weighed/);
});

describe("a record whose errors are remembered for a fifth of a unit", () => {
	const even = Array.from({ length: 120 }, (_, i) => i / 20);
	const plain =
		model(`param a ~ lognormal(log(2), 0.5), k ~ lognormal(log(0.5), 0.5), s ~ lognormal(log(0.1), 0.7)
${lines}
measure y ~ normal(a*x, s)`);
	const values = { a: 2, k: 0.5, s: 0.1, tau: 0.2 };
	const made = model(`${priors}\n${lines}\nmeasure y ~ normal(a*x, s, correlated: tau)`);
	const seen = simulate(made, { times: even, values, noise: true, seed: 1 }).columns.y;
	const data = record({ t: even, y: seen });

	test.each(["fit", "bayes"] as const)(
		"%s doubts it, and the remedy that the doubt names cures it",
		async (method) => {
			const options = method === "bayes" ? { particles: 500 } : {};
			const before = await run(plain, data, { method, options });
			const doubt = before.doubts.find(({ code }) => code === "dependent-residuals")!;
			const line = /measure y ~ .*correlated: tau\)/.exec(doubt.text)![0];
			const cured = model(`${priors}\n${lines}\n${line}`);
			const after = await run(cured, data, { method, options });
			expect(after.doubts.map(({ code }) => code)).toEqual([]);
			for (const { name, estimate, lo, hi } of after.parameters) {
				const true_ = values[name as "a"];
				expect(lo! <= 1.3 * true_ && hi! >= true_ / 1.3, `${name} ${estimate}`).toBe(true);
			}
			// What the report draws is what was judged: it has no correlation to speak of, the residuals themselves have.
			const [{ judged }] = after.predictions;
			expect(Math.abs(autocorrelation(judged!, 1)[1])).toBeLessThan(0.3);
			expect(autocorrelation(residualsOf(after.predictions[0])!.r, 1)[1]).toBeGreaterThan(0.5);
			// Such noise tells less of the decay than independent noise would.
			const width = ({ parameters }: typeof before): number =>
				parameters.find(({ name }) => name === "k")!.sd!;
			expect(width(after)).toBeGreaterThan(1.5 * width(before));
		},
	);
});

test("other methods refuse it with a reason", () => {
	for (const [name, { appliesTo }] of methods) {
		if (["fit", "bayes", "all"].includes(name)) continue;
		expect(appliesTo(own).applies, name).toBe(false);
	}
});

test.each(["fit", "bayes"] as const)("%s refuses limits among remembered errors", async (method) => {
	const table = readCsv(new TextEncoder().encode("t,y\n0,2\n1,1\n2,<0.5\n3,<0.5\n"), "a.csv");
	await expect(run(own, recordOf(table, "a.csv", {}), { method })).rejects.toThrow(/declared as correlated/);
});
