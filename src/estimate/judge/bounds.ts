/**
 * Did an estimate end on a bound? Distances are measured on the scale on which the unknown is searched: on a linear one, a
 * parameter between 1e-6 and 1e3 would be "on its lower bound" at every value below 1e-6.
 */
import type { Doubt } from "../result.ts";
import { toSearch, type Unknown } from "../unknowns/unknowns.ts";
import { doubt, list } from "./words.ts";

/** Share of the range within which an estimate is on its end: searches that are clamped end there to rounding. */
const near = 1e-9;

/** `z`: the estimates on the scale of the search. */
export function boundDoubt(unknowns: readonly Unknown[], z: ArrayLike<number>): Doubt[] {
	const names = unknowns.flatMap((unknown, i) => {
		const [lo, hi] = [unknown.lo, unknown.hi].map((end) =>
			unknown.scale === "log" && end <= 0 ? Number.NEGATIVE_INFINITY : toSearch(unknown, end),
		);
		// An open end leaves no range: the size of the other one stands for it.
		const size = Number.isFinite(hi - lo)
			? hi - lo
			: Math.max(1, ...[lo, hi].filter(Number.isFinite).map(Math.abs));
		return Math.min(z[i] - lo, hi - z[i]) <= near * size ? [unknown.name] : [];
	});
	if (names.length === 0) return [];
	return doubt(
		"on-bound",
		`${list(names)} ended on a bound`,
		"The best answer may lie outside the range that the model allows. If the range is not certain, widen it.",
		false,
	);
}
