/**
 * The best bounds of a sum, product or quotient: the greatest double that is not above the truth, the least that is
 * not below it. So exact results stay exact.
 *
 * The rounded result r is the nearest double to the truth. What rounding cut off is itself a double [dekker1971], and only
 * its sign matters: where the truth is below r, the greatest double not above the truth is the one before r.
 * - A sum: the error is exact wherever r is finite, but that the last step of Knuth's order may overflow near MAX; there
 *   it is taken in Dekker's order, greater term first, which cannot.
 * - A product: Dekker's error is exact where |r| >= 2^-968 and no factor is beyond 2^996; a factor beyond makes it NaN.
 * - A quotient q = x/y: x - q·y is a double, its two parts x - fl(q·y) and the error of the product are exact, and a
 *   rounded difference keeps its sign.
 * The step to the next double is one product where LEAST < |r| < MOST: |r|·2^-53·(1 + 2^-52), or 0, taken from a table by the outcome of the
 * comparison, as a branch would be mispredicted half the time. Elsewhere factors are scaled to [1, 2[, and the bound is scaled back:
 * rounding down to doubles and then to the coarser grid near 0 is rounding down once.
 */
import { exponent, pow2 } from "../num/elementary/primitives.ts";
import { productError } from "./double-double.ts";
import { after, before, type Side, STEP, scaleToward } from "./rounding.ts";

/** By the outcome of a comparison: no step, or one. */
const steps = Float64Array.of(0, STEP);
// Constants of another module would be read from memory at each use.
const LEAST = 1e-270;
const MOST = 1e300;
const MAX = 1.7976931348623157e308;
const NORMAL = 2.2250738585072014e-308;

/** x + y rounded down; neither is Inf. */
export function addDown(x: number, y: number): number {
	const s = x + y;
	const part = s - x;
	const error = x - (s - part) + (y - part);
	const size = Math.abs(s);
	if (size > LEAST && size < MOST) return s - steps[+(error < 0)] * size;
	return size <= LEAST ? (error < 0 ? before(s) : s) : addLarge(x, y, -1);
}

/** x + y rounded up; neither is -Inf. */
export function addUp(x: number, y: number): number {
	const s = x + y;
	const part = s - x;
	const error = x - (s - part) + (y - part);
	const size = Math.abs(s);
	if (size > LEAST && size < MOST) return s + steps[+(error > 0)] * size;
	return size <= LEAST ? (error > 0 ? after(s) : s) : addLarge(x, y, 1);
}

function addLarge(x: number, y: number, side: Side): number {
	const s = x + y;
	if (Math.abs(s) > MAX) {
		const finite = Math.abs(x) <= MAX && Math.abs(y) <= MAX;
		return finite && s > 0 !== side > 0 ? (side < 0 ? MAX : -MAX) : s;
	}
	const error = Math.abs(x) >= Math.abs(y) ? y - (s - x) : x - (s - y);
	return next(s, error, side);
}

/** r, or the double next to it, whichever bounds r + rest, |rest| less than the distance between them. */
function next(r: number, rest: number, side: Side): number {
	if (side < 0) return rest < 0 ? before(r) : r;
	return rest > 0 ? after(r) : r;
}

/** x·y rounded down; 0·Inf is 0, as bounds need it. */
export function mulDown(x: number, y: number): number {
	const p = x * y;
	const error = productError(x, y, p);
	const size = Math.abs(p);
	if (size > LEAST && size < MOST && !Number.isNaN(error)) return p - steps[+(error < 0)] * size;
	return mulScaled(x, y, -1);
}

/** x·y rounded up; 0·Inf is 0, as bounds need it. */
export function mulUp(x: number, y: number): number {
	const p = x * y;
	const error = productError(x, y, p);
	const size = Math.abs(p);
	if (size > LEAST && size < MOST && !Number.isNaN(error)) return p + steps[+(error > 0)] * size;
	return mulScaled(x, y, 1);
}

function mulScaled(x: number, y: number, side: Side): number {
	if (x === 0 || y === 0) return 0;
	const p = x * y;
	if (Math.abs(x) > MAX || Math.abs(y) > MAX) return p;
	const j = place(x);
	const k = place(y);
	const m = unit(x, j);
	const n = unit(y, k);
	const head = m * n;
	return scaleSigned(next(head, productError(m, n, head), side), j + k, side);
}

/** x/y rounded down, y not 0, not both infinite; a number over ±Inf is 0, the limit. */
export function divDown(x: number, y: number): number {
	const q = x / y;
	const p = q * y;
	const rest = x - p - productError(q, y, p);
	const size = Math.abs(q);
	if (size > LEAST && size < MOST && inRange(x) && !Number.isNaN(rest))
		return q - steps[+(y > 0 ? rest < 0 : rest > 0)] * size;
	return divScaled(x, y, -1);
}

/** x/y rounded up, y not 0, not both infinite; a number over ±Inf is 0, the limit. */
export function divUp(x: number, y: number): number {
	const q = x / y;
	const p = q * y;
	const rest = x - p - productError(q, y, p);
	const size = Math.abs(q);
	if (size > LEAST && size < MOST && inRange(x) && !Number.isNaN(rest))
		return q + steps[+(y > 0 ? rest > 0 : rest < 0)] * size;
	return divScaled(x, y, 1);
}

function inRange(x: number): boolean {
	const size = Math.abs(x);
	return size > LEAST && size < MOST;
}

function divScaled(x: number, y: number, side: Side): number {
	if (x === 0 || Math.abs(y) > MAX) return 0;
	if (Math.abs(x) > MAX) return x / y;
	const j = place(x);
	const k = place(y);
	const m = unit(x, j);
	const n = unit(y, k);
	const q = m / n;
	const p = q * n;
	const rest = m - p - productError(q, n, p);
	return scaleSigned(next(q, n > 0 ? rest : -rest, side), j - k, side);
}

/** The e of x = m·2^e with 1 <= |m| < 2, of a subnormal x too. */
function place(x: number): number {
	return Math.abs(x) < NORMAL ? exponent(x * pow2(54)) - 54 : exponent(x);
}

/** x·2^-e, exactly. */
function unit(x: number, e: number): number {
	const first = Math.trunc(e / 2);
	return x * pow2(-first) * pow2(first - e);
}

/** Bound of y·2^k on the given side, y of either sign. */
export function scaleSigned(y: number, k: number, side: Side): number {
	return y < 0 ? 0 - scaleToward(0 - y, k, -side as Side) : scaleToward(y, k, side);
}
