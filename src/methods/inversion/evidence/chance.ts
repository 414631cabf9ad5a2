/**
 * Whether terms could stand there by chance alone: the best of many sets of terms explains some of any noise. Without any
 * term in truth, the fall x of the sum of squares by terms with k weights, in variances, is χ² with k degrees of freedom, whose
 * tail is at most exp(-(x - k - k log(x/k))/2) (Chernoff's bound); the terms that were chosen are the best of all sets
 * (Bonferroni's bound, over sizes too).
 */
import { log } from "../../../num/elementary/number.ts";
import { logGamma } from "../../../num/statistics/log-gamma.ts";

/** Chance of finding terms in pure noise that is taken. */
const level = 0.01;

export interface Explained {
	/** Sums of squares without any term, and with the chosen ones. */
	readonly empty: number;
	readonly sse: number;
	/** Variance of the residuals that selection counts with, and degrees of freedom that the terms leave. */
	readonly variance: number;
	readonly degrees: number;
	/** How many terms were chosen, of how many; and their weights, where they have not one each. */
	readonly kept: number;
	readonly weights?: number;
	readonly candidates: number;
}

export function couldBeChance(explained: Explained): boolean {
	const { empty, sse, variance, degrees, kept, weights = kept, candidates } = explained;
	if (kept === 0) return true;
	if (!(empty < Number.POSITIVE_INFINITY)) return false;
	// A noise that is itself estimated: the likelihood ratio, which is never larger than the fall over the residuals' variance.
	const fall = Math.min((empty - sse) / variance, degrees * log(empty / sse));
	if (!(fall > weights)) return true;
	const tail = -(fall - weights - weights * log(fall / weights)) / 2;
	const sets = logGamma(candidates + 1) - logGamma(kept + 1) - logGamma(candidates - kept + 1);
	return tail + sets + log(candidates) > log(level);
}
