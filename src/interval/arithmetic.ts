/**
 * Interval arithmetic over arrays, without allocation: interval i has its bounds at i and i + 1, so the k-th
 * of a vector stands at 2k. `out` may be an operand. Preconditions, which hold for all results too: lo <= hi,
 * lo < Inf, hi > -Inf. An infinite bound says that there is none; the elements are always finite numbers. All bounds
 * are the best that doubles can give, but for `addProductInto`.
 */
import { mag, mig } from "./measure.ts";
import { down, STEP, TINY, up } from "./rounding.ts";
import { addDown, addUp, mulDown, mulUp } from "./tightest.ts";

/** Where bounds are read from. */
export type Bounds = ArrayLike<number>;

// The sums and products of tightest.ts are written out here once more: a function that is not inlined has its numbers
// put into objects, which costs more than the work. Constants of another module would be read from memory.
const steps = Float64Array.of(0, STEP);
const LEAST = 1e-270;
const MOST = 1e300;
const SPLITTER = 134217729;

export function addInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const aLo = a[i];
	const aHi = a[i + 1];
	const bLo = b[j];
	const bHi = b[j + 1];
	const s = aLo + bLo;
	const t = aHi + bHi;
	const sPart = s - aLo;
	const tPart = t - aHi;
	const below = aLo - (s - sPart) + (bLo - sPart);
	const above = aHi - (t - tPart) + (bHi - tPart);
	const least = Math.abs(s);
	const most = Math.abs(t);
	if (least > LEAST && most > LEAST && least < MOST && most < MOST) {
		out[o] = s - steps[+(below < 0)] * least;
		out[o + 1] = t + steps[+(above > 0)] * most;
	} else {
		out[o] = addDown(aLo, bLo);
		out[o + 1] = addUp(aHi, bHi);
	}
}

export function subInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const aLo = a[i];
	const aHi = a[i + 1];
	const bLo = -b[j + 1];
	const bHi = -b[j];
	const s = aLo + bLo;
	const t = aHi + bHi;
	const sPart = s - aLo;
	const tPart = t - aHi;
	const below = aLo - (s - sPart) + (bLo - sPart);
	const above = aHi - (t - tPart) + (bHi - tPart);
	const least = Math.abs(s);
	const most = Math.abs(t);
	if (least > LEAST && most > LEAST && least < MOST && most < MOST) {
		out[o] = s - steps[+(below < 0)] * least;
		out[o + 1] = t + steps[+(above > 0)] * most;
	} else {
		out[o] = addDown(aLo, bLo);
		out[o + 1] = addUp(aHi, bHi);
	}
}

export function negInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const lo = 0 - a[i + 1];
	out[o + 1] = 0 - a[i];
	out[o] = lo;
}

/**
 * A product has its least and greatest values at corners, which the signs tell, but for two candidates each where both
 * intervals hold numbers of both signs.
 */
export function mulInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	if (a[i] >= 0) {
		if (b[j] >= 0) cornersInto(out, o, a, i, i + 1, b, j, j + 1);
		else cornersInto(out, o, a, i + 1, b[j + 1] < 0 ? i : i + 1, b, j, j + 1);
	} else if (a[i + 1] <= 0)
		cornersInto(out, o, a, b[j + 1] < 0 ? i + 1 : i, b[j] < 0 ? i : i + 1, b, j + 1, j);
	else if (b[j] >= 0) cornersInto(out, o, a, i, i + 1, b, j + 1, j + 1);
	else if (b[j + 1] <= 0) cornersInto(out, o, a, i + 1, i, b, j, j);
	else mixedInto(out, o, a, i, b, j);
}

/** [a_i·b_j rounded down, a_k·b_l rounded up]. */
function cornersInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	k: number,
	b: Bounds,
	j: number,
	l: number,
): void {
	const x = a[i];
	const y = b[j];
	const v = a[k];
	const w = b[l];
	const p = x * y;
	const q = v * w;
	const xScaled = x * SPLITTER;
	const xHead = xScaled - (xScaled - x);
	const xTail = x - xHead;
	const yScaled = y * SPLITTER;
	const yHead = yScaled - (yScaled - y);
	const yTail = y - yHead;
	const below = xHead * yHead - p + xHead * yTail + xTail * yHead + xTail * yTail;
	const vScaled = v * SPLITTER;
	const vHead = vScaled - (vScaled - v);
	const vTail = v - vHead;
	const wScaled = w * SPLITTER;
	const wHead = wScaled - (wScaled - w);
	const wTail = w - wHead;
	const above = vHead * wHead - q + vHead * wTail + vTail * wHead + vTail * wTail;
	const least = Math.abs(p);
	const most = Math.abs(q);
	// An error that is NaN makes the sum of the errors NaN.
	if (least > LEAST && most > LEAST && least < MOST && most < MOST && below + above < MOST) {
		out[o] = p - steps[+(below < 0)] * least;
		out[o + 1] = q + steps[+(above > 0)] * most;
	} else {
		out[o] = mulDown(x, y);
		out[o + 1] = mulUp(v, w);
	}
}

function mixedInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const lo = Math.min(mulDown(a[i], b[j + 1]), mulDown(a[i + 1], b[j]));
	out[o + 1] = Math.max(mulUp(a[i], b[j]), mulUp(a[i + 1], b[j + 1]));
	out[o] = lo;
}

/** c·a for a finite number c. */
export function scaleInto(out: Float64Array, o: number, a: Bounds, i: number, c: number): void {
	const lo = c >= 0 ? mulDown(c, a[i]) : mulDown(c, a[i + 1]);
	out[o + 1] = c >= 0 ? mulUp(c, a[i + 1]) : mulUp(c, a[i]);
	out[o] = lo;
}

const product = new Float64Array(2);
/**
 * out + a·b: the step of sums of products, where speed is worth more than the last two doubles. Rounding is monotonic, so the
 * extreme computed corner, moved outward by `down` or `up`, bounds the extreme true one. Near 0, where that does not hold, and for
 * 0·Inf (NaN, which Math.min passes on) by the best product and the best sum.
 */
export function addProductInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	b: Bounds,
	j: number,
): void {
	const p = a[i] * b[j];
	const q = a[i] * b[j + 1];
	const r = a[i + 1] * b[j];
	const s = a[i + 1] * b[j + 1];
	const lo = Math.min(Math.min(p, q), Math.min(r, s));
	const hi = Math.max(Math.max(p, q), Math.max(r, s));
	if (Math.abs(lo) >= TINY && Math.abs(hi) >= TINY) {
		out[o] = down(out[o] + down(lo));
		out[o + 1] = up(out[o + 1] + up(hi));
	} else {
		mulInto(product, 0, a, i, b, j);
		addInto(out, o, out, o, product, 0);
	}
}

/** a², tighter than a·a where a holds 0. */
export function sqrInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	if (a[i] > 0) squaresInto(out, o, a, i, i + 1);
	else if (a[i + 1] < 0) squaresInto(out, o, a, i + 1, i);
	else {
		const most = mag(a[i], a[i + 1]);
		out[o + 1] = mulUp(most, most);
		out[o] = 0;
	}
}

/** [a_i² rounded down, a_k² rounded up], |a_i| <= |a_k|: each factor is split once. */
function squaresInto(out: Float64Array, o: number, a: Bounds, i: number, k: number): void {
	const x = a[i];
	const v = a[k];
	const p = x * x;
	const q = v * v;
	const xScaled = x * SPLITTER;
	const xHead = xScaled - (xScaled - x);
	const xTail = x - xHead;
	const below = xHead * xHead - p + 2 * xHead * xTail + xTail * xTail;
	const vScaled = v * SPLITTER;
	const vHead = vScaled - (vScaled - v);
	const vTail = v - vHead;
	const above = vHead * vHead - q + 2 * vHead * vTail + vTail * vTail;
	if (p > LEAST && q < MOST) {
		out[o] = p - steps[+(below < 0)] * p;
		out[o + 1] = q + steps[+(above > 0)] * q;
	} else {
		out[o] = mulDown(x, x);
		out[o + 1] = mulUp(v, v);
	}
}

export function absInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const least = mig(a[i], a[i + 1]);
	out[o + 1] = mag(a[i], a[i + 1]);
	out[o] = least;
}

/** All min(x, y). */
export function minInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const lo = Math.min(a[i], b[j]);
	out[o + 1] = Math.min(a[i + 1], b[j + 1]);
	out[o] = lo;
}

/** All max(x, y). */
export function maxInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const lo = Math.max(a[i], b[j]);
	out[o + 1] = Math.max(a[i + 1], b[j + 1]);
	out[o] = lo;
}

/** The least interval that holds both. */
export function hullInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const lo = Math.min(a[i], b[j]);
	out[o + 1] = Math.max(a[i + 1], b[j + 1]);
	out[o] = lo;
}

/** What both hold: true, or false and `out` untouched where that is nothing. */
export function intersectInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	b: Bounds,
	j: number,
): boolean {
	const lo = Math.max(a[i], b[j]);
	const hi = Math.min(a[i + 1], b[j + 1]);
	if (!(lo <= hi)) return false;
	out[o] = lo;
	out[o + 1] = hi;
	return true;
}
