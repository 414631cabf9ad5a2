/**
 * Rates of the equations along states: at each instant the size of the largest eigenvalue of ∂f/∂x. Explicit steps hold a rate up to
 * 2.8 over their length; what is fast beside the samples looks slower than it is to a fit along them, so steps are to hold more.
 */
import { compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import { spectralRadius } from "../../../num/linear/least-squares.ts";
import type { StatePath } from "../candidates/effect-scales.ts";
import type { Workspace } from "../workspace.ts";
import { innerPoint, type Setting } from "./weight-forward.ts";

/** A rate times a step, at most, of what a fit shows: rates 10 times as fast are held. */
const shownStep = 1 / 4;
/** Steps from one sample to the next that this may ask for. */
export const mostSteps = 16;

/** Of each experiment, at the instants of its path. */
export function ratesAlong(
	{ candidates, kernels, experiments }: Setting,
	paths: readonly StatePath[],
): (point: (experiment: number) => Float64Array) => Float64Array[] {
	const { model } = candidates;
	const n = model.components.length;
	const jacobian = compileFunction(new Differentiator(model.graph).jacobian(model.rhs, model.components), [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: kernels.inputs },
		{ name: "p", symbols: kernels.initial.params },
	]);
	const j = new Float64Array(n * n);
	return (point) =>
		experiments.map((experiment, e) => {
			const p = kernels.initial.paramValues(point(e), experiment);
			const signals = kernels.inputs.map((name) => experiment.inputs.get(name)!);
			const { t, x } = paths[e];
			return Float64Array.from(t, (time, k) => {
				const u = Float64Array.from(signals, (signal) => signal.at(time));
				jacobian(time, x.subarray(k * n, (k + 1) * n), u, p, j);
				return spectralRadius(j, n);
			});
		});
}

/** Steps from one sample to the next that hold what the equations may be, where a fit along the samples shows them so; 1 where no state is seen. */
export function stepsHolding(work: Workspace, point: Float64Array): number {
	const { setting, smooth } = work;
	if (!smooth) return 1;
	const paths = smooth.map(({ nodes, x }) => ({ t: nodes, x }));
	const rates = ratesAlong(setting, paths)((e) => innerPoint(setting, point, e));
	const perSample = rates.map((own, e) => {
		const { times } = setting.observations.grids[e];
		const spacing = (times[times.length - 1] - times[0]) / (times.length - 1);
		return (
			spacing * own.reduce((most, rate) => (rate > most && rate < Number.POSITIVE_INFINITY ? rate : most), 0)
		);
	});
	return Math.min(Math.max(1, ...perSample.map((rate) => Math.ceil(rate / shownStep))), mostSteps);
}
