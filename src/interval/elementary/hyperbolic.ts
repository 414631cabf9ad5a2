/**
 * sinh, cosh and tanh with proved errors, for x >= 0; z = x².
 *
 * x < 1/4: sinh x = x + x·(z/3! + z²/5! + z³/7! + …), two pair coefficients, doubles from z³/7! to z^7/15!,
 *   z^8/17! < 2^-80 left out; the bracket is off by 2^-50.4·z³/7! + 2^-99·z/6 < 2^-74.6. cosh x = 1 + (z/2! +
 *   z²/4! + z³/6! + …) likewise, up to z^7/14!, z^8/16! < 2^-76 left out, off by < 2^-71.7. tanh x is their
 *   quotient: < 2^-71.
 * x >= 1/4: with E = e^x from `expPair`, relative error ε = 2^-68, and 1/E, sinh x = (E - 1/E)/2 is off by a
 *   relative ε·coth(1/4) < 4.1ε, cosh x = (E + 1/E)/2 by ε, tanh x = 1 - 2/(e^2x + 1) by 2ε (2e^2x/(e^2x +
 *   1)²/tanh x < 2 there); the pair operations add < 2^-98.
 * All are below 2^-65.9. The bounds use 2^-64.
 */

import { pow2 } from "../../num/elementary/primitives.ts";
import {
	addNumber,
	addPairs,
	divPairs,
	mulPairs,
	negate,
	type Pair,
	timesPower,
	twoProduct,
} from "../double-double.ts";
import { type Side, scaleToward } from "../rounding.ts";
import { NEAR_ZERO, nearOne, nearZero, toward } from "../toward.ts";
import { expPair, type Scaled } from "./exp.ts";
import { type Series, seriesOfReciprocals, sumSeries } from "./series.ts";

/** Twice the proved relative error (and more) of the three functions. */
export const HYPERBOLIC_ERROR = pow2(-64);
const SMALL = 0.25;
const ONE: Pair = { hi: 1, lo: 0 };

const sinhSeries = factorials([6, 20, 42, 72, 110, 156, 210]);
const coshSeries = factorials([2, 12, 30, 56, 90, 132, 182]);

/** The running products are the factorials. */
function factorials(steps: readonly number[]): Series {
	let factorial = 1;
	return seriesOfReciprocals(
		steps.map((step) => (factorial *= step)),
		2,
	);
}

function sinhSmall(x: number): Pair {
	return addNumber(mulPairs({ hi: x, lo: 0 }, sumSeries(sinhSeries, twoProduct(x, x))), x);
}
function coshSmall(x: number): Pair {
	return addNumber(sumSeries(coshSeries, twoProduct(x, x)), 1);
}

/** (e^x + sign·e^-x)/2 for 0 <= x <= 1000; below 2^-400 the second is left out. */
function halfSum(x: number, sign: Side): Scaled {
	const e = expPair(x);
	const inverse = timesPower(divPairs(ONE, e), e.k > 200 ? 0 : sign * pow2(-2 * e.k));
	const { hi, lo } = addPairs(e, inverse);
	return { hi, lo, k: e.k - 1 };
}

/** sinh x for 2^-30 <= x <= 1000. */
export function sinhPair(x: number): Scaled {
	if (x >= SMALL) return halfSum(x, -1);
	const { hi, lo } = sinhSmall(x);
	return { hi, lo, k: 0 };
}

/** cosh x for 0 <= x <= 1000. */
export function coshPair(x: number): Scaled {
	return halfSum(x, 1);
}

/** tanh x for 2^-30 <= x <= 40. */
export function tanhPair(x: number): Pair {
	if (x < SMALL) return divPairs(sinhSmall(x), coshSmall(x));
	const { hi, lo, k } = expPair(2 * x);
	const denominator = addNumber(timesPower({ hi, lo }, pow2(k)), 1);
	return addNumber(negate(divPairs({ hi: 2, lo: 0 }, denominator)), 1);
}

/** Bound of sinh x; x may be infinite. */
export function sinhToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, true, side);
	if (x < 0) return -sinhToward(-x, -side as Side);
	return x > 1000 ? scaleToward(1, 2000, side) : scaled(sinhPair(x), side);
}

/** Bound of cosh x; x may be infinite. */
export function coshToward(x: number, side: Side): number {
	const size = Math.abs(x);
	if (size === 0) return 1;
	return size > 1000 ? scaleToward(1, 2000, side) : Math.max(1, scaled(coshPair(size), side));
}

/** Bound of tanh x; x may be infinite. From 40 on, 1 - tanh x < 2^-100. */
export function tanhToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, false, side);
	if (x < 0) return -tanhToward(-x, -side as Side);
	if (x > 40) return nearOne(false, side);
	return Math.min(1, toward(side, tanhPair(x), HYPERBOLIC_ERROR));
}

function scaled(x: Scaled, side: Side): number {
	return scaleToward(toward(side, x, HYPERBOLIC_ERROR), x.k, side);
}
