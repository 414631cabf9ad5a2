/** Linear systems that move faster than they are sampled: what swings is said to, what only relaxes is not. */
import { expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { estimationOf, type Integration } from "../../../src/estimate/forward/estimation.ts";
import { swingingOutputs } from "../../../src/estimate/judge/too-fast.ts";
import { stream } from "../../../src/num/random.ts";
import { modelOf, regularTimes, simulateRecord } from "../../methods/fit/records.ts";
import { repetitions } from "../../repetitions.ts";

type Matrix = readonly (readonly number[])[];
const integrations: readonly Integration[] = [
	{ kind: "fixed", substeps: 64 },
	{ kind: "adaptive", rtol: 1e-4 },
	{ kind: "adaptive", rtol: 1e-8 },
];

/** Outputs of x' = A x + b that are said to swing, from samples that are one unit of time apart. */
function said(A: Matrix, b: readonly number[], x0: readonly number[], samples: number, by: Integration) {
	const model = modelOf(
		[
			...x0.map((start, i) => `state x${i} = ${start}`),
			...A.map((row, i) => `x${i}' = ${row.map((a, j) => `(${a})*x${j}`).join(" + ")} + (${b[i]})`),
			"measure y ~ normal(x0, 0.1)",
		].join("\n"),
	);
	const record = simulateRecord({
		model,
		values: {},
		x0,
		times: regularTimes(samples, 1),
		noise: {},
		seed: 1,
	});
	return swingingOutputs(estimationOf(model, [record], {}, inline), by, new Float64Array());
}

/** A matrix with the eigenvalues of D, by shears of random strength. */
function sheared(D: Matrix, draw: () => number): number[][] {
	let A = D.map((row) => [...row]);
	for (const i of D.keys())
		for (const j of D.keys()) {
			if (i === j) continue;
			const c = 2 * draw() - 1;
			A = A.map((row, k) => (k === i ? row.map((a, m) => a + c * A[j][m]) : row));
			A = A.map((row) => row.map((a, m) => (m === j ? a - c * row[i] : a)));
		}
	return A;
}

/** Drawn systems: with the first two eigenvalues complex, or all real. */
async function trial(k: number, swings: boolean): Promise<string[]> {
	const draws = stream(k, "linear");
	let next = 0;
	const draw = (): number => draws.uniform(next++);
	const n = (swings ? 2 : 1) + Math.floor(4 * draw());
	const samples = swings ? 12 + Math.floor(20 * draw()) : 2 + Math.floor(20 * draw());
	const D = Array.from({ length: n }, (_, i) =>
		Array.from({ length: n }, (_, j) => (i === j ? -(10 ** (3.5 * draw() - 1)) : 0)),
	);
	if (swings) {
		const [damping, turning] = [-0.1 * draw(), Math.PI * (2 + 4 * draw())];
		[D[0][0], D[0][1], D[1][0], D[1][1]] = [damping, turning, -turning, damping];
	}
	const [b, x0] = [D.map(() => 10 * draw() - 5), D.map(() => 10 * draw() - 5)];
	return said(sheared(D, draw), b, x0, samples, integrations[k % integrations.length]);
}

test("what only relaxes is not said to swing, however fast and however few the samples", async () => {
	for (let k = 0; k < repetitions(60, 1000); k++) expect(await trial(k, false), `trial ${k}`).toEqual([]);
});

test("a fast conversion that is sampled at both ends is at rest between them", async () => {
	const conversion = [
		[-100, 5.8],
		[100, -5.8],
	];
	for (const by of integrations) expect(await said(conversion, [0, 0], [0.7, 1.12], 2, by)).toEqual([]);
});

test("what swings faster than the samples is said to", async () => {
	for (let k = 0; k < repetitions(60, 1000); k++) expect(await trial(k, true), `trial ${k}`).toEqual(["y"]);
});
