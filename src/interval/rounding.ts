/**
 * Directed rounding without rounding modes: the doubles next to a number, and cheap bounds that need no error term.
 * The best bounds of sums, products and quotients stand in tightest.ts.
 *
 * JavaScript rounds to nearest, and has no other mode. So a computed s is moved outward by
 * fl(|s|·W), W = 3/4·2^-52. Let ulp(s) = 2^(e-52) for 2^e <= |s| < 2^(e+1), and η = 2^-1074.
 *
 * Claim 1. Let |s| >= 2^-1021 and let the truth be within ulp(s)/2 of s. Then down(s) <= truth <= up(s). w =
 *   fl(|s|·W). The exact product is at least 3/4·ulp(s) >= 3/2·η, and rounding is monotonic: where 3/4·ulp(s)
 *   is a double, w >= 3/4·ulp(s); where it is not (ulp(s) = 2η), it rounds to 2η = ulp(s). Hence w >
 *   ulp(s)/2. Away from zero the next double is |s| + ulp(s), and |s| + w is past the midpoint before it, so
 *   the result is at least |s| + ulp(s). Towards zero |s| - w < |s| - ulp(s)/2. Where |s| is no power of two,
 *   that is past the midpoint before |s| - ulp(s), so the result is at most this; where it is, |s| - ulp(s)/2
 *   is itself a double, and the result is at most this, which still is at most the truth.
 * Claim 2. The move is at most 1 ulp(s) where |s| >= 2^-969: w <= 3/2·ulp(s)·(1 - 2^-53) rounded stays below
 *   3/2·ulp(s), so the nearest double is |s| ± ulp(s) (or |s| - ulp(s)/2). Below, it is at most 2 ulp(s).
 * Claim 3. A sum with |s| < 2^-1021 is exact: both terms and s are multiples of η, below 2^53·η. So `down`
 *   and `up` serve for sums and differences of any size, and keep an exact 0.
 * Negation is written 0 - x, which makes no -0.
 * Overflow: where s = +Inf arose from finite numbers the truth is above MAX, so MAX is a lower bound: s - w
 *   is NaN there, and nowhere else. -Inf is the lower bound that says nothing. `up` mirrors this.
 */
import { pow2 } from "../num/elementary/primitives.ts";

/** 3/4·2^-52. */
const W = 1.6653345369377348e-16;
/** 2^-53·(1 + 2^-52). */
export const STEP = 1.1102230246251568e-16;
/** 2^-1021: from here on the error of a product is relative. */
export const TINY = 4.450147717014403e-308;
/** η = 2^-1074, the least positive double. */
const ETA = 5e-324;
const MAX = 1.7976931348623157e308;
/** From here on the step to the next double is one product. */
const LEAST = 1e-270;
const UP_200 = pow2(200);
const DOWN_200 = pow2(-200);

/** Which bound: -1 the lower, 1 the upper. */
export type Side = -1 | 1;

/**
 * A lower bound of the exact sum, difference, or (from 2^-1021 on) product or quotient that was rounded to s.
 */
export function down(s: number): number {
	const t = s - Math.abs(s) * W;
	return Number.isNaN(t) ? MAX : t;
}

/**
 * An upper bound of the exact sum, difference, or (from 2^-1021 on) product or quotient that was rounded to
 * s.
 */
export function up(s: number): number {
	const t = s + Math.abs(s) * W;
	return Number.isNaN(t) ? -MAX : t;
}

/**
 * The double before a finite x. Where doubles are 2^-1074 apart by subtraction. From 2^-900 on by the least
 * step that is past the midpoint, for powers of two and others: 2^-53·(1 + 2^-52)·|x| is in ]ulp/2, 3/2·ulp[,
 * and next to ulp/2 where |x| is a power of two. Between, the same of 2^200·x, which is exact there and back.
 */
export function before(x: number): number {
	const size = Math.abs(x);
	if (size < TINY) return x - ETA;
	if (size < LEAST) return (x * UP_200 - size * UP_200 * STEP) * DOWN_200;
	return x - size * STEP;
}

/** The double after a finite x, in the same way. */
export function after(x: number): number {
	return 0 - before(-x);
}

/**
 * Bound of y·2^k on the given side, for a positive y from 2^-100 to 2^100 that is itself such a bound. The
 * first product is exact, the second is rounded once, below 2^-1021 only, and scaling back tells to which
 * side.
 */
export function scaleToward(y: number, k: number, side: Side): number {
	if (k > 1200) return side < 0 ? MAX : Number.POSITIVE_INFINITY;
	if (k < -1300) return side < 0 ? 0 : ETA;
	const first = Math.trunc(k / 2);
	const scaled = y * pow2(first);
	const value = scaled * pow2(k - first);
	if (value > MAX) return side < 0 ? MAX : value;
	if (value >= TINY) return value;
	const back = value * pow2(first - k);
	if (side < 0) return back <= scaled ? value : value - ETA;
	return back >= scaled ? value : value + ETA;
}
