/** Records for tests: a model at known values, with errors inside given bounds, and runs of the method on them. */
import type { Compute } from "../../../src/compute/compute.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { SampledSignal } from "../../../src/data/signal/signal.ts";
import { compileFunction } from "../../../src/lower/compile-function.ts";
import { type GuaranteedOptions, GuaranteedRun } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { foldFormulaInputs } from "../../../src/model/formula-inputs.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { knotsOf } from "../../../src/solve/piecewise-inputs.ts";
import { solveIvp } from "../../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../../src/solve/system.ts";

export const compartments = `param p1 = 1, p2 = 1.2, p3 = 0.5
param p4 in [0.1, 0.5]
state x1 = 1, x2 = 0
x1' = -p3*x1 - p1*x1/(1 + p2*x1) + p4*x2
x2' =  p3*x1 - p4*x2
measure y in x2 +- 0.005`;

export interface TruthSpec {
	/** Text to simulate: the model, or one with the unknowns' courses written out. */
	readonly text: string;
	readonly values: Readonly<Record<string, number>>;
	readonly x0: readonly number[];
	readonly times: Float64Array;
	readonly inputs?: Readonly<Record<string, SampledSignal>>;
}

/** States and outputs at the times. */
export function simulateTruth(spec: TruthSpec): { x: Float64Array; outputs: Map<string, Float64Array> } {
	const model = foldFormulaInputs(parseModel(spec.text, "truth.ode"));
	const params = Object.keys(spec.values);
	const inputs = Object.keys(spec.inputs ?? {});
	const signals = Object.values(spec.inputs ?? {});
	const { graph, components: states, rhs } = model;
	const system = new OdeSystem({ graph, states, rhs, params, inputs });
	const p = Float64Array.from(params, (name) => spec.values[name]);
	const { times } = spec;
	const { x } = solveIvp(
		system.ivp(p, signals),
		times[0],
		times[times.length - 1],
		Float64Array.from(spec.x0),
		{
			rtol: 1e-12,
			atol: 1e-14,
			saveAt: times,
			knots: knotsOf(signals),
		},
	);
	const measure = compileFunction(
		model.measures.map(({ value }) => value),
		[
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: states },
			{ name: "u", symbols: inputs },
			{ name: "p", symbols: params },
		],
	);
	const n = states.length;
	const outputs = new Map(model.measures.map(({ name }) => [name, new Float64Array(times.length)]));
	const out = new Float64Array(model.measures.length);
	times.forEach((t, i) => {
		const u = Float64Array.from(signals, (signal) => signal.at(t));
		measure(Float64Array.of(t), x.slice(i * n, (i + 1) * n), u, p, out);
		model.measures.forEach(({ name }, k) => {
			outputs.get(name)![i] = out[k];
		});
	});
	return { x, outputs };
}

export function record(
	times: Float64Array,
	outputs: ReadonlyMap<string, Float64Array>,
	rest: { name?: string; conditions?: Record<string, number>; inputs?: Record<string, SampledSignal> } = {},
): Experiment {
	const rows = Int32Array.from(times, (_, i) => i);
	return {
		name: rest.name ?? "record",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(Object.entries(rest.inputs ?? {})),
		outputs: new Map([...outputs].map(([name, values]) => [name, { times, values, rows }])),
		conditions: rest.conditions ?? {},
		removed: {},
	};
}

/** The page's second data row. */
export function paperRecord(values = [0.320759, 0.255876, 0.190112, 0.136033, 0.105644]): Experiment {
	const times = Float64Array.of(0, 2, 4, 6, 8, 10);
	return {
		...record(times, new Map()),
		outputs: new Map([
			["y", { times: times.slice(1), values: Float64Array.from(values), rows: Int32Array.of(1, 2, 3, 4, 5) }],
		]),
	};
}

export function problemOf(
	model: Model,
	train: readonly Experiment[],
	test: readonly Experiment[] = [],
): Problem {
	return { model, train, test, start: {}, seed: 1, compute: inline };
}

/** A whole run; where `stop` holds, it is saved and goes on in another, once. */
export async function enclose(
	text: string,
	train: readonly Experiment[],
	options: Partial<GuaranteedOptions> = {},
	stop: (run: GuaranteedRun) => boolean = () => false,
	compute: Compute = inline,
): Promise<GuaranteedRun> {
	const fresh = (): GuaranteedRun =>
		new GuaranteedRun(
			{ ...problemOf(parseModel(text, "model.ode"), train), compute },
			{ ...defaultOptions(guaranteedOptions), ...options },
		);
	let run = fresh();
	let isFirst = true;
	while (!(await run.advance()).done)
		if (isFirst && stop(run)) {
			const saved = run.save();
			run = fresh();
			run.restore(saved);
			isFirst = false;
		}
	return run;
}
