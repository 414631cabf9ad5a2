/** How far the spread of an output may lie from what the residuals show of it. */
import { log } from "../../num/elementary/number.ts";
import { normalQuantile975 } from "../../num/statistics/quantile.ts";
import { squared } from "../../num/whole-power.ts";

/** Where the profile likelihood of a spread, found as s from so many degrees of freedom, stays above the line of a quantile of the normal law. */
export function spreadInterval(
	s: number,
	degrees: number,
	quantile = normalQuantile975,
): { lo: number; hi: number } {
	const isAbove = (ratio: number): boolean =>
		degrees * (2 * log(ratio) + 1 / (ratio * ratio) - 1) <= squared(quantile);
	const end = (outside: number): number => {
		let [inner, outer] = [1, outside];
		while (isAbove(outer)) outer *= outside;
		for (let i = 0; i < 60; i++) {
			const middle = (inner + outer) / 2;
			if (isAbove(middle)) inner = middle;
			else outer = middle;
		}
		return inner;
	};
	return { lo: s * end(0.5), hi: s * end(2) };
}
