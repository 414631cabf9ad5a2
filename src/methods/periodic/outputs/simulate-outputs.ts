/** The whole model, from the answer, at the samples of each output. */
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../../solve/solve-ivp.ts";
import { OdeSystem } from "../../../solve/system.ts";
import type { Polished } from "../polish/polish.ts";
import type { OutputsPlan } from "./outputs-plan.ts";

/** By measure; NaN after a simulation that broke off. */
export function simulateOutputs(
	{ model, experiment, series }: OutputsPlan,
	{ values }: Polished,
): Float64Array[] {
	const value = new Map(values.map((each) => [each.name, each.value]));
	const params = model.params.map(({ name }) => name).filter((name) => value.has(name));
	const conditions = model.conditions.map(({ name }) => name);
	const inputs = model.inputs.map(({ name }) => name);
	const signals = inputs.map((name) => experiment.inputs.get(name)!);
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params: [...params, ...conditions],
		inputs,
	});
	const numbers = [
		...params.map((name) => value.get(name)!),
		...conditions.map((name) => experiment.conditions[name]),
	];
	const x0 = Float64Array.from(model.components, (name) => value.get(`${name}(0)`) ?? Number.NaN);
	const n = model.components.length;
	return model.measures.map((measure, k) => {
		const { times } = series[k];
		const y = new Float64Array(times.length).fill(Number.NaN);
		if (!x0.every(Number.isFinite)) return y;
		const at = model.components.indexOf(measure.value.name!);
		const solution = solveIvp(
			system.ivp(numbers, signals),
			experiment.times[0],
			times[times.length - 1],
			x0,
			{
				rtol: 1e-10,
				atol: x0.map((start) => 1e-11 * Math.max(Math.abs(start), 1e-4)),
				saveAt: times,
				knots: knotsOf(signals),
			},
		);
		for (let i = 0; i < solution.t.length; i++) y[i] = solution.x[i * n + at];
		return y;
	});
}
