/**
 * e^x - 1, log(1 + x) and what is made of them, asinh, acosh, atanh, acoth, with proved errors: all keep their relative error where the result is
 * small.
 *
 * e^x - 1: from 2^-60 to 2^-30, x + x²/2 + x³/6, where x⁴/24 < 2^-94·x is left out; to 1, 2·e^(x/2)·sinh(x/2), off by 2^-68 + 2^-65.9;
 *   beyond, e^x - 1 itself, off by at most 1.6 times the 2^-68 of e^x. The bounds use 2^-64.
 * log(1 + y) for a pair y: to 0.02, 2·atanh(y/(2 + y)), off by 2^-78.5 + 2^-100; beyond, 1 + y = h + l and log h + l/h, off by 2^-77 of log h and
 *   (l/h)² < 2^-105, where |log h| > 0.019. A relative error of y > 0 is not enlarged. In all < 2^-76.
 * asinh x = log(1 + y), y = x + x²/(1 + √(1 + x²)), off by 2^-77; acosh x likewise, y = t + √(t(x + 1)), t = x - 1, which is a double;
 *   from 2^20 on both are log x + log 2 ± 1/(4x²), 2^-83 left out. atanh x = log(1 + 2x/(1 - x))/2, acoth x = log(1 + 2/(x - 1))/2, quotients
 *   off by 2^-101. In all < 2^-75. The bounds use 2^-73.
 */
import { pow2 } from "../../num/elementary/primitives.ts";
import {
	addNumber,
	addPairs,
	divPairs,
	mulPairs,
	negate,
	type Pair,
	sqrtPair,
	timesPower,
	twoProduct,
	twoSum,
} from "../double-double.ts";
import { after, before, type Side, scaleToward } from "../rounding.ts";
import { NEAR_ZERO, nearReciprocal, nearZero, toward } from "../toward.ts";
import { expPair, type Scaled } from "./exp.ts";
import { HYPERBOLIC_ERROR, sinhPair } from "./hyperbolic.ts";
import { doubleArc, logPair } from "./log.ts";
import { LN2 } from "./tables.ts";

const ONE: Pair = { hi: 1, lo: 0 };
/** Twice the proved relative error (and more) of log(1 + y) and what is made of it. */
export const NEAR_ONE_ERROR = pow2(-73);
const TINY = pow2(-60);
const LARGE = pow2(20);

/** e^x - 1 for 2^-60 <= |x| <= 1000, x > -60. */
export function expm1Pair(x: number): Scaled {
	const size = Math.abs(x);
	if (size < NEAR_ZERO) {
		const square = timesPower(twoProduct(x, x), 0.5);
		return { ...addNumber(addNumber(square, (x * x * x) / 6), x), k: 0 };
	}
	if (size < 1) {
		const s = sinhPair(size / 2);
		const e = expPair(x / 2);
		const { hi, lo } = mulPairs(x < 0 ? negate(s) : s, e);
		return { hi, lo, k: s.k + e.k + 1 };
	}
	const e = expPair(x);
	if (x < 0) return { ...addNumber(timesPower(e, pow2(e.k)), -1), k: 0 };
	return { ...addNumber(e, e.k > 200 ? 0 : -pow2(-e.k)), k: e.k };
}

/** Bound of e^x - 1; x may be infinite. */
export function expm1Toward(x: number, side: Side): number {
	if (x === 0) return 0;
	// Above x, by less than half the distance to the next double.
	if (Math.abs(x) < TINY) return side < 0 ? x : after(x);
	if (x > 1000) return scaleToward(1, 2000, side);
	if (x < -60) return side < 0 ? -1 : after(-1);
	const { hi, lo, k } = expm1Pair(x);
	const bound =
		k === 0
			? Math.max(-1, toward(side, { hi, lo }, HYPERBOLIC_ERROR))
			: toward(side, { hi, lo }, HYPERBOLIC_ERROR);
	return bound < 0 ? 0 - scaleToward(-bound, k, -side as Side) : scaleToward(bound, k, side);
}

/** log(1 + y) for 2^-100 <= |y|, y > -1. */
export function log1pPair(y: Pair): Pair {
	if (Math.abs(y.hi) < 0.02) return doubleArc(divPairs(y, addNumber(y, 2)));
	const { hi, lo } = addNumber(y, 1);
	return addNumber(logPair(hi), lo / hi);
}

/** Bound of log(1 + x) for x >= -1; x may be infinite. */
export function log1pToward(x: number, side: Side): number {
	if (x === 0 || x === Number.POSITIVE_INFINITY) return x;
	if (x === -1) return Number.NEGATIVE_INFINITY;
	// Below x, by less than half the distance to the double before it.
	if (Math.abs(x) < TINY) return side > 0 ? x : before(x);
	return toward(side, log1pPair({ hi: x, lo: 0 }), NEAR_ONE_ERROR);
}

/** log(2x) + sign/(4x²). */
function logDouble(x: number, sign: Side): Pair {
	return addNumber(addPairs(logPair(x), LN2), (sign * 0.25) / x / x);
}

/** asinh x for x >= 2^-30. */
export function asinhPair(x: number): Pair {
	if (x > LARGE) return logDouble(x, 1);
	const square = twoProduct(x, x);
	const rest = divPairs(square, addNumber(sqrtPair(addNumber(square, 1)), 1));
	return log1pPair(addNumber(rest, x));
}

/** acosh x for x > 1. */
export function acoshPair(x: number): Pair {
	if (x > LARGE) return logDouble(x, -1);
	const t = x - 1;
	return log1pPair(addNumber(sqrtPair(mulPairs({ hi: t, lo: 0 }, twoSum(x, 1))), t));
}

/** atanh x for 2^-30 <= x < 1. */
export function atanhPair(x: number): Pair {
	return timesPower(log1pPair(divPairs({ hi: 2 * x, lo: 0 }, twoSum(1, -x))), 0.5);
}

/** acoth x for 1 < x <= 2^90. */
export function acothPair(x: number): Pair {
	return timesPower(log1pPair(divPairs(timesPower(ONE, 2), twoSum(x, -1))), 0.5);
}

/** Bound of asinh x; x may be infinite. */
export function asinhToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, false, side);
	if (x < 0) return 0 - asinhToward(-x, -side as Side);
	return x === Number.POSITIVE_INFINITY ? x : toward(side, asinhPair(x), NEAR_ONE_ERROR);
}

/** Bound of acosh x for x >= 1; x may be infinite. */
export function acoshToward(x: number, side: Side): number {
	if (x === 1) return 0;
	return x === Number.POSITIVE_INFINITY ? x : toward(side, acoshPair(x), NEAR_ONE_ERROR);
}

/** Bound of atanh x for |x| <= 1; ±Inf at the ends. */
export function atanhToward(x: number, side: Side): number {
	if (Math.abs(x) < NEAR_ZERO) return nearZero(x, true, side);
	if (x < 0) return 0 - atanhToward(-x, -side as Side);
	return x === 1 ? Number.POSITIVE_INFINITY : toward(side, atanhPair(x), NEAR_ONE_ERROR);
}

/** Bound of acoth x for |x| >= 1; ±Inf at 1 and -1, and 0 at the infinities. */
export function acothToward(x: number, side: Side): number {
	if (x < 0) return 0 - acothToward(-x, -side as Side);
	if (x === 1) return Number.POSITIVE_INFINITY;
	if (x === Number.POSITIVE_INFINITY) return 0;
	if (x > pow2(90)) return nearReciprocal(x, true, side);
	return toward(side, acothPair(x), NEAR_ONE_ERROR);
}
