/**
 * Powers with few factors, as fast as their products: x^n is a pair h + l that is multiplied by x again and again. One product of a pair by a number is off by less than 4u²
 * of it (double-double.ts), n - 1 of them by less than 4nu². Where l is beyond that, its sign says on which side of h the truth is, and the best bound is h or the double next to it.
 */
import type { Bounds } from "./arithmetic.ts";
import { STEP } from "./rounding.ts";

/** Up to so many factors. */
export const MOST_FACTORS = 16;

const SPLITTER = 134217729;
const LEAST = 1e-270;
const MOST = 1e300;
/** 8u². */
const ERROR = 2 ** -103;
const steps = Float64Array.of(0, STEP);

/** a^n for a positive a and n > 1; false, and `out` untouched, where the pairs do not tell. */
export function factorsInto(out: Float64Array, o: number, a: Bounds, i: number, n: number): boolean {
	const x = a[i];
	const y = a[i + 1];
	if (!(x > LEAST && y < 1e270)) return false;
	const xScaled = x * SPLITTER;
	const xHead = xScaled - (xScaled - x);
	const xTail = x - xHead;
	const yScaled = y * SPLITTER;
	const yHead = yScaled - (yScaled - y);
	const yTail = y - yHead;
	let h = x;
	let l = 0;
	let H = y;
	let L = 0;
	for (let k = 1; k < n; k++) {
		const p = h * x;
		const hScaled = h * SPLITTER;
		const hHead = hScaled - (hScaled - h);
		const hTail = h - hHead;
		const e = hHead * xHead - p + hHead * xTail + hTail * xHead + hTail * xTail + l * x;
		h = p + e;
		l = e - (h - p);
		const P = H * y;
		const HScaled = H * SPLITTER;
		const HHead = HScaled - (HScaled - H);
		const HTail = H - HHead;
		const E = HHead * yHead - P + HHead * yTail + HTail * yHead + HTail * yTail + L * y;
		H = P + E;
		L = E - (H - P);
	}
	// Powers go one way: between the first and the last factor all of them are of moderate size.
	if (!(h > LEAST && H < MOST && Math.abs(l) > n * h * ERROR && Math.abs(L) > n * H * ERROR)) return false;
	out[o] = h - steps[+(l < 0)] * h;
	out[o + 1] = H + steps[+(L > 0)] * H;
	return true;
}
