/**
 * Division, with divisors that hold 0.
 */
import type { Bounds } from "./arithmetic.ts";
import { leaveDomain } from "./domain.ts";
import { STEP } from "./rounding.ts";
import { divDown, divUp } from "./tightest.ts";

/**
 * a/b. Where b holds 0, `domain.left` is set, and the result is a half line if b only touches 0 and a has one
 * sign, 0 if a is 0 and b is not, the whole line otherwise.
 */
export function divInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const aLo = a[i];
	const aHi = a[i + 1];
	const bLo = b[j];
	const bHi = b[j + 1];
	if (bLo > 0) {
		out[o] = divDown(aLo, aLo >= 0 ? bHi : bLo);
		out[o + 1] = divUp(aHi, aHi >= 0 ? bLo : bHi);
	} else if (bHi < 0) {
		out[o] = divDown(aHi, aHi >= 0 ? bHi : bLo);
		out[o + 1] = divUp(aLo, aLo >= 0 ? bLo : bHi);
	} else {
		leaveDomain(out, o);
		if (bLo === 0 && bHi === 0) return;
		if (aLo === 0 && aHi === 0) {
			out[o] = 0;
			out[o + 1] = 0;
		} else if (bLo === 0) halfLine(out, o, aLo, aHi, bHi);
		else if (bHi === 0) halfLine(out, o, -aHi, -aLo, -bLo);
	}
}

/** [aLo, aHi]/]0, end]. */
function halfLine(out: Float64Array, o: number, aLo: number, aHi: number, end: number): void {
	if (aLo >= 0) out[o] = divDown(aLo, end);
	else if (aHi <= 0) out[o + 1] = divUp(aHi, end);
}

/**
 * All x with x·y in a for some y in b, which is what Newton's method divides by: none, one or two intervals,
 * written at o and o + 2. Returns how many. A b of [0, 0] gives none, or the whole line where a holds 0.
 */
export function divExtendedInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	b: Bounds,
	j: number,
): 0 | 1 | 2 {
	const aLo = a[i];
	const aHi = a[i + 1];
	const bLo = b[j];
	const bHi = b[j + 1];
	if (bLo > 0 || bHi < 0) {
		divInto(out, o, a, i, b, j);
		return 1;
	}
	if (aLo <= 0 && aHi >= 0) {
		out[o] = Number.NEGATIVE_INFINITY;
		out[o + 1] = Number.POSITIVE_INFINITY;
		return 1;
	}
	// The element of a next to 0 over each side of b: x from there to the infinity of its sign.
	const near = aLo > 0 ? aLo : aHi;
	let count: 0 | 1 | 2 = 0;
	if (aLo > 0 ? bLo < 0 : bHi > 0) {
		out[o] = Number.NEGATIVE_INFINITY;
		out[o + 1] = divUp(near, aLo > 0 ? bLo : bHi);
		count = 1;
	}
	if (aLo > 0 ? bHi > 0 : bLo < 0) {
		out[o + 2 * count] = divDown(near, aLo > 0 ? bHi : bLo);
		out[o + 2 * count + 1] = Number.POSITIVE_INFINITY;
		count = count === 1 ? 2 : 1;
	}
	return count;
}

const SPLITTER = 134217729;
const steps = Float64Array.of(0, STEP);

/** 1/b, as `divInto`; both ends are written out, as in arithmetic.ts. */
export function recipInto(out: Float64Array, o: number, b: Bounds, j: number): void {
	const y = b[j + 1];
	const v = b[j];
	const least = Math.abs(y);
	const most = Math.abs(v);
	if ((v > 0 || y < 0) && least > 1e-150 && most > 1e-150 && least < 1e150 && most < 1e150) {
		const q = 1 / y;
		const p = q * y;
		const qScaled = q * SPLITTER;
		const qHead = qScaled - (qScaled - q);
		const qTail = q - qHead;
		const yScaled = y * SPLITTER;
		const yHead = yScaled - (yScaled - y);
		const yTail = y - yHead;
		const below = 1 - p - (qHead * yHead - p + qHead * yTail + qTail * yHead + qTail * yTail);
		const r = 1 / v;
		const s = r * v;
		const rScaled = r * SPLITTER;
		const rHead = rScaled - (rScaled - r);
		const rTail = r - rHead;
		const vScaled = v * SPLITTER;
		const vHead = vScaled - (vScaled - v);
		const vTail = v - vHead;
		const above = 1 - s - (rHead * vHead - s + rHead * vTail + rTail * vHead + rTail * vTail);
		// What is left over a divisor has the sign of both.
		out[o] = q - steps[+(below * q < 0)] * Math.abs(q);
		out[o + 1] = r + steps[+(above * r > 0)] * Math.abs(r);
	} else divInto(out, o, one, 0, b, j);
}

const one = Float64Array.of(1, 1);
