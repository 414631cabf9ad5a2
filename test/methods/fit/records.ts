/** Simulated records for tests: a model at known values, with noise. */

import { inline } from "../../../src/compute/inline.ts";
import type { Experiment, Series } from "../../../src/data/experiment.ts";
import type { Signal } from "../../../src/data/signal/signal.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { compileFunction } from "../../../src/lower/compile-function.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { stream } from "../../../src/num/random.ts";
import { knotsOf } from "../../../src/solve/piecewise-inputs.ts";
import { solveIvp } from "../../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../../src/solve/system.ts";

export interface RecordSpec {
	readonly model: Model;
	/** Values of parameters and conditions. */
	readonly values: Readonly<Record<string, number>>;
	readonly x0: readonly number[];
	readonly times: Float64Array;
	/** Standard deviation of each output's noise. */
	readonly noise: Readonly<Record<string, number>>;
	readonly seed: number;
	readonly inputs?: Readonly<Record<string, Signal>>;
	readonly name?: string;
}

export function simulateRecord(spec: RecordSpec): Experiment {
	const { model, times, seed } = spec;
	const params = Object.keys(spec.values);
	const inputs = Object.keys(spec.inputs ?? {});
	const signals = Object.values(spec.inputs ?? {});
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params,
		inputs,
	});
	const values = Float64Array.from(params, (name) => spec.values[name]);
	const { x } = solveIvp(
		system.ivp(values, signals),
		times[0],
		times[times.length - 1],
		Float64Array.from(spec.x0),
		{ rtol: 1e-11, atol: 1e-13, saveAt: times, knots: knotsOf(signals) },
	);
	const n = spec.x0.length;
	const measure = compileFunction(
		model.measures.map(({ value }) => value),
		[
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: model.components },
			{ name: "u", symbols: inputs },
			{ name: "p", symbols: params },
		],
	);
	const out = new Float64Array(model.measures.length);
	const columns = model.measures.map(() => new Float64Array(times.length));
	times.forEach((t, k) => {
		const u = Float64Array.from(signals, (signal) => signal.at(t));
		measure(t, x.subarray(k * n, (k + 1) * n), u, values, out);
		model.measures.forEach(({ name }, m) => {
			columns[m][k] =
				out[m] + (spec.noise[name] ?? 0) * stream(seed, `noise ${name} ${spec.name ?? ""}`).normal(k);
		});
	});
	const rows = Int32Array.from(times.keys());
	return {
		name: spec.name ?? "record",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(Object.entries(spec.inputs ?? {})),
		outputs: new Map(
			model.measures.map(({ name }, m): [string, Series] => [name, { times, values: columns[m], rows }]),
		),
		conditions: Object.fromEntries(model.conditions.map(({ name }) => [name, spec.values[name]])),
		removed: {},
	};
}

export function regularTimes(count: number, step: number): Float64Array {
	return Float64Array.from({ length: count }, (_, i) => i * step);
}

export const modelOf = (text: string): Model => parseModel(text, "test.ode");

export interface FitSetup {
	readonly model: Model;
	readonly train: readonly Experiment[];
	readonly test?: readonly Experiment[];
	readonly start?: Readonly<Record<string, number>>;
	readonly seed?: number;
	readonly options?: Partial<ReturnType<typeof defaultOptions<typeof fit.options>>>;
}

export function fitProblem({ model, train, test = [], start = {}, seed = 1 }: FitSetup) {
	return { model, train, test, start, seed, compute: inline };
}

/** Runs a fit to its end. */
export async function runFit(setup: FitSetup): Promise<Result> {
	const state = await fit.prepare(fitProblem(setup), { ...defaultOptions(fit.options), ...setup.options });
	while (!(await fit.advance(state)).done);
	return fit.result(state);
}
