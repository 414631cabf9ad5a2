/**
 * The numbers of a zoomable figure, small enough to travel in the page: heights in 16 bits of their range, evenly spaced
 * times as three numbers. Beyond `maxPoints` a line is thinned to its lowest and highest points.
 */
import type { Figure } from "../estimate/figure.ts";
import { toBase64 } from "../num/base64.ts";
import { domainOf, layoutOf, type PlotLayout } from "./plot.ts";
import { Extent } from "./scale.ts";

const maxPoints = 40_000;
/** The code of "no value here"; the others are 0 to 65534. */
const hole = 65_535;

type Times = { from: number; step: number; n: number } | { from: number; f32: string };
interface Heights {
	lo: number;
	hi: number;
	u16: string;
}
type ZoomMark =
	| { type: "line" | "points"; index: number; x: number; y: Heights }
	| { type: "band"; index: number; x: number; lo: Heights; hi: Heights }
	| { type: "rule"; index: number; axis: "x" | "y"; at: number };

export interface ZoomData {
	readonly id: string;
	/** Figures of one group zoom together. */
	readonly group: string;
	readonly layout: PlotLayout;
	readonly domain: readonly [number, number];
	readonly times: readonly Times[];
	readonly marks: readonly ZoomMark[];
}

/** `undefined` for figures that cannot be zoomed: bars, boxes and words. */
export function zoomData(figure: Figure, id: string, group: string): ZoomData | undefined {
	const domain = domainOf(figure);
	const times: Times[] = [];
	const known = new Map<ArrayLike<number>, number>();
	const timesIndex = (x: ArrayLike<number>): number => {
		let index = known.get(x);
		if (index === undefined) {
			index = times.push(encodeTimes(x)) - 1;
			known.set(x, index);
		}
		return index;
	};
	const marks: ZoomMark[] = [];
	for (const [index, mark] of figure.marks.entries()) {
		switch (mark.type) {
			case "bars":
			case "boxes":
			case "words":
				return undefined;
			case "rule":
				if (Number.isFinite(mark.at)) marks.push({ type: "rule", index, axis: mark.axis, at: mark.at });
				break;
			case "line":
			case "points": {
				const [x, y] = thinned(mark.x, [mark.y]);
				marks.push({ type: mark.type, index, x: timesIndex(x), y: encodeHeights(y) });
				break;
			}
			case "band": {
				const [x, lo, hi] = thinned(mark.x, [mark.lo, mark.hi]);
				marks.push({ type: "band", index, x: timesIndex(x), lo: encodeHeights(lo), hi: encodeHeights(hi) });
			}
		}
	}
	return { id, group, layout: layoutOf(figure), domain: [domain.x.lo, domain.x.hi], times, marks };
}

/**
 * Columns of at most `maxPoints`. Each bucket of samples gives its lowest and its highest value in the order in which
 * they come, set at a quarter and three quarters of the bucket, so that even times stay even and cost nothing.
 */
function thinned(x: ArrayLike<number>, heights: readonly ArrayLike<number>[]): ArrayLike<number>[] {
	const n = Math.min(x.length, ...heights.map((y) => y.length));
	const nBuckets = Math.floor(maxPoints / (2 * heights.length));
	if (n <= 2 * nBuckets) return [x, ...heights];
	const out = [x, ...heights].map(() => new Float64Array(2 * nBuckets));
	for (let bucket = 0; bucket < nBuckets; bucket++) {
		const start = (bucket * n) / nBuckets;
		const width = n / nBuckets;
		out[0][2 * bucket] = between(x, start + 0.25 * width);
		out[0][2 * bucket + 1] = between(x, start + 0.75 * width);
		for (const [k, y] of heights.entries()) {
			let low = Math.floor(start);
			let high = low;
			for (let i = low; i < start + width && i < n; i++) {
				if (!(y[i] >= y[low])) low = i;
				if (!(y[i] <= y[high])) high = i;
			}
			out[k + 1][2 * bucket] = y[Math.min(low, high)];
			out[k + 1][2 * bucket + 1] = y[Math.max(low, high)];
		}
	}
	return out;
}

function between(x: ArrayLike<number>, index: number): number {
	const i = Math.min(Math.floor(index), x.length - 2);
	return x[i] + (index - i) * (x[i + 1] - x[i]);
}

function encodeTimes(x: ArrayLike<number>): Times {
	const n = x.length;
	const from = n > 0 ? x[0] : 0;
	const step = n > 1 ? (x[n - 1] - from) / (n - 1) : 1;
	let even = true;
	for (let i = 0; i < n && even; i++) even = Math.abs(x[i] - from - i * step) <= 1e-3 * Math.abs(step);
	if (even) return { from, step, n };
	const offsets = Float32Array.from({ length: n }, (_, i) => x[i] - from);
	return {
		from,
		f32: toBase64(littleEndian(offsets.length, 4, (view, i) => view.setFloat32(4 * i, offsets[i], true))),
	};
}

function encodeHeights(y: ArrayLike<number>): Heights {
	const { lo, hi } = new Extent().include(y);
	const range = hi > lo ? hi - lo : 1;
	const code = (value: number): number => {
		if (Number.isNaN(value) || !(lo <= hi)) return hole;
		return Math.round(((Math.min(hi, Math.max(lo, value)) - lo) / range) * (hole - 1));
	};
	const bytes = littleEndian(y.length, 2, (view, i) => view.setUint16(2 * i, code(y[i]), true));
	return { lo: lo <= hi ? lo : 0, hi: (lo <= hi ? lo : 0) + range, u16: toBase64(bytes) };
}

function littleEndian(n: number, size: number, put: (view: DataView, i: number) => void): Uint8Array {
	const view = new DataView(new ArrayBuffer(n * size));
	for (let i = 0; i < n; i++) put(view, i);
	return new Uint8Array(view.buffer);
}
