/** The stretch of numbers that a track shows, and places on it. */
import type { Track } from "../../src/study/index.ts";
import type { AnswerRow } from "../page/answers.svelte.ts";

export interface Axis {
	readonly from: number;
	readonly to: number;
	readonly scale: "linear" | "log";
}

/** The ends that a method gives; two standard deviations where it gives no others. */
export function endsOf({ row: { estimate, sd, lo, hi } }: AnswerRow): { lo: number; hi: number } {
	return { lo: lo ?? estimate - 2 * (sd ?? 0), hi: hi ?? estimate + 2 * (sd ?? 0) };
}

/** All that is known of the unknown, and where its handle was put. */
export function wholeAxis(track: Track, value: number): Axis {
	const { scale } = track;
	let { from, to } = track;
	// A handle that was put beyond the end has room to go on.
	if (value < from) from = scale === "log" ? value / 3 : value - 0.25 * (to - value);
	if (value > to) to = scale === "log" ? value * 3 : value + 0.25 * (value - from);
	return { from: Math.max(from, track.lo), to: Math.min(to, track.hi), scale: from > 0 ? scale : "linear" };
}

/**
 * Close to the answers: their intervals with as much room on either side. One that is undecided, or without an end, is cut
 * off at the edge and squeezes no other.
 */
export function closeAxis(track: Track, rows: readonly AnswerRow[]): Axis | undefined {
	const decided = rows.filter(({ undecided, row }) => !undecided && Number.isFinite(row.estimate));
	const ends = decided.flatMap((each) => {
		const { lo, hi } = endsOf(each);
		return [lo, hi, each.row.estimate].filter(Number.isFinite);
	});
	if (ends.length === 0) return undefined;
	const least = Math.min(...ends);
	const most = Math.max(...ends);
	const room = most > least ? 0.8 * (most - least) : Math.abs(least) * 0.1 || 1;
	return { from: Math.max(track.lo, least - room), to: Math.min(track.hi, most + room), scale: "linear" };
}

/** Share of the axis, from 0 to 1; beyond its ends 0 or 1. */
export function shareOf({ from, to, scale }: Axis, value: number): number {
	if (!(to > from)) return 0.5;
	if (scale === "log" && !(value > 0)) return 0;
	const share = scale === "log" ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
	return Math.min(1, Math.max(0, share));
}

export function valueAt({ from, to, scale }: Axis, share: number): number {
	const at = Math.min(1, Math.max(0, share));
	return scale === "log" ? from * (to / from) ** at : from + at * (to - from);
}

/** A value with no more digits than a hand can mean on the axis. */
export function rounded(axis: Axis, value: number, nPlaces = 1000): number {
	const share = shareOf(axis, value);
	const step = Math.abs(valueAt(axis, share + 1 / nPlaces) - valueAt(axis, share - 1 / nPlaces)) / 2;
	if (!(step > 0)) return value;
	const digits = Math.max(0, Math.ceil(-Math.log10(step)));
	return digits > 15 ? Number(value.toPrecision(6)) : Number(value.toFixed(digits));
}
