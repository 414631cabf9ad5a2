/**
 * Did an estimate end on a bound, and do the data pull it further? Distances are measured on the scale on which the unknown is
 * searched: on a linear one, a parameter between 1e-6 and 1e3 would be "on its lower bound" at every value below 1e-6.
 *
 * An estimate on a bound is none to doubt where the truth may well lie inside: the slope of the cost across the bound, in units of
 * its own spread, is then at most a normal variable (Rao's score test, one-sided). A steeper slope says that the bound is wrong.
 */
import { normalTail } from "../../num/statistics/incomplete-gamma.ts";
import type { Remark } from "../result.ts";
import { toSearch, type Unknown } from "../unknowns/unknowns.ts";
import { level, shared } from "./series.ts";
import { doubt, list, note } from "./words.ts";

/** Share of the range within which an estimate is on its end: searches that are clamped end there to rounding. */
const near = 1e-9;

/** `z`: the estimates on the scale of the search. `pull`: slope of the cost across the bound of an unknown, in standard deviations. */
export function boundDoubt(
	unknowns: readonly Unknown[],
	z: ArrayLike<number>,
	pull: (unknown: number) => number = () => 0,
): Remark[] {
	const onBound = [...unknowns.keys()].filter((i) => isOnBound(unknowns[i], z[i]));
	const pulled = onBound.filter((i) => shared(normalTail(pull(i)), unknowns.length) < level);
	const resting = onBound.filter((i) => !pulled.includes(i));
	const named = (indices: readonly number[]): string => list(indices.map((i) => unknowns[i].name));
	return [
		...(pulled.length > 0
			? doubt(
					"beyond-bound",
					`The data pull ${named(pulled)} beyond ${pulled.length === 1 ? "its bound" : "their bounds"}`,
					`${pulled.map((i) => `${unknowns[i].name} by ${Number(pull(i).toPrecision(2))} standard deviations`).join(", ")}. The best answer lies outside the range that the model allows: widen it, or look for what the model lacks.`,
					true,
				)
			: []),
		...(resting.length > 0
			? note(
					"on-bound",
					`${named(resting)} ended on a bound`,
					"The data agree with values inside the range, and with some outside. If the range is not certain, widen it.",
				)
			: []),
	];
}

/** `z`: on the scale of the search. */
export function isOnBound(unknown: Unknown, z: number): boolean {
	const [lo, hi] = [unknown.lo, unknown.hi].map((end) =>
		unknown.scale === "log" && end <= 0 ? Number.NEGATIVE_INFINITY : toSearch(unknown, end),
	);
	// An open end leaves no range: the size of the other one stands for it.
	const size = Number.isFinite(hi - lo)
		? hi - lo
		: Math.max(1, ...[lo, hi].filter(Number.isFinite).map(Math.abs));
	return Math.min(z - lo, hi - z) <= near * size;
}
