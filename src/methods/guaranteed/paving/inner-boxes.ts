/**
 * Boxes that hold nothing but consistent values, inside the declared sets. A set is read outward, so a box of the search may reach beyond a bound that is no
 * double by less than one unit in the last place: it is cut there, at the last double inside. What is cut off still holds the bound itself, and stays at the edge.
 */
import type { Interval } from "../../../interval/interval.ts";
import { hullOf } from "./sivia.ts";

export interface InnerBoxes {
	readonly inner: readonly Float64Array[];
	/** What was cut off: one box a bound, or all of a box where no double is inside a set. */
	readonly edge: readonly Float64Array[];
}

/** `sets`: from the first to the last double inside each declared set. */
export function innerBoxes(boxes: readonly Float64Array[], sets: readonly Interval[]): InnerBoxes {
	const inner: Float64Array[] = [];
	const whole: Float64Array[] = [];
	const cut = new Map<number, Float64Array[]>();
	for (const box of boxes) {
		const own = box.slice();
		sets.forEach(({ lo, hi }, k) => {
			own[2 * k] = Math.max(box[2 * k], lo);
			own[2 * k + 1] = Math.min(box[2 * k + 1], hi);
		});
		if (sets.some((_, k) => !(own[2 * k] <= own[2 * k + 1]))) {
			whole.push(box);
			continue;
		}
		inner.push(own);
		own.forEach((bound, i) => {
			if (bound === box[i]) return;
			const sliver = box.slice();
			sliver[i ^ 1] = bound;
			cut.set(i, [...(cut.get(i) ?? []), sliver]);
		});
	}
	return { inner, edge: [...whole, ...[...cut.values()].map((slivers) => hullOf(slivers)!)] };
}
