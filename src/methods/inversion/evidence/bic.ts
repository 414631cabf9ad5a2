/** BIC of a fit: smaller is better. */
import { log } from "../../../num/elementary/number.ts";

/** What BIC counts with, the same for all sets of terms. */
export interface Criterion {
	readonly nObservations: number;
	/** Variance of the weighted residuals. */
	readonly variance: number;
	/**
	 * Whether the residuals of all terms are smaller than that by more than chance: then only errors of the integration and rounding
	 * are left, whose size must not decide, and the variance counts as known.
	 */
	readonly isClean: boolean;
}

export function bicOf(
	{ nObservations: m, variance, isClean }: Criterion,
	sse: number,
	terms: number,
): number {
	const misfit = isClean
		? sse / variance + m * log(variance)
		: m * log(Math.max(sse, variance * 1e-300, Number.MIN_VALUE) / m);
	return misfit + terms * log(m);
}
