/**
 * Errors by finite steps, for what is known least. Where a sum of squares is far from a parabola, as in a weak cubic term, its
 * curvature at the optimum may say ten times too little on one side: the least known unknowns are held farther and farther away, all
 * others fitted again, until noise would show it, and whatever has gone along by more than its error has that for an error.
 */
import type { LevenbergMarquardt } from "../../../estimate/least-squares/levenberg-marquardt.ts";
import type { Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Solve } from "./open-directions.ts";

export interface FiniteErrors {
	/** In search coordinates; at least those of first order. */
	readonly sd: Float64Array;
	/** Unknowns that were held as far as steps go and not seen by then. */
	readonly unbounded: readonly number[];
}

/** Relative errors below which a sum of squares is a parabola for all that matters. */
const wellKnown = 0.02;
/** Unknowns that are held, one after the other. */
const most = 2;
/** Distances, in standard deviations of first order. */
const distances = [2, 4, 8, 16];
const evaluations = 40;

export async function finiteErrors(
	{ best, cost }: LevenbergMarquardt,
	unknowns: readonly Unknown[],
	fixed: ReadonlySet<number>,
	/** Of first order, row-major, with the variance of the residuals in it; 0 for what is open. */
	covariance: Float64Array,
	variance: number,
	solve: Solve,
): Promise<FiniteErrors> {
	const n = unknowns.length;
	const first = best.map((_, j) => Math.sqrt(covariance[j * (n + 1)]));
	const sd = first.slice();
	const unbounded: number[] = [];
	const relative = (j: number): number =>
		first[j] / (unknowns[j].scale === "log" ? 1 : Math.abs(best[j]) || 1);
	const least = [...best.keys()]
		.filter((j) => !fixed.has(j) && unknowns[j].kind === "param" && relative(j) > wellKnown)
		.sort((a, b) => relative(b) - relative(a))
		.slice(0, most);
	const limit = squared(normalQuantile975);
	for (const main of least)
		for (const side of [-1, 1]) {
			let isSeen = false;
			for (const distance of distances) {
				const shift = (side * distance) / first[main];
				const from = best.map((value, j) => value + shift * covariance[j * n + main]);
				const held = await solve(from, new Set([...fixed, main]), evaluations);
				// A simulation that breaks off says that it cannot be there.
				const rise = held.told ? (2 * (held.cost - cost)) / variance : Number.POSITIVE_INFINITY;
				isSeen = rise >= limit;
				if (!isSeen) continue;
				if (distance > distances[0] && rise < Number.POSITIVE_INFINITY)
					for (let j = 0; j < n; j++) {
						const gone = (Math.abs(held.best[j] - best[j]) * Math.sqrt(limit / rise)) / normalQuantile975;
						if (first[j] > 0) sd[j] = Math.max(sd[j], gone);
					}
				break;
			}
			if (!isSeen && !unbounded.includes(main)) unbounded.push(main);
		}
	return { sd, unbounded };
}
