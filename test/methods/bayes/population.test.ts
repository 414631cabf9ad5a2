/** Posteriors of populations: held against the closed form of a linear one, and against the truth of simulated twins. */
import * as hdf5 from "h5wasm";
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import {
	choleskyInto,
	choleskyInverse,
	choleskyLogDeterminant,
	solveLowerInto,
} from "../../../src/num/linear/cholesky.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { oralSubjects } from "../population-twin.ts";

/** Spreads are known: all is normal, and can be written down. */
const linear = `param m ~ normal(0, 3)
param a[record] ~ normal(m, 0.8)
state x = a
x' = 0
measure y ~ normal(x, 0.5)
`;

describe("a linear population", () => {
	const [nUnits, nSamples] = [8, 4];
	const random = stream(5, "linear population");
	const t = Array.from({ length: nSamples }, (_, i) => i);
	const values = Array.from({ length: nUnits }, (_, u) =>
		t.map((_, i) => 2 + 0.8 * random.normal(1000 + u) + 0.5 * random.normal(u * nSamples + i)),
	);
	const records = values.map((y, u) => record({ t, y }, { name: `unit ${u}` }));
	const means = values.map((y) => y.reduce((a, b) => a + b) / nSamples);
	/** Variance of the mean of one unit about m. */
	const own = 0.8 ** 2 + 0.5 ** 2 / nSamples;

	const ask = () => runOf(bayes, parseModel(linear, "m.ode"), records, {}, { compute: inline });
	let asked: ReturnType<typeof ask> | undefined;
	/** One run for two tests. */
	const answer = () => (asked ??= ask());

	it("has the posterior and the evidence that can be written down", async () => {
		const { summary, outcome } = await answer();
		expect(outcome).toBe("converged");
		const precision = 1 / 9 + nUnits / own;
		const mean = means.reduce((sum, each) => sum + each / own, 0) / precision;
		const sd = 1 / Math.sqrt(precision);
		// 1000 draws: means to 5 standard errors, standard deviations to 15 %.
		expect(Math.abs(summary.parameters.m.mean - mean) / sd).toBeLessThan(0.16);
		expect(Math.abs(summary.parameters.m.sd / sd - 1)).toBeLessThan(0.15);
		// All means are jointly normal about 0 with 9 between any two; what is within a unit stands apart.
		const within = values.reduce(
			(sum, y, u) => sum + y.reduce((q, each) => q + (each - means[u]) ** 2, 0),
			0,
		);
		const square =
			means.reduce((sum, each) => sum + (each * each) / own, 0) -
			means.reduce((sum, each) => sum + each / own, 0) ** 2 / precision;
		const logDeterminant = nUnits * Math.log(own) + Math.log(9) + Math.log(precision);
		const logEvidence =
			-0.5 * (nUnits * Math.log(2 * Math.PI) + logDeterminant + square) -
			within / (2 * 0.25) -
			((nUnits * (nSamples - 1)) / 2) * Math.log(2 * Math.PI * 0.25) -
			(nUnits / 2) * Math.log(nSamples);
		const { lo, hi } = summary.logEvidenceInterval!;
		expect(Math.abs(summary.logEvidence! - logEvidence)).toBeLessThan(0.15);
		expect(hi - lo).toBeLessThan(0.3);
		means.forEach((each, u) => {
			const share = 0.8 ** 2 / own;
			const { estimate } = summary.individuals![`unit ${u}`].a;
			expect(Math.abs(estimate - (mean + share * (each - mean)))).toBeLessThan(0.06);
		});
	});

	it("whose law is known has no unknowns but those of its records", async () => {
		const known = linear.replace("param m ~ normal(0, 3)", "param m = 2");
		const { summary, files, outcome, message } = await runOf(
			bayes,
			parseModel(known, "m.ode"),
			records,
			{},
			{ compute: inline },
		);
		expect(outcome).toBe("converged");
		expect(message).toContain("The posterior of a of 8 records");
		expect(summary.parameters).toEqual({});
		// Means of units are independent, each normal about 2.
		const logEvidence =
			means.reduce((sum, each) => sum - 0.5 * (Math.log(2 * Math.PI * own) + (each - 2) ** 2 / own), 0) +
			values.reduce(
				(sum, y, u) =>
					sum -
					y.reduce((q, each) => q + (each - means[u]) ** 2, 0) / (2 * 0.25) -
					((nSamples - 1) / 2) * Math.log(2 * Math.PI * 0.25) -
					0.5 * Math.log(nSamples),
				0,
			);
		expect(Math.abs(summary.logEvidence! - logEvidence)).toBeLessThan(0.15);
		means.forEach((each, u) => {
			const { estimate } = summary.individuals![`unit ${u}`].a;
			expect(Math.abs(estimate - (2 + (0.8 ** 2 / own) * (each - 2)))).toBeLessThan(0.06);
		});
		expect(files!.map(({ name }) => name)).toContain("posterior.nc");
	});

	it("foretells samples that are left out as can be written down, and its runs agree", async () => {
		const { summary, files, figures, assumptions } = await answer();
		const y = Float64Array.from(values.flat());
		const n = y.length;
		const C = Float64Array.from({ length: n * n }, (_, at) => {
			const [i, j] = [Math.floor(at / n), at % n];
			const isOwn = Math.floor(i / nSamples) === Math.floor(j / nSamples);
			return 9 + (isOwn ? 0.64 : 0) + (i === j ? 0.25 : 0);
		});
		choleskyInto(C, n);
		const K = choleskyInverse(C, n);
		// Given all others a sample is normal, with the variance 1/K.
		const elpd = y.reduce((sum, _, i) => {
			const own = K[i * n + i];
			const error = y.reduce((total, each, j) => total + K[i * n + j] * each, 0);
			return sum + 0.5 * Math.log(own / (2 * Math.PI)) - (error * error) / (2 * own);
		}, 0);
		// Of nine numbers, by 500 draws: five standard errors of about √(9/500).
		expect(Math.abs(summary.loo!.elpd - elpd)).toBeLessThan(0.7);
		expect(summary.parameters.m.rHat).toBeGreaterThan(0.99);
		expect(summary.parameters.m.rHat).toBeLessThan(1.05);
		expect(summary.runs).toHaveLength(2);
		for (const share of Object.values(summary.predictiveChecks!.y)) {
			expect(share).toBeGreaterThan(0.01);
			expect(share).toBeLessThan(0.99);
		}
		expect(assumptions.join(" ")).toContain("leave-one-out");
		expect(figures.map(({ name }) => name)).toEqual(expect.arrayContaining(["ranks", "posterior-m"]));
		const { FS } = await hdf5.ready;
		FS.writeFile("/population.nc", files.find(({ name }) => name === "posterior.nc")!.content as Uint8Array);
		const file = new hdf5.File("/population.nc", "r");
		expect(file.keys().sort()).toEqual([
			"log_likelihood",
			"observed_data",
			"posterior",
			"posterior_predictive",
			"prior",
			"sample_stats",
		]);
		const own = (file.get("posterior/a") as hdf5.Dataset).value as Float64Array;
		expect(own).toHaveLength(1000 * nUnits);
		const first = own.filter((_, at) => at % nUnits === 0);
		const mean = first.reduce((a, b) => a + b) / first.length;
		expect(Math.abs(mean - summary.individuals!["unit 0"].a.estimate)).toBeLessThan(0.06);
	});

	it("goes on from a checkpoint, and refuses what it cannot follow", async () => {
		const model = parseModel(linear.replace("~ normal(0, 3)", "in [-5, 5]"), "m.ode");
		await expect(runOf(bayes, model, records, {}, {})).rejects.toThrow(/m is known by a set/);
		await expect(runOf(bayes, parseModel(linear, "m.ode"), records.slice(0, 1), {}, {})).rejects.toThrow(
			/there is one record/,
		);
	});
});

describe("the evidence of a population", () => {
	const text = `condition weight, age
param m ~ normal(0, 3), be ~ normal(0, 0.3), ga ~ normal(0, 1), b ~ normal(0, 1), c ~ normal(0, 1)
param a[record] ~ normal(m + be*weight + ga*age, 0.8)
state x = a
x' = b + c*t
measure y ~ normal(x, 0.5)
`;
	const [nUnits, nSamples] = [10, 4];
	const random = stream(6, "five shared");
	const units = Array.from({ length: nUnits }, (_, u) => {
		const [weight, age, own] = [0, 1, 2].map((i) => random.normal(100 * u + i));
		const y = Array.from(
			{ length: nSamples },
			(_, t) => 2 + 0.2 * weight - age + 0.8 * own - 0.3 * t + 0.5 * random.normal(100 * u + 10 + t),
		);
		return { weight, age, y };
	});

	/** All samples are normal together: what is shared adds its prior's variance along its own column. */
	function exactLogEvidence(): number {
		const rows = units.flatMap(({ weight, age, y }, u) =>
			y.map((value, t) => ({ u, value, x: [3, 0.3 * weight, age, t, 0.5 * t * t] })),
		);
		const n = rows.length;
		const C = new Float64Array(n * n);
		for (const [i, one] of rows.entries())
			for (const [j, other] of rows.entries())
				C[i * n + j] =
					one.x.reduce((sum, value, k) => sum + value * other.x[k], 0) +
					(one.u === other.u ? 0.64 : 0) +
					(i === j ? 0.25 : 0);
		choleskyInto(C, n);
		const z = Float64Array.from(rows, ({ value }) => value);
		solveLowerInto(z, C, n);
		const square = z.reduce((sum, each) => sum + each * each, 0);
		return -0.5 * (square + choleskyLogDeterminant(C, n) + n * Math.log(2 * Math.PI));
	}

	it("is as far off as it says, over seeds", async () => {
		const model = parseModel(text, "m.ode");
		const records = units.map(({ weight, age, y }, u) =>
			record({ t: y.map((_, t) => t), y }, { name: `unit ${u}`, conditions: { weight, age } }),
		);
		const exact = exactLogEvidence();
		const count = repetitions(6, 100);
		const scores: number[] = [];
		for (let seed = 1; seed <= count; seed++) {
			const { summary } = await runOf(bayes, model, records, { particles: 400 }, { compute: inline, seed });
			const { lo, hi } = summary.logEvidenceInterval!;
			scores.push(((summary.logEvidence! - exact) * 2 * 1.645) / (hi - lo));
		}
		// Of standard normal scores: their mean to 4 standard errors, the sum of squares within chi²'s 99.99 %.
		const mean = scores.reduce((sum, z) => sum + z, 0) / count;
		const squares = scores.reduce((sum, z) => sum + z * z, 0);
		expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(count));
		expect(squares).toBeLessThan(count + 3.72 * Math.sqrt(2 * count) + 9.2);
	}, 180_000);
});

describe("simulated twins of an oral dose", () => {
	it("give the truth back within their spread", async () => {
		const { model, records, truth } = oralSubjects(12, 21);
		const { parameters, summary } = await runOf(bayes, model, records, { particles: 400 }, {});
		const squares = parameters.map(({ name, estimate, sd }) => ((estimate - truth[name]) / sd!) ** 2);
		for (const square of squares) expect(square).toBeLessThan(3.3 * 3.3);
		expect(squares.reduce((a, b) => a + b)).toBeLessThan(24.3);
		expect(summary.ess).toBeGreaterThan(200);
	}, 180_000);
});
