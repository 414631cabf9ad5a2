/** An interval of doses by an adaptive solver, lane by lane: for models that no steps of one length can follow. */
import { drained } from "../../num/drained.ts";
import { knotsOf } from "../../solve/piecewise-inputs.ts";
import { sensitivitySteps } from "../../solve/sensitivity.ts";
import { OdeSystem } from "../../solve/system.ts";
import type { StiffInterval } from "./steady-orbit.ts";

const tolerances = { rtol: 1e-9, atol: 1e-12, maxSteps: 20_000 };

export const stiffInterval: StiffInterval = (
	{ graph, components, rhs, inputs: declared },
	params,
	sensitiveTo,
) => {
	const names = declared.map(({ name }) => name);
	const system = new OdeSystem({ graph, states: components, rhs, params, inputs: names, sensitiveTo });
	return (t0, t1, inputs, { params: values, x0, s0, count }) => {
		const signals = names.map((name) => inputs.get(name)!);
		const columnScale = new Array(sensitiveTo.length + components.length).fill(1);
		const options = { ...tolerances, saveAt: [t1], knots: knotsOf(signals), columnScale };
		const [xEnd, sEnd] = [x0.slice().fill(Number.NaN), s0.slice().fill(Number.NaN)];
		for (let k = 0; k < count; k++) {
			const lane = (all: Float64Array): Float64Array => all.filter((_, at) => at % count === k);
			const ivp = system.sensitiveIvp(lane(values).subarray(0, params.length), signals);
			const { x, S, t } = drained(sensitivitySteps(ivp, t0, t1, lane(x0), lane(s0), options));
			if (t.length === 0) continue;
			for (let i = 0; i < x.length; i++) xEnd[i * count + k] = x[i];
			for (let i = 0; i < S.length; i++) sEnd[i * count + k] = S[i];
		}
		return { xEnd, sEnd };
	};
};
