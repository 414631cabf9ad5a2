/** For a linear equation EKF1 is exact: the filter equals dense conditioning of the Gaussian process on all steps at once. */
import { describe, expect, it } from "vitest";
import { unscale } from "../../../src/estimate/state-space/integrated-wiener.ts";
import { gridBuffers, stepGrid } from "../../../src/methods/bayes/filter/filter-grid.ts";
import { type FilterSpec, filterKernel } from "../../../src/methods/bayes/filter/filter-kernel.ts";
import { layoutOf } from "../../../src/methods/bayes/filter/layout.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { choleskyInto, choleskySolveInto } from "../../../src/num/linear/cholesky.ts";
import { compileJs } from "../../lower/support/js-kernel.ts";

const [c, k, q, h, nSteps, gamma] = [0.4, 2.3, 3, 0.3, 7, 1.7];
const n = q + 1;
const model = parseModel(
	`state x = 1, x' = -0.5
x'' + ${c}*x' + ${k}*x = 0
measure y ~ normal(x, 0.1)`,
	"linear.ode",
);

const factorial = (m: number): number => (m < 2 ? 1 : m * factorial(m - 1));
const matrix = (f: (i: number, j: number) => number): number[][] =>
	Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => f(i, j)));
const times = (a: number[][], b: number[][]): number[][] =>
	a.map((row) => b[0].map((_, j) => row.reduce((sum, value, l) => sum + value * b[l][j], 0)));
const transposed = (a: number[][]): number[][] => a[0].map((_, j) => a.map((row) => row[j]));

/** Mean and covariance of the last state given that the equation holds at every step. */
function dense(start: number[]): { mean: number[]; cov: number[][] } {
	const A = matrix((i, j) => (j >= i ? h ** (j - i) / factorial(j - i) : 0));
	const Q = matrix(
		(i, j) =>
			(gamma * h ** (2 * q + 1 - i - j)) / ((2 * q + 1 - i - j) * factorial(q - i) * factorial(q - j)),
	);
	const H = [k, c, 1, 0];
	let mean = start.map((value) => [value]);
	let own = matrix(() => 0);
	// Covariances of state s with state t ≥ s: C_ss (Aᵀ)^(t-s).
	const variances: number[][][] = [];
	const means: number[][][] = [];
	for (let t = 0; t < nSteps; t++) {
		mean = times(A, mean);
		own = times(times(A, own), transposed(A)).map((row, i) => row.map((value, j) => value + Q[i][j]));
		variances.push(own);
		means.push(mean);
	}
	const between = (s: number, t: number): number[][] => {
		let C = variances[Math.min(s, t)];
		for (let step = 0; step < Math.abs(t - s); step++) C = times(C, transposed(A));
		return s <= t ? C : transposed(C);
	};
	const zz = new Float64Array(nSteps * nSteps);
	const xz = Array.from({ length: nSteps }, (_, t) =>
		times(between(nSteps - 1, t), transposed([H])).map(([value]) => value),
	);
	for (let s = 0; s < nSteps; s++)
		for (let t = 0; t < nSteps; t++)
			zz[s * nSteps + t] = times(times([H], between(s, t)), transposed([H]))[0][0];
	choleskyInto(zz, nSteps);
	const z = Float64Array.from(means, (m) => -times([H], m)[0][0]);
	choleskySolveInto(z, zz, nSteps);
	const last = means[nSteps - 1];
	return {
		mean: last.map(([value], i) => value + xz.reduce((sum, row, t) => sum + row[i] * z[t], 0)),
		cov: matrix((i, j) => {
			const column = Float64Array.from(xz, (row) => row[j]);
			choleskySolveInto(column, zz, nSteps);
			return variances[nSteps - 1][i][j] - xz.reduce((sum, row, t) => sum + row[i] * column[t], 0);
		}),
	};
}

describe("EKF1 on a linear oscillator", () => {
	it("equals dense conditioning on the equation at all steps", () => {
		const layout = layoutOf(model, "native", q);
		const spec: FilterSpec = {
			model,
			layout,
			linearisation: "ekf1",
			diffusion: "fixed",
			params: [],
			freeInitial: [],
			exactStart: true,
			uniformSteps: true,
			gaps: false,
			update: false,
			equationEvidence: false,
			output: "none",
		};
		const filter = filterKernel(spec);
		const samples = Float64Array.from({ length: nSteps + 1 }, (_, i) => i * h);
		const buffers: Record<string, Float64Array> = {
			...gridBuffers(spec, filter, {
				grid: stepGrid(0, samples, 1),
				signals: [],
				y: new Float64Array(nSteps + 1),
				present: new Float64Array(nSteps + 1),
				gamma: [gamma],
			}),
			params: new Float64Array(1),
			initial: new Float64Array(1),
			mean: new Float64Array(n),
			cov: new Float64Array(filter.covPairs.length),
			diffusion: new Float64Array(1),
			logLik: new Float64Array(1),
		};
		const used = filter.kernel.buffers.map(({ name }) => buffers[name]);
		compileJs(filter.kernel)(0, 1, 1, ...used, 0, nSteps + 1);
		const a0 = 0.5 * c - k;
		const expected = dense([1, -0.5, a0, -c * a0 + 0.5 * k]);
		for (let i = 0; i < n; i++) expect(buffers.mean[i] * unscale(i, h)).toBeCloseTo(expected.mean[i], 9);
		for (const [p, [i, j]] of filter.covPairs.entries()) {
			const natural = buffers.cov[p] * unscale(i, h) * unscale(j, h);
			const size = Math.sqrt(Math.abs(expected.cov[i][i] * expected.cov[j][j]));
			expect(Math.abs(natural - expected.cov[i][j])).toBeLessThan(1e-8 * size + 1e-12);
		}
	});
});
