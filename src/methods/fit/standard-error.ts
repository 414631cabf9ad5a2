/**
 * Standard errors that do not contradict the profiles. To first order the error of an estimate follows from the slopes of
 * the prediction at the optimum. Where the cost is no parabola, that may say far too much or too little: the width of the
 * profile's interval is then the better measure.
 */

import { isOpen } from "../../estimate/least-squares/null-space.ts";
import { fromSearch } from "../../estimate/unknowns/unknowns.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";

/** Factor by which the widths of the two intervals may differ. */
const alike = 2;

export interface StandardError {
	/** In natural units; undefined where nothing bounds the unknown. */
	readonly sd: number | undefined;
	/** The same over its value to first order. */
	readonly factor: number;
	/** Whether it is that of the profile. */
	readonly byProfile: boolean;
}

export function standardError(run: FitRun, i: number): StandardError {
	const unknown = run.estimation.unknowns[i];
	const { noise, variance, quantile, covariance } = errorsOf(run);
	if (isOpen(covariance.open, i) || noise === undefined)
		return { sd: undefined, factor: 1, byProfile: false };
	const linear = covariance.sd[i] * Math.sqrt(variance);
	const natural = linear * (unknown.scale === "log" ? fromSearch(unknown, run.best[i]) : 1);
	const profile = run.profiles?.[i];
	if (!profile || !contradicts(run, i, quantile * linear))
		return { sd: natural, factor: 1, byProfile: false };
	const factor = (profile.hi - profile.lo) / (2 * quantile * linear);
	return factor < Number.POSITIVE_INFINITY
		? { sd: natural * factor, factor, byProfile: true }
		: { sd: undefined, factor: 1, byProfile: true };
}

/** The interval in natural units, by the profile or else by the curvature at the optimum: it ends where the declared set does. */
export function intervalOf(run: FitRun, i: number): [number, number] {
	const unknown = run.estimation.unknowns[i];
	const { lo, hi } = run.profiles?.[i] ?? byCurvature(run, i);
	return [Math.max(fromSearch(unknown, lo), unknown.lo), Math.min(fromSearch(unknown, hi), unknown.hi)];
}

function byCurvature(run: FitRun, i: number): { lo: number; hi: number } {
	const { covariance, variance, quantile } = errorsOf(run);
	const half = quantile * covariance.sd[i] * Math.sqrt(variance);
	return { lo: run.best[i] - half, hi: run.best[i] + half };
}

/** Where an interval that no profile gave was cut: it would reach beyond the declared set. */
export function cutEnds(run: FitRun, i: number): number[] {
	const unknown = run.estimation.unknowns[i];
	const { noise, covariance } = errorsOf(run);
	if (run.profiles?.[i] || noise === undefined || isOpen(covariance.open, i)) return [];
	const { lo, hi } = byCurvature(run, i);
	return [
		...(fromSearch(unknown, lo) < unknown.lo ? [unknown.lo] : []),
		...(fromSearch(unknown, hi) > unknown.hi ? [unknown.hi] : []),
	];
}

/** Whether the interval to first order, cut where the declared set ends, differs from the profile's by more than a factor. */
function contradicts(run: FitRun, i: number, half: number): boolean {
	const { lo, hi, sides } = run.profiles![i]!;
	const expected = sides.map(({ passed }, k) =>
		passed ? half : Math.min(half, Math.abs((k === 0 ? lo : hi) - run.best[i])),
	);
	const width = sides[0].reach + sides[1].reach;
	const wanted = expected[0] + expected[1];
	// Where a side is not bounded, how far was looked says nothing of a wider one.
	const isBounded = sides.every(({ passed }, k) => passed || expected[k] < half);
	return width > alike * wanted || (isBounded && width < wanted / alike);
}
