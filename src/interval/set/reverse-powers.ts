/**
 * Where base or exponent of a power are unknown. t^y = z with t > 0 means y·log t = log z, so the solutions fall into pieces by which of t and z are below 1 and
 * which above, and in each piece the extremes are at corners. No piece holds 1 (or, for exponents, 0): these are solutions, or not, by
 * themselves, and where a piece only reaches them by rounding or in the limit, they are not part of it.
 */
import { divPairs } from "../double-double.ts";
import { LOG_ERROR, logPair } from "../elementary/log.ts";
import { powToward } from "../elementary/power.ts";
import { entire, type Interval } from "../interval.ts";
import type { Side } from "../rounding.ts";
import { toward } from "../toward.ts";
import { piecesWithin } from "./reverse.ts";
import { root } from "./roots.ts";
import { empty, given, intersection, type Operand } from "./set-interval.ts";

const Inf = Number.POSITIVE_INFINITY;
const zero: Interval = { lo: 0, hi: 0 };
const one: Interval = { lo: 1, hi: 1 };

/** All t in x with t^y in c for some y in b. */
export function powRev1(b: Operand, c: Operand, x: Operand = entire): Interval {
	const [exponent, power, within] = [given(b), given(c), given(x)];
	if (exponent === empty || power === empty || within === empty) return empty;
	const pieces: Interval[] = [];
	if (holds(power, 1)) {
		pieces.push(one);
		if (holds(exponent, 0) && within.hi > 0) pieces.push({ lo: 0, hi: Inf });
	}
	if (holds(power, 0) && exponent.hi > 0) pieces.push(zero);
	// y > 0, and y < 0 with 1/z for z: t = z^(1/y).
	for (const side of [1, -1] as const) {
		const [yLo, yHi] = side > 0 ? [exponent.lo, exponent.hi] : [-exponent.hi, -exponent.lo];
		if (!(yHi > 0)) continue;
		const [near, far] = [side * yHi, side * Math.max(yLo, 0)];
		const [above, below] = [piece(power, 1, Inf), piece(power, 0, 1)];
		// z beyond 1 on the side of t > 1, and on the other.
		const [outer, inner] = side > 0 ? [above, below] : [below, above];
		const ends = ({ lo, hi }: Interval): [number, number] => (side > 0 ? [lo, hi] : [hi, lo]);
		if (outer !== empty && within.hi > 1) {
			const [least, most] = ends(outer);
			pieces.push({ lo: nearOne(least, near, -1), hi: farOff(most, far, Inf, 1) });
		}
		if (inner !== empty && within.lo < 1 && within.hi > 0) {
			const [least, most] = ends(inner);
			pieces.push({ lo: farOff(least, far, 0, -1), hi: nearOne(most, near, 1) });
		}
	}
	return piecesWithin(within, pieces);
}

/** Bound of z^(1/y), the end of a piece next to 1. */
function nearOne(z: number, y: number, side: Side): number {
	return z === 1 || Math.abs(y) === Inf ? 1 : root(z, y, side);
}

/** Bound of z^(1/y), the other end; `limit` is what there is for z = 0, z = Inf and y = 0. */
function farOff(z: number, y: number, limit: number, side: Side): number {
	return z === 0 || z === Inf || y === 0 ? limit : root(z, y, side);
}

/** All y in x with t^y in c for some t in a. */
export function powRev2(a: Operand, c: Operand, x: Operand = entire): Interval {
	const [base, power, within] = [intersection(a, { lo: 0, hi: Inf }), given(c), given(x)];
	if (base === empty || power === empty || within === empty) return empty;
	const pieces: Interval[] = [];
	if (holds(power, 1) && base.hi > 0) pieces.push(holds(base, 1) ? entire : zero);
	if (holds(power, 0) && holds(base, 0) && within.hi > 0) pieces.push({ lo: 0, hi: Inf });
	const [above, below] = [piece(power, 1, Inf), piece(power, 0, 1)];
	const [large, small] = [piece(base, 1, Inf), piece(base, 0, 1)];
	if (within.hi > 0) {
		if (large !== empty && above !== empty)
			pieces.push({ lo: quotient(above.lo, large.hi, -1), hi: quotient(above.hi, large.lo, 1) });
		if (small !== empty && below !== empty)
			pieces.push({ lo: quotient(below.hi, small.lo, -1), hi: quotient(below.lo, small.hi, 1) });
	}
	if (within.lo < 0) {
		if (large !== empty && below !== empty)
			pieces.push({ lo: quotient(below.lo, large.lo, -1), hi: quotient(below.hi, large.hi, 1) });
		if (small !== empty && above !== empty)
			pieces.push({ lo: quotient(above.hi, small.hi, -1), hi: quotient(above.lo, small.lo, 1) });
	}
	return piecesWithin(within, pieces);
}

function holds({ lo, hi }: Interval, x: number): boolean {
	return lo <= x && x <= hi;
}

/** What a has in ]from, to[, with its ends; empty where that is nothing. */
function piece(a: Interval, from: number, to: number): Interval {
	return a.hi > from && a.lo < to ? { lo: Math.max(a.lo, from), hi: Math.min(a.hi, to) } : empty;
}

/**
 * Bound of log z/log t, with the limits: 0 where z is 1 or t has no bound, no bound where t is 1 or z has none. These do not meet, as the bases next to 1 stand
 * with the powers far from it. Where the quotient is a double y, z = t^y, which `powToward` decides.
 */
function quotient(z: number, t: number, side: Side): number {
	if (z === 1 || t === 0 || t === Inf) return 0;
	if (z === 0 || z === Inf || t === 1) return side * Inf;
	const y = divPairs(logPair(z), logPair(t));
	if (powToward(t, y.hi, -1) === z && powToward(t, y.hi, 1) === z) return y.hi;
	return toward(side, y, 2 * LOG_ERROR);
}
