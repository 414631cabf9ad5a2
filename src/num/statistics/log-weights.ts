/** Weights known by their logarithms, up to a constant: what particle methods reckon with. A NaN weighs nothing. */
import { exp, log } from "../elementary/number.ts";

/** The largest finite log weight, or -Infinity. */
export function largestLogWeight(logWeights: ArrayLike<number>): number {
	let largest = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < logWeights.length; i++) if (logWeights[i] > largest) largest = logWeights[i];
	return largest;
}

/** log Σ exp(w). */
export function logSumExp(logWeights: ArrayLike<number>): number {
	const largest = largestLogWeight(logWeights);
	if (largest === Number.NEGATIVE_INFINITY) return largest;
	let sum = 0;
	for (let i = 0; i < logWeights.length; i++)
		if (logWeights[i] > Number.NEGATIVE_INFINITY) sum += exp(logWeights[i] - largest);
	return largest + log(sum);
}

/** Weights that sum to 1; all zero when none is finite. */
export function normalisedWeights(logWeights: ArrayLike<number>): Float64Array {
	const largest = largestLogWeight(logWeights);
	const weights = new Float64Array(logWeights.length);
	if (largest === Number.NEGATIVE_INFINITY) return weights;
	let sum = 0;
	for (let i = 0; i < weights.length; i++) {
		weights[i] = logWeights[i] > Number.NEGATIVE_INFINITY ? exp(logWeights[i] - largest) : 0;
		sum += weights[i];
	}
	for (let i = 0; i < weights.length; i++) weights[i] /= sum;
	return weights;
}

/** (Σ w)² / Σ w². */
export function effectiveSampleSize(weights: ArrayLike<number>): number {
	let sum = 0;
	let squares = 0;
	for (let i = 0; i < weights.length; i++) {
		sum += weights[i];
		squares += weights[i] * weights[i];
	}
	return squares > 0 ? (sum * sum) / squares : 0;
}
