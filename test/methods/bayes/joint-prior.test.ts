/** A prior of several parameters together: beside the posterior and evidence of a linear model, which are known. */
import { expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { methods } from "../../../src/methods/registry.ts";
import { Session } from "../../../src/methods/session.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { choleskyInto, choleskyLogDeterminant, solveLowerInto } from "../../../src/num/linear/cholesky.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes } from "./helpers.ts";

/** y = a + b t with errors of sd 0.3. */
const text = `param a ~ normal(0, 10), b ~ normal(0, 10)
state x = 0
x' = 1
measure y ~ normal(a + b*x, 0.3)`;
const times = gridTimes(12, 0.5);
const y = noisy(
	Array.from(times, (t) => 1.2 - 0.4 * t),
	0.3,
	4,
);
const prior = {
	names: ["a", "b"],
	mean: [1, -0.2],
	covariance: [
		[0.04, -0.018],
		[-0.018, 0.01],
	],
};

it("gives the posterior and the evidence that follow from it", async () => {
	const { run, result } = await runBayes(
		{ ...problemOf(text, [experimentOf(times, { y })]), prior },
		{ particles: 2000, netcdf: false },
	);
	// Precision and mean by hand: prior's inverse plus Σ (1, t)(1, t)ᵀ / s².
	const { mean, covariance: C } = prior;
	const det = C[0][0] * C[1][1] - C[0][1] ** 2;
	const inverse = [C[1][1] / det, -C[0][1] / det, C[0][0] / det];
	const P = [...inverse];
	const right = [inverse[0] * mean[0] + inverse[1] * mean[1], inverse[1] * mean[0] + inverse[2] * mean[1]];
	times.forEach((t, i) => {
		P[0] += 1 / 0.09;
		P[1] += t / 0.09;
		P[2] += (t * t) / 0.09;
		right[0] += y[i] / 0.09;
		right[1] += (t * y[i]) / 0.09;
	});
	const posterior = P[0] * P[2] - P[1] ** 2;
	const expected = [
		(P[2] * right[0] - P[1] * right[1]) / posterior,
		(P[0] * right[1] - P[1] * right[0]) / posterior,
	];
	const sds = [Math.sqrt(P[2] / posterior), Math.sqrt(P[0] / posterior)];
	for (const [i, { estimate, sd }] of result.parameters.entries()) {
		expect(Math.abs(estimate - expected[i]) / sds[i]).toBeLessThan(0.1);
		expect(sd! / sds[i]).toBeGreaterThan(0.93);
		expect(sd! / sds[i]).toBeLessThan(1.07);
	}
	// The samples are normal with mean m_a + m_b t and covariance s² I + (1, t) C (1, t)ᵀ.
	const n = times.length;
	const S = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++)
			S[i * n + j] =
				C[0][0] + C[0][1] * (times[i] + times[j]) + C[1][1] * times[i] * times[j] + (i === j ? 0.09 : 0);
	choleskyInto(S, n);
	const e = y.map((value, i) => value - mean[0] - mean[1] * times[i]);
	solveLowerInto(e, S, n);
	const square = e.reduce((sum, value) => sum + value * value, 0);
	const evidence = -0.5 * square - 0.5 * choleskyLogDeterminant(S, n) - 0.5 * n * Math.log(2 * Math.PI);
	expect(Math.abs(run.logEvidence - evidence)).toBeLessThan(0.1);
	expect(result.assumptions.join("\n")).toContain(
		"a, b obey a normal law together, with correlations of up to -0.90",
	);
}, 60_000);

it("goes sample by sample to the same place", async () => {
	const problem = { ...problemOf(text, [experimentOf(times, { y })]), prior };
	const [all, one] = [
		await runBayes(problem, { particles: 1000, netcdf: false }),
		await runBayes(problem, { particles: 1000, netcdf: false, sampler: "ibis", integrationError: "none" }),
	];
	for (const [i, { estimate, sd }] of all.result.parameters.entries())
		expect(Math.abs(one.result.parameters[i].estimate - estimate) / sd!).toBeLessThan(0.2);
}, 60_000);

it("is refused by methods that weigh no such law, and by populations", async () => {
	const problem = { ...problemOf(text, [experimentOf(times, { y })]), prior };
	for (const name of ["fit", "all"])
		await expect(Session.begin({ method: methods.get(name)!, problem })).rejects.toThrow(
			`what is known of a, b together, and ${name} weighs no such law`,
		);
	const model = parseModel(
		`param a ~ normal(0, 10), w ~ halfnormal(1), b[record] ~ normal(a, w)
state x = 0
x' = b
measure y ~ normal(x, 0.3)`,
		"m.ode",
	);
	const population = {
		...problem,
		model,
		compute: inline,
		prior: { names: ["a"], mean: [0], covariance: [[1]] },
	};
	await expect(Session.begin({ method: methods.get("bayes")!, problem: population })).rejects.toThrow(
		"here some differ from record to record",
	);
});
