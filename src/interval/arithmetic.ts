/**
 * Interval arithmetic over arrays, without allocation: interval i has its bounds at i and i + 1, so the k-th
 * of a vector stands at 2k. `out` may be an operand. Preconditions, which hold for all results too: lo <= hi,
 * lo < Inf, hi > -Inf. An infinite bound says that there is none; the elements are always finite numbers.
 */
import { mag, mig } from "./measure.ts";
import { down, mulDown, mulUp, TINY, up } from "./rounding.ts";

/** Where bounds are read from. */
export type Bounds = ArrayLike<number>;

export function addInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const lo = down(a[i] + b[j]);
	const hi = up(a[i + 1] + b[j + 1]);
	out[o] = lo;
	out[o + 1] = hi;
}

export function subInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const lo = down(a[i] - b[j + 1]);
	const hi = up(a[i + 1] - b[j]);
	out[o] = lo;
	out[o + 1] = hi;
}

export function negInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const lo = 0 - a[i + 1];
	out[o + 1] = 0 - a[i];
	out[o] = lo;
}

/**
 * A product has its least and greatest values at corners, and rounding is monotonic, so the extreme computed
 * corner, widened, bounds the extreme true one. Near 0 and for 0·Inf (NaN, which Math.min passes on) corner
 * by corner.
 */
export function mulInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const aLo = a[i];
	const aHi = a[i + 1];
	const bLo = b[j];
	const bHi = b[j + 1];
	const p = aLo * bLo;
	const q = aLo * bHi;
	const r = aHi * bLo;
	const s = aHi * bHi;
	const lo = Math.min(Math.min(p, q), Math.min(r, s));
	const hi = Math.max(Math.max(p, q), Math.max(r, s));
	if (Math.abs(lo) >= TINY && Math.abs(hi) >= TINY) {
		out[o] = down(lo);
		out[o + 1] = up(hi);
	} else {
		mulCorners(out, o, aLo, aHi, bLo, bHi);
	}
}

function mulCorners(out: Float64Array, o: number, aLo: number, aHi: number, bLo: number, bHi: number): void {
	const lo = Math.min(mulDown(aLo, bLo), mulDown(aLo, bHi), mulDown(aHi, bLo), mulDown(aHi, bHi));
	out[o + 1] = Math.max(mulUp(aLo, bLo), mulUp(aLo, bHi), mulUp(aHi, bLo), mulUp(aHi, bHi));
	out[o] = lo;
}

/** c·a for a finite number c. */
export function scaleInto(out: Float64Array, o: number, a: Bounds, i: number, c: number): void {
	const lo = c >= 0 ? mulDown(c, a[i]) : mulDown(c, a[i + 1]);
	out[o + 1] = c >= 0 ? mulUp(c, a[i + 1]) : mulUp(c, a[i]);
	out[o] = lo;
}

const product = new Float64Array(2);
/** out + a·b: the step of sums of products. */
export function addProductInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	b: Bounds,
	j: number,
): void {
	mulInto(product, 0, a, i, b, j);
	addInto(out, o, out, o, product, 0);
}

/** a², tighter than a·a where a holds 0. */
export function sqrInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const least = mig(a[i], a[i + 1]);
	const most = mag(a[i], a[i + 1]);
	out[o] = mulDown(least, least);
	out[o + 1] = mulUp(most, most);
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
