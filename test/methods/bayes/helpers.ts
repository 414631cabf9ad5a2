/** Records made for tests: a model simulated finely, with noise. */
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import type { BayesOptions, BayesRun } from "../../../src/methods/bayes/bayes-run.ts";
import { plainRun } from "../../../src/methods/bayes/bayes-state.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { stream } from "../../../src/num/random.ts";

export type Rhs = (t: number, x: number[]) => number[];

/** Runge–Kutta of order 4 with `steps` steps a sample: states at each time. */
export function simulate(f: Rhs, x0: number[], times: ArrayLike<number>, steps = 20): number[][] {
	let x = x0.slice();
	const states: number[][] = [];
	for (let i = 0; i < times.length; i++) {
		states.push(x.slice());
		if (i + 1 === times.length) break;
		const h = (times[i + 1] - times[i]) / steps;
		for (let s = 0; s < steps; s++) {
			const t = times[i] + s * h;
			const shifted = (k: number[], by: number): number[] => x.map((value, j) => value + by * k[j]);
			const k1 = f(t, x);
			const k2 = f(t + h / 2, shifted(k1, h / 2));
			const k3 = f(t + h / 2, shifted(k2, h / 2));
			const k4 = f(t + h, shifted(k3, h));
			x = x.map((value, j) => value + (h / 6) * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]));
		}
	}
	return states;
}

export function gridTimes(n: number, h: number): Float64Array {
	return Float64Array.from({ length: n }, (_, i) => i * h);
}

export function noisy(values: readonly number[], sd: number, seed: number): Float64Array {
	const random = stream(seed, "test noise");
	return Float64Array.from(values, (value, i) => value + sd * random.normal(i));
}

export function experimentOf(
	times: Float64Array,
	outputs: Record<string, Float64Array>,
	inputs: Record<string, Float64Array> = {},
	name = "record",
	between: "cubic" | "zoh" = "cubic",
): Experiment {
	return {
		name,
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(Object.entries(inputs).map(([key, values]) => [key, signalFrom(times, values, between)])),
		outputs: new Map(
			Object.entries(outputs).map(([key, values]) => [
				key,
				{ times: times.subarray(0, values.length), values, rows: Int32Array.from(values, (_, i) => i) },
			]),
		),
		conditions: {},
		removed: {},
	};
}

export function problemOf(
	model: Model | string,
	train: readonly Experiment[],
	test: readonly Experiment[] = [],
	seed = 1,
): Problem {
	return {
		model: typeof model === "string" ? parseModel(model, "test.ode") : model,
		train,
		test,
		start: {},
		seed,
		compute: inline,
	};
}

export async function runBayes(
	problem: Problem,
	options: Partial<BayesOptions> = {},
): Promise<{ run: BayesRun; result: Result }> {
	const run = plainRun(await bayes.prepare(problem, { ...defaultOptions(bayes.options), ...options }));
	while (!(await bayes.advance(run)).done);
	return { run, result: await bayes.result(run) };
}
