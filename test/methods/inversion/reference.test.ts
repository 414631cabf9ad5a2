/** Example 1 against an independent implementation (`reference/example1.json`): steps at six λ, full fit, fit on the true terms. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operatingConditions } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { observationsOf } from "../../../src/estimate/observe/observations.ts";
import { candidatesOf } from "../../../src/methods/inversion/candidates/candidates.ts";
import { DampedSystem } from "../../../src/methods/inversion/descent/damped-step.ts";
import { Descent } from "../../../src/methods/inversion/descent/descent.ts";
import { fittedModel, standardErrors } from "../../../src/methods/inversion/descent/fitted-model.ts";
import { NormalSystem } from "../../../src/methods/inversion/descent/normal-system.ts";
import { QrSystem } from "../../../src/methods/inversion/descent/qr-system.ts";
import {
	designMatrix,
	residualOf,
	sumOfSquares,
	type WeightedProblem,
} from "../../../src/methods/inversion/forward/linearisation.ts";
import { settingOf, WeightForward } from "../../../src/methods/inversion/forward/weight-forward.ts";
import { stream } from "../../../src/num/random.ts";

interface Fit {
	a: number[];
	SSE: number;
	residualSdDof: number;
	se: (number | null)[];
}
interface Reference {
	C: number[][];
	data: number[][];
	firstIteration: {
		SSE0: number;
		rank: number;
		singularValues: number[];
		solutions: { lambda_: number; a: number[]; nonlinearSSE: number }[];
	};
	fullFit: Fit & { history: { it: number; SSE: number; lam: number }[] };
	trueSupportFit: Fit & { mask: boolean[] };
}
const reference = JSON.parse(
	readFileSync(new URL("reference/example1.json", import.meta.url), "utf8"),
) as Reference;

/** The reference stacks the columns of A (8 × 3); ours go row by row. */
const ours = <T>(a: readonly T[]): T[] =>
	Array.from({ length: 24 }, (_, w) => a[(w % 3) * 8 + Math.floor(w / 3)]);

const { model } = operatingConditions();
const times = Float64Array.from({ length: 11 }, (_, i) => i);
const rows = Int32Array.from(times.keys());
const train = reference.data.map(
	(data, e): Experiment => ({
		name: `set ${e + 1}`,
		times,
		rows: { from: 0, to: 11 },
		inputs: new Map(),
		outputs: new Map([
			["xm", { times, rows, values: Float64Array.from(data.slice(0, 11)) }],
			["ym", { times, rows, values: Float64Array.from(data.slice(11)) }],
		]),
		conditions: { c2: reference.C[1][e], c3: reference.C[2][e] },
		removed: {},
	}),
);
const candidates = candidatesOf(model, {}, false);
const observations = observationsOf(candidates.model, train);
const setting = settingOf(candidates, train, observations, {}, inline);
const problem: WeightedProblem = {
	forward: new WeightForward(setting, 10),
	rowWeights: new Float64Array(observations.nObservations).fill(1),
	scale: 1,
};
const all = [...Array(24).keys()];
const m = observations.nObservations;

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
	return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));
}

describe("example 1 of the paper", () => {
	test("the first iteration: sum of squares, singular values, steps at six λ", async () => {
		const start = new Float64Array(24);
		const [here] = await problem.forward.evaluate([start], true);
		expect(sumOfSquares(problem, here)).toBeCloseTo(reference.firstIteration.SSE0, 8);
		const system = new DampedSystem(designMatrix(problem, here, all), residualOf(problem, here), m, 24);
		const { singularValues, rank, solutions } = reference.firstIteration;
		expect(largestDifference(system.d.slice(0, rank), singularValues.slice(0, rank))).toBeLessThan(1e-10);
		expect(system.d[rank]).toBeLessThan(1e-10);
		for (const { lambda_, a, nonlinearSSE } of solutions) {
			const step = system.step(lambda_);
			expect(largestDifference(step, ours(a))).toBeLessThan(1e-8);
			const [there] = await problem.forward.evaluate([step], false);
			expect(sumOfSquares(problem, there) / nonlinearSSE).toBeCloseTo(1, 8);
		}
	});

	test("the iteration takes the same way, to the same weights and standard errors", async () => {
		const descent = new Descent(problem, all, new Float64Array(24), { tolerance: 1e-15, maxIterations: 60 });
		for (const { SSE, lam } of reference.fullFit.history.slice(0, 10)) {
			await descent.iterate();
			expect(descent.sse / SSE).toBeCloseTo(1, 6);
			// Below 1e-6 steps for neighbouring λ are alike to all digits, and rounding chooses between them.
			if (lam >= 1e-6) expect(descent.lambda / lam).toBeCloseTo(1, 6);
		}
		await (await descent.run()).polish();
		const { a, SSE, se, residualSdDof } = reference.fullFit;
		expect(Math.abs(descent.sse - SSE)).toBeLessThan(1e-12);
		expect(largestDifference(descent.point, ours(a))).toBeLessThan(1e-8);
		const fitted = await fittedModel(descent);
		const errors = standardErrors(fitted, fitted.sse / (m - 24));
		expect(Math.sqrt(fitted.sse / (m - 24))).toBeCloseTo(residualSdDof, 10);
		expect(largestDifference(errors, ours(se as number[]))).toBeLessThan(1e-8);
	});

	test("the fit of the true terms", async () => {
		const { mask, a, SSE, se } = reference.trueSupportFit;
		const active = all.filter((w) => ours(mask)[w]);
		const descent = new Descent(problem, active, new Float64Array(24), {
			tolerance: 1e-15,
			maxIterations: 60,
		});
		await (await descent.run()).polish();
		expect(Math.abs(descent.sse - SSE)).toBeLessThan(1e-12);
		expect(largestDifference(descent.point, ours(a))).toBeLessThan(1e-8);
		const fitted = await fittedModel(descent);
		const errors = standardErrors(fitted, fitted.sse / (m - active.length));
		expect(
			largestDifference(
				errors,
				active.map((w) => ours(se)[w] as number),
			),
		).toBeLessThan(1e-8);
	});
});

describe("other ways to the same numbers", () => {
	const random = stream(3, "point");
	const point = Float64Array.from(all, (w) => ours(reference.trueSupportFit.a)[w] + 0.01 * random.normal(w));

	test("sensitivities are the derivative of the discrete integration (central differences)", async () => {
		const [here] = await problem.forward.evaluate([point], true);
		const b = designMatrix(problem, here, all);
		for (const w of [0, 8, 13, 20]) {
			const h = 1e-6;
			const [up, down] = await problem.forward.evaluate(
				[h, -h].map((shift) => point.map((value, i) => (i === w ? value + shift : value))),
				false,
			);
			for (let i = 0; i < m; i++)
				expect(Math.abs((up.value[i] - down.value[i]) / (2 * h) - b[i * 24 + w])).toBeLessThan(
					1e-8 * (1 + Math.abs(b[i * 24 + w])),
				);
		}
	});

	test("transitions between samples give the kernel's sensitivities", async () => {
		const [kernel] = await problem.forward.evaluate([point], true);
		const [other] = await new WeightForward({ ...setting, large: true }, 10).evaluate([point], true);
		expect(largestDifference(kernel.value, other.value)).toBeLessThan(1e-12);
		expect(largestDifference(kernel.inner!, other.inner!)).toBeLessThan(1e-10);
	});

	test("triangle and normal equations give the step of the singular values", async () => {
		const weighted = { ...problem, rowWeights: problem.rowWeights.map((_, i) => 1 + (i % 3)) };
		const [here] = await problem.forward.evaluate([point], true);
		const b = designMatrix(weighted, here, all);
		const residual = residualOf(weighted, here);
		const svd = new DampedSystem(b, residual, m, 24);
		const qr = new QrSystem(b, residual, m, 24);
		const normal = new NormalSystem(weighted, here, all);
		for (const lambda of [1e-3, 0.1, 10]) {
			expect(largestDifference(svd.step(lambda), qr.step(lambda))).toBeLessThan(1e-10);
			expect(largestDifference(svd.step(lambda), normal.step(lambda))).toBeLessThan(1e-6);
		}
	});
});
