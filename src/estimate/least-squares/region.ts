/** Where a search may go, in its own coordinates. */
import { log } from "../../num/elementary/number.ts";
import type { LikelihoodProblem } from "../observe/likelihood.ts";

export function searchBounds(problem: LikelihoodProblem): { lo: Float64Array; hi: Float64Array } {
	const { unknowns } = problem;
	const bound = (value: number, scale: "linear" | "log"): number =>
		scale === "log" ? (value === 0 ? Number.NEGATIVE_INFINITY : log(value)) : value;
	return {
		lo: Float64Array.from(unknowns, ({ lo, scale }) => bound(lo, scale)),
		hi: Float64Array.from(unknowns, ({ hi, scale }) => bound(hi, scale)),
	};
}

/** How far an unknown goes that nothing else is known of: a decade, a quarter of a range, or its own size. */
export function usualLengths({ unknowns }: LikelihoodProblem): Float64Array {
	return Float64Array.from(unknowns, ({ scale, lo, hi, start }) => {
		if (scale === "log") return Math.LN10;
		return Math.min((hi - lo) / 4, Math.abs(start) || 1);
	});
}

/** How far a careful search goes in one step: a decade, or a quarter of a range. */
export function searchReach({ unknowns }: LikelihoodProblem): Float64Array {
	return Float64Array.from(unknowns, ({ scale, lo, hi }) => (scale === "log" ? Math.LN10 : (hi - lo) / 4));
}
