/** What a plot over time shows: strips above one another, each with its own scale, over one axis of time. */

/** Dots of several kinds, as they are drawn and as a legend has them. */
export const signs = ["•", "×", "△", "□"] as const;
type Sign = (typeof signs)[number];

export type Mark =
	| {
			readonly type: "dots";
			readonly name: string;
			readonly ink: string;
			readonly t: Float64Array;
			readonly y: Float64Array;
			/** -1 where a sample lies below its value, 1 where above. */
			readonly limits?: Int8Array | undefined;
			/** Where dots of several kinds lie among one another: one of `signs`. */
			readonly sign?: Sign | undefined;
	  }
	| {
			readonly type: "line";
			readonly name: string;
			readonly ink: string;
			readonly t: Float64Array;
			readonly y: Float64Array;
			readonly steps?: boolean;
	  }
	| {
			readonly type: "band";
			readonly name: string;
			readonly ink: string;
			readonly t: Float64Array;
			readonly lo: Float64Array;
			readonly hi: Float64Array;
	  };

export interface Strip {
	readonly label: string;
	/** Share of the height, beside those of the others. */
	readonly weight: number;
	readonly marks: readonly Mark[];
	/** 0 is in view, about in the middle. */
	readonly isCentred?: boolean;
}

/** Rows that are used for one part. */
export interface Span {
	readonly from: number;
	readonly to: number;
	readonly kind: "train" | "test";
}

export interface PlotContent {
	readonly times: Float64Array;
	readonly timeName: string;
	readonly strips: readonly Strip[];
	readonly spans: readonly Span[];
}

/** One value under the pointer. */
export interface Reading {
	readonly name: string;
	readonly ink: string;
	readonly value: number;
}

/** Share of a strip's samples that a limit's arrow has room for beyond them. */
const arrowRoom = 0.16;

/** The range that a strip's values fill: that of its samples, so that a curve that runs away leaves them in view. */
export function rangeOf({ marks, isCentred }: Strip): { lo: number; hi: number } {
	const samples = marks.filter(({ type }) => type === "dots");
	let lo = Infinity;
	let hi = -Infinity;
	for (const mark of samples.length > 0 ? samples : marks) {
		const values = mark.type === "band" ? [mark.lo, mark.hi] : [mark.y];
		for (const list of values)
			for (const value of list) {
				if (!Number.isFinite(value)) continue;
				if (value < lo) lo = value;
				if (value > hi) hi = value;
			}
	}
	if (!(lo <= hi)) return { lo: -1, hi: 1 };
	if (isCentred) {
		const most = Math.max(Math.abs(lo), Math.abs(hi)) || 1;
		return { lo: -1.1 * most, hi: 1.1 * most };
	}
	const margin = 0.06 * (hi - lo) || Math.abs(hi) * 0.1 || 1;
	const room = (sign: number): number =>
		samples.some((mark) => mark.type === "dots" && mark.limits?.includes(sign)) ? arrowRoom * (hi - lo) : 0;
	return { lo: lo - margin - room(-1), hi: hi + margin + room(1) };
}
