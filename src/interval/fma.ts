/**
 * The best bounds of a·b + c, rounded once.
 *
 * x·y = p + e exactly; p + z = s + t and t + e = u + v exactly, so the truth is s + u + v. s + u = h + l exactly. v is at most half
 * a unit of u's last place, of which s, u, h and l are multiples. So where l ≠ 0 it has the sign of l + v, which is less than the distance from h to
 * the next double; where l = 0 the truth is the sum h + v. Products that are no exact pairs, and sums near the ends of the range, are done in
 * whole numbers.
 */
import type { Bounds } from "./arithmetic.ts";
import { productError, sumError } from "./double-double.ts";
import { addDyadic, dyadic, dyadicToward, mulDyadic } from "./dyadic.ts";
import { after, before, type Side, STEP } from "./rounding.ts";
import { addDown, addUp } from "./tightest.ts";

const LEAST = 1e-270;
const MOST = 1e300;
const SPLITTER = 134217729;
const steps = Float64Array.of(0, STEP);
/** v below this share of h is lost in h + v. */
const LOST = 2 ** -54;

/** a·b + c. Which corners of a·b are the extremes, the signs tell, but where both hold numbers of both signs. */
export function fmaInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	b: Bounds,
	j: number,
	c: Bounds,
	k: number,
): void {
	if (a[i] >= 0) {
		if (b[j] >= 0) cornersInto(out, o, a, i, i + 1, b, j, j + 1, c, k);
		else cornersInto(out, o, a, i + 1, b[j + 1] < 0 ? i : i + 1, b, j, j + 1, c, k);
	} else if (a[i + 1] <= 0)
		cornersInto(out, o, a, b[j + 1] < 0 ? i + 1 : i, b[j] < 0 ? i : i + 1, b, j + 1, j, c, k);
	else if (b[j] >= 0) cornersInto(out, o, a, i, i + 1, b, j + 1, j + 1, c, k);
	else if (b[j + 1] <= 0) cornersInto(out, o, a, i + 1, i, b, j, j, c, k);
	else {
		const lo = Math.min(lower(a[i], b[j + 1], c[k]), lower(a[i + 1], b[j], c[k]));
		out[o + 1] = Math.max(upper(a[i], b[j], c[k + 1]), upper(a[i + 1], b[j + 1], c[k + 1]));
		out[o] = lo;
	}
}

/** [a_i·b_j + c_k rounded down, a_m·b_l + c_(k+1) rounded up]; written out, as in arithmetic.ts. */
function cornersInto(
	out: Float64Array,
	o: number,
	a: Bounds,
	i: number,
	m: number,
	b: Bounds,
	j: number,
	l: number,
	c: Bounds,
	k: number,
): void {
	const x = a[i];
	const y = b[j];
	const z = c[k];
	const p = x * y;
	const xScaled = x * SPLITTER;
	const xHead = xScaled - (xScaled - x);
	const xTail = x - xHead;
	const yScaled = y * SPLITTER;
	const yHead = yScaled - (yScaled - y);
	const yTail = y - yHead;
	const e = xHead * yHead - p + xHead * yTail + xTail * yHead + xTail * yTail;
	const s = p + z;
	const sPart = s - p;
	const t = p - (s - sPart) + (z - sPart);
	const u = t + e;
	const uPart = u - t;
	const v = t - (u - uPart) + (e - uPart);
	const h = s + u;
	const hPart = h - s;
	const below = s - (h - hPart) + (u - hPart) + v;
	const least = Math.abs(h);

	const X = a[m];
	const Y = b[l];
	const Z = c[k + 1];
	const P = X * Y;
	const XScaled = X * SPLITTER;
	const XHead = XScaled - (XScaled - X);
	const XTail = X - XHead;
	const YScaled = Y * SPLITTER;
	const YHead = YScaled - (YScaled - Y);
	const YTail = Y - YHead;
	const E = XHead * YHead - P + XHead * YTail + XTail * YHead + XTail * YTail;
	const S = P + Z;
	const SPart = S - P;
	const T = P - (S - SPart) + (Z - SPart);
	const W = T + E;
	const WPart = W - T;
	const V = T - (W - WPart) + (E - WPart);
	const H = S + W;
	const HPart = H - S;
	const above = S - (H - HPart) + (W - HPart) + V;
	const most = Math.abs(H);

	// No number, of a factor that is too large to be split, is less than anything.
	if (
		Math.abs(p) > LEAST &&
		Math.abs(P) > LEAST &&
		least > LEAST &&
		most > LEAST &&
		least < MOST &&
		most < MOST &&
		Math.abs(z) < MOST &&
		Math.abs(Z) < MOST &&
		Math.abs(v) < least * LOST &&
		Math.abs(V) < most * LOST
	) {
		out[o] = h - steps[+(below < 0)] * least;
		out[o + 1] = H + steps[+(above > 0)] * most;
	} else {
		const lo = lower(x, y, z);
		out[o + 1] = upper(X, Y, Z);
		out[o] = lo;
	}
}

function lower(x: number, y: number, z: number): number {
	return z === Number.NEGATIVE_INFINITY ? z : fmaToward(x, y, z, -1);
}

function upper(x: number, y: number, z: number): number {
	return z === Number.POSITIVE_INFINITY ? z : fmaToward(x, y, z, 1);
}

/** Bound of x·y + z; 0·Inf is 0, and z is not the infinity opposite to a product that is one. */
export function fmaToward(x: number, y: number, z: number, side: Side): number {
	if (x === 0 || y === 0) return z;
	const p = x * y;
	if (!Number.isFinite(x) || !Number.isFinite(y)) return p + z;
	if (!Number.isFinite(z)) return z;
	const e = productError(x, y, p);
	const size = Math.abs(p);
	if (!(size > LEAST && size < MOST && Math.abs(z) < MOST) || Number.isNaN(e))
		return dyadicToward(addDyadic(mulDyadic(dyadic(x), dyadic(y)), dyadic(z)), side);
	const s = p + z;
	const t = sumError(p, z, s);
	const u = t + e;
	const v = sumError(t, e, u);
	const h = s + u;
	const l = sumError(s, u, h);
	if (l === 0) return side < 0 ? addDown(h, v) : addUp(h, v);
	if (side < 0) return l < 0 ? before(h) : h;
	return l > 0 ? after(h) : h;
}
