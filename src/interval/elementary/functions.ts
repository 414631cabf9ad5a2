/**
 * Elementary functions of intervals: `out` encloses f(x) for every x of the argument where f is defined.
 * Where f is not defined, or not continuous, all over the argument, `domain.left` is set; where it is defined nowhere on it, the result is
 * the whole line.
 */

import type { Bounds } from "../arithmetic.ts";
import { sqrInto } from "../arithmetic.ts";
import { domain, leaveDomain } from "../domain.ts";
import { factorsInto, MOST_FACTORS } from "../factors.ts";
import { mag, mig } from "../measure.ts";
import type { Side } from "../rounding.ts";
import { reduceAngle } from "./angle.ts";
import { acosToward, asinToward, atanToward } from "./arc.ts";
import { expToward } from "./exp.ts";
import { coshToward, sinhToward, tanhToward } from "./hyperbolic.ts";
import { logToward } from "./log.ts";
import { powToward, powWholeToward } from "./power.ts";
import { cotToward, cscToward, secToward } from "./reciprocal-functions.ts";
import { cosToward, sinToward, tanToward } from "./sine.ts";

type Toward = (x: number, side: Side) => number;

function increasing(f: Toward, out: Float64Array, o: number, a: Bounds, i: number): void {
	const lo = f(a[i], -1);
	out[o + 1] = f(a[i + 1], 1);
	out[o] = lo;
}

export function expInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	increasing(expToward, out, o, a, i);
}
export function atanInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	increasing(atanToward, out, o, a, i);
}
export function sinhInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	increasing(sinhToward, out, o, a, i);
}
export function tanhInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	increasing(tanhToward, out, o, a, i);
}

/** Without lower bound where a holds 0. */
export function logInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	if (a[i] > 0) return increasing(logToward, out, o, a, i);
	const hi = a[i + 1];
	leaveDomain(out, o);
	if (hi > 0) out[o + 1] = logToward(hi, 1);
}

export function asinInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	if (!withinOne(out, o, a, i)) return;
	const lo = asinToward(Math.max(a[i], -1), -1);
	out[o + 1] = asinToward(Math.min(a[i + 1], 1), 1);
	out[o] = lo;
}

export function acosInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	if (!withinOne(out, o, a, i)) return;
	const lo = acosToward(Math.min(a[i + 1], 1), -1);
	out[o + 1] = acosToward(Math.max(a[i], -1), 1);
	out[o] = lo;
}

/** Whether a holds a number of [-1, 1]; beyond it the domain is left. */
function withinOne(out: Float64Array, o: number, a: Bounds, i: number): boolean {
	if (a[i] >= -1 && a[i + 1] <= 1) return true;
	domain.left = true;
	if (a[i] <= 1 && a[i + 1] >= -1) return true;
	leaveDomain(out, o);
	return false;
}

export function coshInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const lo = coshToward(mig(a[i], a[i + 1]), -1);
	out[o + 1] = coshToward(mag(a[i], a[i + 1]), 1);
	out[o] = lo;
}

export function sinInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	waveInto(sinToward, 0, out, o, a[i], a[i + 1]);
}
export function cosInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	waveInto(cosToward, 1, out, o, a[i], a[i + 1]);
}

/**
 * sin(x + shift·π/2). Quarter q is [q·π/2, (q + 1)·π/2[; the wave has a maximum where a quarter 0 ends
 * (modulo 4) and a minimum where a quarter 2 ends, and nowhere else.
 */
function waveInto(f: Toward, shift: number, out: Float64Array, o: number, lo: number, hi: number): void {
	const passed = quartersPassed(lo, hi);
	if (passed > 3) {
		out[o] = -1;
		out[o + 1] = 1;
		return;
	}
	const first = (quarter(lo) + shift) % 4;
	const top = passed > (4 - first) % 4;
	const bottom = passed > (6 - first) % 4;
	if (top || bottom) {
		out[o] = bottom ? -1 : Math.min(f(lo, -1), f(hi, -1));
		out[o + 1] = top ? 1 : Math.max(f(lo, 1), f(hi, 1));
	} else {
		const rising = first === 0 || first === 3;
		out[o] = f(rising ? lo : hi, -1);
		out[o + 1] = f(rising ? hi : lo, 1);
	}
}

/** The whole line where a holds a pole. */
export function tanInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const passed = quartersPassed(a[i], a[i + 1]);
	// A pole stands at the end of each even quarter.
	if (passed > 1 || (passed === 1 && quarter(a[i]) % 2 === 0)) leaveDomain(out, o);
	else increasing(tanToward, out, o, a, i);
}

/** The whole line where a holds a pole and numbers on both sides of it, a half line where it ends at one. */
export function cotInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	const lo = a[i];
	const hi = a[i + 1];
	const passed = quartersPassed(lo, hi);
	// The only double that is a multiple of π is 0. A pole stands at the start of each even quarter.
	if (lo === 0 || hi === 0) {
		leaveDomain(out, o);
		if (lo === 0 && hi > 0 && passed < 2) out[o] = cotToward(hi, -1);
		if (hi === 0 && lo < 0 && passed < 3) out[o + 1] = cotToward(lo, 1);
	} else if (passed > 1 || (passed === 1 && quarter(lo) % 2 === 1)) leaveDomain(out, o);
	else {
		out[o] = cotToward(hi, -1);
		out[o + 1] = cotToward(lo, 1);
	}
}

/** The whole line where a holds a pole. */
export function secInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	inverseWaveInto(cosInto, secToward, out, o, a, i);
}

/** The whole line where a holds a pole and numbers on both sides of it, a half line where it ends at one. */
export function cscInto(out: Float64Array, o: number, a: Bounds, i: number): void {
	inverseWaveInto(sinInto, cscToward, out, o, a, i);
}

const wave = new Float64Array(2);
/**
 * 1/w of a wave w. Where w has one sign: 1 or -1 where it has that extremum, and else what the ends give. Where w is 0 at one end (0 itself,
 * the only double that is a multiple of π/2) and has one sign elsewhere, a half line: w > 0 to the right of 0, w < 0 to the left.
 */
function inverseWaveInto(into: Wave, f: Toward, out: Float64Array, o: number, a: Bounds, i: number): void {
	const lo = a[i];
	const hi = a[i + 1];
	into(wave, 0, a, i);
	const [least, most] = wave;
	if (most < 0) {
		out[o] = Math.min(f(lo, -1), f(hi, -1));
		out[o + 1] = most === -1 || least === -1 ? -1 : Math.max(f(lo, 1), f(hi, 1));
	} else if (least > 0) {
		out[o] = most === 1 ? 1 : Math.min(f(lo, -1), f(hi, -1));
		out[o + 1] = Math.max(f(lo, 1), f(hi, 1));
	} else {
		leaveDomain(out, o);
		if (least === 0 && most > 0) out[o] = most === 1 ? 1 : f(hi, -1);
		else if (most === 0 && least < 0) out[o + 1] = least === -1 ? -1 : f(lo, 1);
	}
}
type Wave = (out: Float64Array, o: number, a: Bounds, i: number) => void;

/** How many multiples of π/2 are in ]lo, hi]; 4 stands for more, too. */
function quartersPassed(lo: number, hi: number): number {
	// Rounding a difference below 6.28 leaves it below 2π. Written so that infinite bounds come here.
	if (!(hi - lo < 6.28)) return 4;
	const passed = (quarter(hi) - quarter(lo) + 4) % 4;
	// None passed means a width below π/2, four passed one above 3·π/2.
	return passed === 0 && hi - lo > 3 ? 4 : passed;
}

/** ⌊x/(π/2)⌋ modulo 4, which the sign of the reduced angle makes certain. */
function quarter(x: number): number {
	const { turn, r } = reduceAngle(x);
	return r.hi < 0 ? (turn + 3) % 4 : turn;
}

/**
 * a^n for a whole n; a^0 is 1. Where n < 0 and a holds 0: a half line where a^n has one sign, else the whole
 * line.
 */
export function powIntInto(out: Float64Array, o: number, a: Bounds, i: number, n: number): void {
	if (n === 0) {
		out[o] = 1;
		out[o + 1] = 1;
	} else if (n === 1) {
		const hi = a[i + 1];
		out[o] = a[i];
		out[o + 1] = hi;
	} else if (n === 2) sqrInto(out, o, a, i);
	else if (n > 0 && n <= MOST_FACTORS && a[i] > 0 && factorsInto(out, o, a, i, n)) return;
	else if (n < 0 && a[i] <= 0 && a[i + 1] >= 0) reciprocalPowInto(out, o, a[i], a[i + 1], n);
	else if (n % 2 === 0) {
		const least = mig(a[i], a[i + 1]);
		const most = mag(a[i], a[i + 1]);
		out[o] = powWholeToward(n > 0 ? least : most, n, -1);
		out[o + 1] = powWholeToward(n > 0 ? most : least, n, 1);
	} else {
		const start = n > 0 ? a[i] : a[i + 1];
		const end = n > 0 ? a[i + 1] : a[i];
		out[o] = oddPow(start, n, -1);
		out[o + 1] = oddPow(end, n, 1);
	}
}

function oddPow(x: number, n: number, side: Side): number {
	return x < 0 ? -powWholeToward(-x, n, -side as Side) : powWholeToward(x, n, side);
}

function reciprocalPowInto(out: Float64Array, o: number, lo: number, hi: number, n: number): void {
	leaveDomain(out, o);
	if (lo === 0 && hi === 0) return;
	if (n % 2 === 0) out[o] = powWholeToward(mag(lo, hi), n, -1);
	else if (lo === 0) out[o] = powWholeToward(hi, n, -1);
	else if (hi === 0) out[o + 1] = oddPow(lo, n, 1);
}

/**
 * a^b = e^(b·log a) for a >= 0, extreme at corners, as b·log a is; 0^b is 0 for b > 0. Where b is one whole
 * number, a may be negative.
 */
export function powInto(out: Float64Array, o: number, a: Bounds, i: number, b: Bounds, j: number): void {
	const xLo = Math.max(a[i], 0);
	const xHi = a[i + 1];
	const yLo = b[j];
	const yHi = b[j + 1];
	if (yLo === yHi && Number.isInteger(yLo)) return powIntInto(out, o, a, i, yLo);
	if (a[i] < 0 || (xLo === 0 && yLo <= 0)) domain.left = true;
	if (!(xHi >= 0) || (xHi === 0 && yHi <= 0)) return leaveDomain(out, o);
	// Where the least base is 0 and there are exponents above 0, 0 is a value, whatever the others are.
	if (xHi === 0) {
		out[o] = 0;
		out[o + 1] = 0;
		return;
	}
	// Growing in a where b >= 0 and falling where b <= 0; growing in b where a >= 1 and falling where a <= 1.
	if (yLo >= 0) {
		out[o] = powToward(xLo, xLo >= 1 ? yLo : yHi, -1);
		out[o + 1] = powToward(xHi, xHi >= 1 ? yHi : yLo, 1);
	} else if (yHi <= 0) {
		out[o] = powToward(xHi, xHi >= 1 ? yLo : yHi, -1);
		out[o + 1] = powToward(xLo, xLo >= 1 ? yHi : yLo, 1);
	} else {
		out[o] = Math.min(xLo < 1 ? powToward(xLo, yHi, -1) : 1, xHi > 1 ? powToward(xHi, yLo, -1) : 1);
		out[o + 1] = Math.max(xLo < 1 ? powToward(xLo, yLo, 1) : 1, xHi > 1 ? powToward(xHi, yHi, 1) : 1);
	}
}
