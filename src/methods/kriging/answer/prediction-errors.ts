/** How many samples lie in their bands. */
import type { Prediction } from "../../../estimate/result.ts";

/** Of the samples that have a band: one without bounds holds everything, and says nothing. */
export function coverageOf(predictions: readonly Prediction[]): number {
	const inside = predictions
		.flatMap((p) => atData(p).filter(({ lo, hi }) => hi - lo < Number.POSITIVE_INFINITY))
		.map(({ y, lo, hi }) => (y >= lo && y <= hi ? 1 : 0));
	return inside.reduce<number>((sum, value) => sum + value, 0) / inside.length;
}

function atData({ t, y, lo, hi, data }: Prediction): { y: number; said: number; lo: number; hi: number }[] {
	let at = 0;
	return Array.from(data?.t ?? [], (time, i) => {
		while (at + 1 < t.length && t[at] < time) at++;
		return { y: data!.y[i], said: y[at], lo: lo![at], hi: hi![at] };
	});
}
