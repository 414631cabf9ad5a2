/**
 * cot, sec, csc, coth, sech and csch: quotients of pairs, which add less than 2^-100 to the errors of sin, cos, sinh, cosh and tanh. Near 0 they are
 * 1/x but for a relative x², or 1 but for x²/2.
 */
import { pow2 } from "../../num/elementary/primitives.ts";
import { divPairs, type Pair } from "../double-double.ts";
import { type Side, scaleToward } from "../rounding.ts";
import { NEAR_ZERO, nearOne, nearReciprocal, toward } from "../toward.ts";
import { reduceAngle } from "./angle.ts";
import { coshPair, HYPERBOLIC_ERROR, sinhPair, tanhPair } from "./hyperbolic.ts";
import { SIN_ERROR, sinPair, TAN_ERROR, tanPair } from "./sine.ts";

const ONE: Pair = { hi: 1, lo: 0 };
/** Below this |x|, x² is less than 2^-200. */
const TINY = pow2(-100);

/** Bound of cot x for a finite x other than 0. */
export function cotToward(x: number, side: Side): number {
	if (Math.abs(x) < TINY) return nearReciprocal(x, false, side);
	return toward(side, divPairs(ONE, tanPair(reduceAngle(x))), 2 * TAN_ERROR);
}

/** Bound of 1/cos x for a finite x. */
export function secToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return x === 0 ? 1 : nearOne(true, side);
	return outside(toward(side, divPairs(ONE, sinPair(reduceAngle(x), 1)), 2 * SIN_ERROR));
}

/** Bound of 1/sin x for a finite x other than 0. */
export function cscToward(x: number, side: Side): number {
	if (Math.abs(x) < TINY) return nearReciprocal(x, true, side);
	return outside(toward(side, divPairs(ONE, sinPair(reduceAngle(x), 0)), 2 * SIN_ERROR));
}

/** sec and csc are never between -1 and 1. */
function outside(x: number): number {
	return x < 0 ? Math.min(x, -1) : Math.max(x, 1);
}

/** Bound of coth x for x other than 0; x may be infinite. */
export function cothToward(x: number, side: Side): number {
	if (x < 0) return 0 - cothToward(-x, -side as Side);
	if (x < TINY) return nearReciprocal(x, true, side);
	if (x > 40) return nearOne(true, side);
	return Math.max(1, toward(side, divPairs(ONE, tanhPair(x)), 2 * HYPERBOLIC_ERROR));
}

/** Bound of 1/cosh x; x may be infinite. */
export function sechToward(x: number, side: Side): number {
	const size = Math.abs(x);
	if (size < NEAR_ZERO) return size === 0 ? 1 : nearOne(false, side);
	if (size > 1000) return infinitesimal(size, side);
	const y = coshPair(size);
	return Math.min(1, scaleToward(toward(side, divPairs(ONE, y), 2 * HYPERBOLIC_ERROR), -y.k, side));
}

/** Bound of 1/sinh x for x other than 0; x may be infinite. */
export function cschToward(x: number, side: Side): number {
	if (x < 0) return 0 - cschToward(-x, -side as Side);
	if (x < TINY) return nearReciprocal(x, false, side);
	if (x > 1000) return infinitesimal(x, side);
	const y = sinhPair(x);
	return scaleToward(toward(side, divPairs(ONE, y), 2 * HYPERBOLIC_ERROR), -y.k, side);
}

/** Bound of a positive number below 2^-1100, which is 0 in the limit. */
function infinitesimal(x: number, side: Side): number {
	return x === Number.POSITIVE_INFINITY ? 0 : scaleToward(1, -2000, side);
}
