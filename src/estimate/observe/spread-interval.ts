/** How far the spread of an output may lie from what the residuals show of it, within what is declared of it. */
import { log } from "../../num/elementary/number.ts";
import { normalQuantile975 } from "../../num/statistics/quantile.ts";
import { squared } from "../../num/whole-power.ts";
import type { Verdict } from "../judge/identifiability.ts";

/** A spread that is clamped is its bound to rounding. */
export const onEnd = 1e-9;

export interface SpreadInterval {
	readonly sd: number;
	readonly lo: number;
	readonly hi: number;
	readonly verdict: Verdict;
}

/**
 * Where the profile likelihood of a spread in a set stays above the line of a quantile of the normal law. Residuals show `seen`, the
 * unknowns that were fitted to them allowed for by so many degrees of freedom; the most likely value is the nearest to it in the set.
 */
export function spreadInterval(
	estimate: number,
	seen: number,
	degrees: number,
	set: { readonly lo: number; readonly hi: number } = { lo: 0, hi: Number.POSITIVE_INFINITY },
	quantile = normalQuantile975,
): SpreadInterval {
	const best = Math.min(Math.max(seen, set.lo), set.hi);
	const show = squared(seen / best);
	const isAbove = (ratio: number): boolean =>
		degrees * (2 * log(ratio) + show / (ratio * ratio) - show) <= squared(quantile);
	const end = (outside: number): number => {
		let [inner, outer] = [1, outside];
		while (isAbove(outer)) outer *= outside;
		for (let i = 0; i < 60; i++) {
			const middle = (inner + outer) / 2;
			if (isAbove(middle)) inner = middle;
			else outer = middle;
		}
		return best * inner;
	};
	const isLeast = estimate <= set.lo * (1 + onEnd);
	const isMost = estimate >= set.hi * (1 - onEnd);
	const lo = isLeast ? set.lo : Math.max(end(0.5), set.lo);
	const hi = isMost ? set.hi : Math.min(end(2), set.hi);
	const isOpen = (!isLeast && lo === set.lo) || (!isMost && hi === set.hi);
	return {
		// On a bound the likelihood is no parabola: that of an even interval as wide.
		sd: isLeast || isMost ? (hi - lo) / (2 * quantile) : estimate / Math.sqrt(2 * degrees),
		lo,
		hi,
		verdict: isOpen ? "practically unidentifiable" : isLeast || isMost ? "on its bound" : "identifiable",
	};
}
