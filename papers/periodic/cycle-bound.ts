/**
 * The Cramér–Rao bound for a record of a limit cycle: parameters and phase unknown, the state on the cycle. The cycle moves
 * with the parameters; how is found from the sensitivities over one period and the closing conditions
 * x(T; x₀, p) = x₀ with the first state held.
 */

import { parseModel } from "../../src/model/language/parse-model.ts";
import { choleskyInto, choleskyInverse } from "../../src/num/linear/cholesky.ts";
import { luFactorInto, luSolveInto } from "../../src/num/linear/lu.ts";
import { squared } from "../../src/num/whole-power.ts";
import { solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { OdeSystem } from "../../src/solve/system.ts";
import type { PaperExample } from "./paper.ts";

/** Standard deviations that no unbiased estimate can go below, of each parameter and of the period. */
export function cycleBound(example: PaperExample, times: Float64Array, noise: number): Map<string, number> {
	const model = parseModel(example.text, "paper.ode");
	const names = Object.keys(example.truth);
	const values = names.map((name) => example.truth[name]);
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params: names,
		inputs: [],
	});
	const ivp = system.sensitiveIvp(values);
	const n = model.components.length;
	const p = names.length;
	const width = p + n;
	const x0 = Float64Array.from(example.x0);
	const S0 = new Float64Array(n * width);
	for (let i = 0; i < n; i++) S0[i * width + p + i] = 1;
	const solve = (to: number, saveAt: Float64Array) =>
		solveWithSensitivities(ivp, 0, to, x0, S0, { rtol: 1e-11, atol: 1e-12, saveAt });
	// Columns: the free states after the first, then the period; one right-hand side a parameter.
	const { S } = solve(example.period, Float64Array.of(example.period));
	const slope = new Float64Array(n);
	ivp.rhs(0, x0, slope);
	const closing = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		for (let j = 1; j < n; j++) closing[i * n + j - 1] = S[i * width + p + j] - (i === j ? 1 : 0);
		closing[i * n + n - 1] = slope[i];
	}
	const pivots = new Int32Array(n);
	luFactorInto(closing, pivots, n);
	const moves = names.map((_, k) => {
		const change = Float64Array.from({ length: n }, (_, i) => -S[i * width + k]);
		luSolveInto(change, closing, pivots, n);
		return change;
	});
	const along = solve(times[times.length - 1], times);
	// Unknowns: parameters, then the phase.
	const size = p + 1;
	const information = new Float64Array(size * size);
	const row = new Float64Array(size);
	for (let t = 0; t < times.length; t++) {
		const at = t * n * width;
		for (let k = 0; k < p; k++) {
			row[k] = along.S[at + k];
			for (let j = 1; j < n; j++) row[k] += along.S[at + p + j] * moves[k][j - 1];
		}
		ivp.rhs(times[t], along.x.subarray(t * n, (t + 1) * n), slope);
		row[p] = slope[0];
		for (let i = 0; i < size; i++)
			for (let j = 0; j < size; j++) information[i * size + j] += (row[i] * row[j]) / squared(noise);
	}
	// Scaled to a unit diagonal first: parameters differ much in size.
	const scale = Float64Array.from({ length: size }, (_, i) => 1 / Math.sqrt(information[i * (size + 1)]));
	const scaled = information.map((value, i) => value * scale[Math.floor(i / size)] * scale[i % size]);
	choleskyInto(scaled, size);
	const covariance = choleskyInverse(scaled, size).map(
		(value, i) => value * scale[Math.floor(i / size)] * scale[i % size],
	);
	const bound = new Map(names.map((name, k) => [name, Math.sqrt(covariance[k * (size + 1)])]));
	let period = 0;
	for (let k = 0; k < p; k++)
		for (let l = 0; l < p; l++) period += moves[k][n - 1] * covariance[k * size + l] * moves[l][n - 1];
	return bound.set("period", Math.sqrt(period));
}
