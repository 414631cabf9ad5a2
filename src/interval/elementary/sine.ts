/**
 * sin, cos and tan with proved errors, from x = turn·π/2 + r, |r| < 0.7855, z = r² < 0.617.
 *
 * sin r = r + r·(-z/3! + z²/5! - z³/7! + …), three pair coefficients, doubles from z⁴/9! to z^10/21!,
 *   z^11/23! < 2^-82 left out. By `sumSeries` the bracket is off by 2^-50.4·z⁴/9! + 2^-99·z/6 < 2^-71.5, so
 *   sin r (> 0.9·r) has relative error < 2^-71.
 * cos r = 1 + (-z/2! + z²/4! - z³/6! + …), three pair coefficients, doubles from z⁴/8! to z^11/22!, z^12/24!
 *   < 2^-87 left out. The bracket is off by 2^-50.4·z⁴/8! + 2^-99·z/2 < 2^-68.4, so cos r (> 0.706) has
 *   relative error < 2^-67.9.
 * The error of r, 2^-70, adds at most as much. Both are below 2^-67; the bounds use 2^-66.
 * tan is their quotient or its negative reciprocal: below 2^-66; the bounds use 2^-65.
 */
import { pow2 } from "../../num/elementary/primitives.ts";
import { addNumber, addPairs, divPairs, mulPairs, negate, type Pair } from "../double-double.ts";
import type { Side } from "../rounding.ts";
import { NEAR_ZERO, nearOne, nearZero, toward } from "../toward.ts";
import { type Angle, reduceAngle } from "./angle.ts";
import { type Series, seriesOfReciprocals, sumSeries } from "./series.ts";

/** Twice the proved relative errors. */
export const SIN_ERROR = pow2(-66);
export const TAN_ERROR = pow2(-65);

const sinSeries = alternating(3, 21);
const cosSeries = alternating(2, 22);

/**
 * 1/first! with alternating signs, in steps of 2; all these factorials are doubles, as are all before them.
 */
function alternating(first: number, last: number): Series {
	const signed: number[] = [];
	let factorial = 1;
	for (let n = 2; n <= last; n++) {
		factorial *= n;
		if (n >= first && (n - first) % 2 === 0) signed.push(signed.length % 2 === 0 ? -factorial : factorial);
	}
	return seriesOfReciprocals(signed, 3);
}

function sinReduced(r: Pair): Pair {
	return addPairs(r, mulPairs(r, sumSeries(sinSeries, mulPairs(r, r))));
}
function cosReduced(r: Pair): Pair {
	return addNumber(sumSeries(cosSeries, mulPairs(r, r)), 1);
}

/** sin(x + quarters·π/2) where x is the angle that was reduced. */
export function sinPair(angle: Angle, quarters: 0 | 1): Pair {
	const turn = (angle.turn + quarters) & 3;
	const value = turn % 2 === 0 ? sinReduced(angle.r) : cosReduced(angle.r);
	return turn < 2 ? value : negate(value);
}

export function tanPair(angle: Angle): Pair {
	const sine = sinReduced(angle.r);
	const cosine = cosReduced(angle.r);
	return angle.turn % 2 === 0 ? divPairs(sine, cosine) : negate(divPairs(cosine, sine));
}

/** Bound of sin x for a finite x. */
export function sinToward(x: number, side: Side): number {
	return Math.abs(x) < NEAR_ZERO
		? nearZero(x, false, side)
		: clip(toward(side, sinPair(reduceAngle(x), 0), SIN_ERROR));
}

/** Bound of cos x for a finite x; near 0, 1 - x²/2 <= cos x < 1. */
export function cosToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return x === 0 ? 1 : nearOne(false, side);
	return clip(toward(side, sinPair(reduceAngle(x), 1), SIN_ERROR));
}

/** Bound of tan x for a finite x. */
export function tanToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, true, side);
	return toward(side, tanPair(reduceAngle(x)), TAN_ERROR);
}

function clip(x: number): number {
	return Math.max(-1, Math.min(1, x));
}
