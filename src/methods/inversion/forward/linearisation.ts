/**
 * The weighted misfit of a point and its linearisation in the weights: B = [kron(c, J)] of the active unknowns
 * ([whiten2014] eq. (4)), each row divided by the standard deviation of its observation.
 */
import { squared } from "../../../num/whole-power.ts";
import type { SegmentedForward } from "./segmented-forward.ts";
import type { ForwardModel, WeightEvaluation } from "./weight-forward.ts";

export interface WeightedProblem {
	readonly forward: ForwardModel;
	/** Weight of each observation: a common scale over its standard deviation, so that equal noises weigh 1. */
	readonly rowWeights: Float64Array;
	/** That common scale. */
	readonly scale: number;
	/** In segments: the segments, and the weight of a gap in each component. */
	readonly segmented?: { readonly forward: SegmentedForward; readonly gapWeights: Float64Array };
}

/** Sum of squared weighted residuals, and gaps; +∞ where the model blew up. */
export function sumOfSquares(
	{ forward, rowWeights, segmented }: WeightedProblem,
	{ value, gaps }: WeightEvaluation,
): number {
	const { values } = forward.setting.observations;
	let sum = 0;
	for (let i = 0; i < value.length; i++) {
		const r = (values[i] - value[i]) * rowWeights[i];
		sum += r * r;
	}
	if (segmented && gaps) {
		const { gapWeights } = segmented;
		for (let i = 0; i < gaps.length; i++) sum += squared(gaps[i] * gapWeights[i % gapWeights.length]);
	}
	return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum;
}

export function residualOf(
	{ forward, rowWeights }: WeightedProblem,
	{ value }: WeightEvaluation,
): Float64Array {
	const { values } = forward.setting.observations;
	return value.map((v, i) => (values[i] - v) * rowWeights[i]);
}

/** Row-major nObservations × active.length. Unknowns are numbered: weights first, then initial values. */
export function designMatrix(
	{ forward, rowWeights }: WeightedProblem,
	{ inner }: WeightEvaluation,
	active: readonly number[],
): Float64Array {
	const { candidates, observations, kernels, factors, initials } = forward.setting;
	const { weights } = candidates;
	const nWeights = weights.length;
	const nSens = kernels.nSens;
	const nInner = candidates.inner.length;
	const { freeComponents } = kernels.initial;
	const n = active.length;
	const b = new Float64Array(observations.nObservations * n);
	for (const { experiment, from, to } of observations.groups) {
		// Column of the sensitivities and factor of each active unknown in this experiment.
		const column = new Int32Array(n).fill(-1);
		const factor = new Float64Array(n).fill(1);
		active.forEach((u, k) => {
			if (u < nWeights) {
				column[k] = weights[u].inner;
				factor[k] = factors[experiment * nWeights + u];
			} else {
				const initial = initials[u - nWeights];
				if (initial.experiment === experiment) column[k] = nInner + freeComponents.indexOf(initial.component);
			}
		});
		for (let i = from; i < to; i++)
			for (let k = 0; k < n; k++)
				if (column[k] >= 0) b[i * n + k] = inner![i * nSens + column[k]] * factor[k] * rowWeights[i];
	}
	return b;
}
