/** What is known of an unknown, ready to be drawn: the stretch of numbers that is shown, and how likely each part of it is. */
import { bulk } from "../../estimate/law/law.ts";
import type { Unknown } from "../../estimate/unknowns/unknowns.ts";
import type { KnowledgeKind } from "../../model/model.ts";
import { exp, log } from "../../num/elementary/number.ts";

export interface Track {
	/** As methods name it: `k`, `x(0)`, `x(0) of run2`. */
	readonly name: string;
	readonly kind: "param" | "initial";
	readonly known: KnowledgeKind;
	readonly scale: "linear" | "log";
	/** What the model allows. */
	readonly lo: number;
	readonly hi: number;
	/** Where it begins: what the study or the model says, else a guess. */
	readonly start: number;
	/** The stretch that is shown at first. */
	readonly from: number;
	readonly to: number;
	/** Height of its density, from 0 to 1, at evenly spaced places from `from` to `to` on its scale. */
	readonly density?: Float64Array;
}

const nPlaces = 65;
/** Mass of a law that is left out at either end. */
const leftOut = 0.002;

export function trackOf(unknown: Unknown, known: KnowledgeKind): Track {
	const { name, kind, lo, hi, start, law } = unknown;
	const range = shownRange(unknown);
	const scale = unknown.scale === "log" && range.from > 0 ? "log" : "linear";
	const track = { name, kind, known, scale, lo, hi, start, ...range } as const;
	if (!law || law.isFlat) return track;
	const heights = Float64Array.from({ length: nPlaces }, (_, i) => {
		const value = valueAt(track, i / (nPlaces - 1));
		// On a logarithmic axis a density is one of the logarithm.
		return exp(law.logDensity(value)) * (scale === "log" ? value : 1);
	});
	const most = heights.reduce((a, b) => Math.max(a, b), 0);
	return { ...track, density: heights.map((height) => (most > 0 ? height / most : 0)) };
}

function shownRange({ law, lo, hi, start }: Unknown): { from: number; to: number } {
	if (law) {
		const { lo: from, hi: to } = bulk(law, leftOut);
		if (Number.isFinite(from) && Number.isFinite(to) && to > from)
			return { from: Math.min(from, start), to: Math.max(to, start) };
	}
	if (Number.isFinite(lo) && Number.isFinite(hi) && hi > lo) return { from: lo, to: hi };
	const width = Math.abs(start) || 1;
	return { from: start > 0 ? 0 : start - width, to: start < 0 ? 0 : start + width };
}

/** The value at a share of the axis. */
function valueAt({ scale, from, to }: Pick<Track, "scale" | "from" | "to">, share: number): number {
	return scale === "log" ? from * exp(share * log(to / from)) : from + share * (to - from);
}
