/**
 * Coordinates in which a cloud is nearly normal. Between two bounds the sampled coordinate is the logit, which sends either bound
 * to infinity: near one of them a cloud that data hold to a normal law bends there, and drags along all that goes with it. Straight
 * is the share of the way from bound to bound; there the law ends at the bound, and draws beyond it count as impossible.
 */
import { logOnePlusExp } from "../../../estimate/law/supports.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { logDeterminant } from "./bend.ts";

/** What is known of coordinates before there is a cloud. */
export interface Kinds {
	/** Logarithms of spreads. */
	readonly scales?: readonly number[];
	/** Logits between two bounds. */
	readonly bounded?: readonly number[];
}

/** Log-likelihood that a particle must gain by another coordinate. */
const worthwhile = 0.05;

export function shareOf(z: number): number {
	return 1 / (1 + exp(-z));
}

/** Undefined beyond the bounds. */
export function logitOf(share: number): number | undefined {
	return share > 0 && share < 1 ? log(share) - log(1 - share) : undefined;
}

/** Log of what a share changes by with its logit. */
export function logSlope(z: number): number {
	return -logOnePlusExp(-z) - logOnePlusExp(z);
}

/** Those of the bounded coordinates whose shares describe n weighted particles better, one after the other, by a normal law. */
export function straightened(z: Float64Array, weights: Float64Array, bounded: readonly number[]): number[] {
	if (bounded.length === 0) return [];
	const n = weights.length;
	const x = z.slice();
	const mean = Float64Array.from({ length: z.length / n }, (_, i) => meanOf(columnOf(x, n, i), weights));
	let before = logDeterminant(x, weights, mean);
	return bounded.filter((i) => {
		const [own, column] = [columnOf(z, n, i), columnOf(x, n, i)];
		column.set(own.map(shareOf));
		const meanBefore = mean[i];
		mean[i] = meanOf(column, weights);
		const after = logDeterminant(x, weights, mean);
		const isBetter = 0.5 * (before - after) + meanOf(own.map(logSlope), weights) > worthwhile;
		if (isBetter) before = after;
		else {
			column.set(own);
			mean[i] = meanBefore;
		}
		return isBetter;
	});
}

function columnOf(x: Float64Array, n: number, i: number): Float64Array {
	return x.subarray(i * n, (i + 1) * n);
}

function meanOf(values: Float64Array, weights: Float64Array): number {
	let sum = 0;
	for (let b = 0; b < weights.length; b++) if (weights[b] > 0) sum += weights[b] * values[b];
	return sum;
}
