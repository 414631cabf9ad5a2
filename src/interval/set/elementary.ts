/** Elementary functions of sets: all values that exist. */

import { InputError } from "../../errors.ts";
import { domain } from "../domain.ts";
import { angleToward } from "../elementary/arc.ts";
import { hypotToward } from "../elementary/exact-power.ts";
import { exp2Toward, exp10Toward } from "../elementary/exp.ts";
import * as core from "../elementary/functions.ts";
import { log2Toward, log10Toward } from "../elementary/log.ts";
import {
	acoshToward,
	acothToward,
	asinhToward,
	atanhToward,
	expm1Toward,
	log1pToward,
} from "../elementary/near-one.ts";
import { cothToward, cschToward, sechToward } from "../elementary/reciprocal-functions.ts";
import { entire, type Interval } from "../interval.ts";
import { mag, mig } from "../measure.ts";
import type { Side } from "../rounding.ts";
import { cells, monotonic, nowhere, put, taken, unary } from "./lift.ts";
import { convexHull, empty, given, intersection, type Operand } from "./set-interval.ts";

const Inf = Number.POSITIVE_INFINITY;
const positive: Interval = { lo: 0, hi: Inf };
const negative: Interval = { lo: -Inf, hi: 0 };
const unit: Interval = { lo: -1, hi: 1 };

export const exp = unary(core.expInto);
export const exp2 = monotonic(exp2Toward, entire);
export const exp10 = monotonic(exp10Toward, entire);
/** e^x - 1, as exact near 0 as elsewhere. */
export const expm1 = monotonic(expm1Toward, entire);
export const log2 = monotonic(log2Toward, positive);
export const log10 = monotonic(log10Toward, positive);
/** log(1 + x), as exact near 0 as elsewhere. */
export const log1p = monotonic(log1pToward, { lo: -1, hi: Inf });
export const sin = unary(core.sinInto);
export const cos = unary(core.cosInto);
export const tan = unary(core.tanInto);
export const cot = exceptZero(unary(core.cotInto));
export const sec = unary(core.secInto);
export const csc = exceptZero(unary(core.cscInto));
export const asin = unary(core.asinInto, unit);
export const acos = unary(core.acosInto, unit);
export const atan = unary(core.atanInto);
export const sinh = unary(core.sinhInto);
export const cosh = unary(core.coshInto);
export const tanh = unary(core.tanhInto);
export const asinh = monotonic(asinhToward, entire);
export const acosh = monotonic(acoshToward, { lo: 1, hi: Inf });
export const atanh = monotonic(atanhToward, unit);

export function log(a: Operand): Interval {
	const x = given(a);
	if (x === empty) return empty;
	return x.hi <= 0 ? nowhere() : logPositive(x);
}
const logPositive = unary(core.logInto);

/** A function that is not defined at 0. */
function exceptZero(f: (a: Operand) => Interval): (a: Operand) => Interval {
	return (a) => {
		const x = given(a);
		return x.lo === 0 && x.hi === 0 ? nowhere() : f(x);
	};
}

/** A function with a pole at 0 that falls on both sides of it. */
function fallingAroundZero(f: (x: number, side: Side) => number): (a: Operand) => Interval {
	const left = monotonic(f, negative, -1);
	const right = monotonic(f, positive, -1);
	return (a) => {
		const x = given(a);
		if (x.lo > 0) return right(x);
		if (x.hi < 0) return left(x);
		if (x === empty) return empty;
		domain.left = true;
		return convexHull(
			x.lo < 0 ? { lo: -Inf, hi: f(x.lo, 1) } : empty,
			x.hi > 0 ? { lo: f(x.hi, -1), hi: Inf } : empty,
		);
	};
}

export const coth = fallingAroundZero(cothToward);
export const csch = fallingAroundZero(cschToward);

/** 1/cosh x. */
export function sech(a: Operand): Interval {
	const x = given(a);
	return x === empty ? empty : { lo: sechToward(mag(x.lo, x.hi), -1), hi: sechToward(mig(x.lo, x.hi), 1) };
}

/** The inverse of coth, defined from 1 on and up to -1. */
export function acoth(a: Operand): Interval {
	const x = given(a);
	if (x === empty) return empty;
	if (x.lo < 1 && x.hi > -1) domain.left = true;
	return convexHull(
		acothLeft(intersection(x, { lo: -Inf, hi: -1 })),
		acothRight(intersection(x, { lo: 1, hi: Inf })),
	);
}
const acothLeft = monotonic(acothToward, { lo: -Inf, hi: -1 }, -1);
const acothRight = monotonic(acothToward, { lo: 1, hi: Inf }, -1);

/** √(x² + y²). */
export function hypot(a: Operand, b: Operand): Interval {
	const [x, y] = [given(a), given(b)];
	if (x === empty || y === empty) return empty;
	const at = (u: number, v: number, side: Side): number =>
		u === Inf || v === Inf ? Inf : u === 0 && v === 0 ? 0 : hypotToward(u, v, side);
	return { lo: at(mig(x.lo, x.hi), mig(y.lo, y.hi), -1), hi: at(mag(x.lo, x.hi), mag(y.lo, y.hi), 1) };
}

/** a^n for a whole n. */
export function pown(a: Operand, n: number): Interval {
	if (!Number.isInteger(n))
		throw new InputError("power", `${n} is not whole`, "Use pow for other exponents.");
	const x = given(a);
	if (x === empty) return empty;
	if (n < 0 && x.lo === 0 && x.hi === 0) return nowhere();
	put(0, x);
	core.powIntInto(cells, 6, cells, 0, n);
	return taken();
}

/** a^b for a > 0, and 0^b = 0 for b > 0; whole exponents make no exception, which `pown` does. */
export function pow(a: Operand, b: Operand): Interval {
	const [x, y] = [given(a), given(b)];
	if (x === empty || y === empty) return empty;
	if (x.lo < 0 || (x.lo === 0 && y.lo <= 0)) domain.left = true;
	const base = intersection(x, positive);
	if (base === empty || (base.hi === 0 && y.hi <= 0)) return nowhere();
	if (base.hi === 0) return { lo: 0, hi: 0 };
	put(0, base);
	put(2, y);
	core.powInto(cells, 6, cells, 0, cells, 2);
	return taken();
}

/** The angle of the point (x, y), from -π to π; not defined at (0, 0), not continuous across the negative x-axis. */
export function atan2(b: Operand, a: Operand): Interval {
	const [y, x] = [given(b), given(a)];
	if (y === empty || x === empty) return empty;
	if (y.lo <= 0 && y.hi >= 0 && x.lo <= 0) {
		if (x.hi >= 0 || y.lo < 0) domain.left = true;
		if (y.lo === 0 && y.hi === 0 && x.lo === 0 && x.hi === 0) return nowhere();
	}
	if (y.lo >= 0) return upperAngles(y, x);
	if (y.hi < 0 || (y.hi === 0 && x.lo >= 0)) {
		const mirrored = upperAngles({ lo: 0 - y.hi, hi: 0 - y.lo }, x);
		return { lo: 0 - mirrored.hi, hi: 0 - mirrored.lo };
	}
	const right = x.lo >= 0;
	const hi = right ? angleToward(y.hi, x.lo, 1) : angleToward(0, -1, 1);
	return { lo: right ? angleToward(y.lo, x.lo, -1) : -hi, hi };
}

/** Where y >= 0, and not both are 0. */
function upperAngles(y: Interval, x: Interval): Interval {
	const onAxis = y.hi === 0;
	const lo =
		x.hi > 0 ? angleToward(y.lo, x.hi, -1) : onAxis ? angleToward(0, -1, -1) : angleToward(y.hi, x.hi, -1);
	const hi = x.lo < 0 ? angleToward(y.lo, x.lo, 1) : onAxis ? 0 : angleToward(y.hi, x.lo, 1);
	return { lo, hi };
}
