/**
 * √x with a proved rounding, whatever the host's square root is worth: its square, which is an exact pair, is
 * compared with x.
 */
import { pow2 } from "../../num/elementary/primitives.ts";
import type { Bounds } from "../arithmetic.ts";
import { leaveDomain } from "../domain.ts";
import { productError, twoProduct } from "../double-double.ts";
import { after, before, type Side, STEP } from "../rounding.ts";

/** What is left of x beside s², as a share of it: below, s is the double next to √x. */
const NEAR = 2.22e-16;

const SPLITTER = 134217729;
const steps = Float64Array.of(0, STEP);

/** √a; both ends are written out, as in arithmetic.ts. */
export function sqrtInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const x = a[i];
	const y = a[i + 1];
	if (x > 1e-200 && y < 1e200) {
		const s = Math.sqrt(x);
		const p = s * s;
		const sScaled = s * SPLITTER;
		const sHead = sScaled - (sScaled - s);
		const sTail = s - sHead;
		const below = x - p - (sHead * sHead - p + 2 * sHead * sTail + sTail * sTail);
		const r = Math.sqrt(y);
		const q = r * r;
		const rScaled = r * SPLITTER;
		const rHead = rScaled - (rScaled - r);
		const rTail = r - rHead;
		const above = y - q - (rHead * rHead - q + 2 * rHead * rTail + rTail * rTail);
		if (Math.abs(below) < p * NEAR && Math.abs(above) < q * NEAR) {
			out[o] = s - steps[+(below < 0)] * s;
			out[o + 1] = r + steps[+(above > 0)] * r;
			return;
		}
	}
	if (x < 0) leaveDomain(out, o);
	if (y < 0) return;
	out[o] = x > 0 ? sqrtToward(x, -1) : 0;
	out[o + 1] = sqrtToward(y, 1);
}

/**
 * Bound of √x for x >= 0; exact where √x is a double, else the double next to it. Where x - s² is less than s²·2^-52, √x is nearer to s than s·2^-53, and so than
 * the doubles next to s.
 */
export function sqrtToward(x: number, side: Side): number {
	if (x > 1e-200 && x < 1e200) {
		const s = Math.sqrt(x);
		const p = s * s;
		const rest = x - p - productError(s, s, p);
		if (Math.abs(rest) < p * NEAR) {
			if (side < 0) return rest < 0 ? before(s) : s;
			return rest > 0 ? after(s) : s;
		}
	}
	return sqrtStepwise(x, side);
}

function sqrtStepwise(x: number, side: Side): number {
	if (x === 0 || x === Number.POSITIVE_INFINITY) return x;
	// Scaled by an even power of two into the range where squares are exact pairs.
	const shift = x < 1e-150 ? 300 : x > 1e150 ? -300 : 0;
	const y = x * pow2(2 * shift);
	let s = Math.sqrt(y);
	while (side < 0 ? squareLess(s, y) > 0 : squareLess(s, y) < 0) s = side < 0 ? before(s) : after(s);
	return s * pow2(-shift);
}

/** A number with the sign of s² - y, s near √y: the difference is exact, and a rounded sum keeps its sign. */
function squareLess(s: number, y: number): number {
	const p = twoProduct(s, s);
	return p.hi - y + p.lo;
}
