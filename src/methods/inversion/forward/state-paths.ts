/** The states along a fit, at the sample times of each experiment: for what has to be seen along the states themselves. */
import type { StatePath } from "../candidates/effect-scales.ts";
import type { EquationFunctions } from "../candidates/equation-functions.ts";
import { innerPoint, type Setting } from "./weight-forward.ts";

export function statePaths(
	setting: Setting,
	functions: EquationFunctions,
	point: Float64Array,
	substeps: number,
): StatePath[] {
	const { experiments, observations, kernels } = setting;
	const { initial, inputs } = kernels;
	const n = functions.nStates;
	return experiments.map((experiment, e) => {
		const { t0, times } = observations.grids[e];
		const own = innerPoint(setting, point, e);
		const p = initial.paramValues(own, experiment);
		const state = initial.state(own, p, e);
		const signals = inputs.map((name) => experiment.inputs.get(name)!);
		const x = new Float64Array(times.length * n);
		let t = t0;
		times.forEach((next, k) => {
			const h = (next - t) / substeps;
			if (h > 0) for (let s = 0; s < substeps; s++) step(t + s * h, h);
			t = next;
			x.set(state, k * n);
		});
		return { t: times, x };

		function step(at: number, h: number): void {
			const k1 = slope(at, state);
			const k2 = slope(at + h / 2, moved(k1, h / 2));
			const k3 = slope(at + h / 2, moved(k2, h / 2));
			const k4 = slope(at + h, moved(k3, h));
			for (let i = 0; i < n; i++) state[i] += (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
		}
		function moved(k: Float64Array, h: number): Float64Array {
			return state.map((value, i) => value + h * k[i]);
		}
		function slope(at: number, from: Float64Array): Float64Array {
			const out = new Float64Array(n);
			functions.rhs(
				at,
				from,
				Float64Array.from(signals, (signal) => signal.at(at)),
				p,
				out,
			);
			return out;
		}
	});
}
