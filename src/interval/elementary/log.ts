/**
 * log x with a proved error.
 *
 * x = 2^k·m with 0.7109 <= m < 1.4219, a = i/32 the nearest to m (i = 23 … 45), and log x = k·log 2 + log a +
 * 2·atanh s, s = (m - a)/(m + a), |s| <= 1/64/(2·0.7109 - 1/64) < 0.0112, with log a from a table.
 *
 * Error: m - a is exact (both are multiples of 2^-53 or of 2^-52, and it is small), m + a is an exact pair,
 * so s has relative error < 2^-101. 2·atanh s = 2s·(1 + s²/3 + …): one pair coefficient, doubles from s⁴/5
 * on, s^14/15 < 2^-94 left out. By `sumSeries` the sum is off by 2^-50.4·s⁴/5 < 2^-78.6, relative to 1, plus
 * parts of 2^-99. So 2·atanh s has relative error < 2^-78.5. The rest is off by 2^-102·(|k·log 2| + |log a| +
 * |2·atanh s|) at most. For a = 1 and k = 0 it is all 0. Otherwise |log x| is at least 0.0149 for k = 0 (m >=
 * 1 + 1/64 or m <= 1 - 1/64) and 0.34·|k| else, and the three terms are at most 4 times that together. The
 * relative error is below 2^-77. The bounds use 2^-76.
 */
import { exponent, mantissa, pow2 } from "../../num/elementary/primitives.ts";
import { addPairs, divPairs, mulNumber, mulPairs, type Pair, timesPower, twoSum } from "../double-double.ts";
import type { Side } from "../rounding.ts";
import { toward } from "../toward.ts";
import { seriesOfReciprocals, sumSeries } from "./series.ts";
import { entry, LN2, LN10, logs } from "./tables.ts";

/** Twice the proved relative error of `logPair`. */
export const LOG_ERROR = pow2(-76);
const atanh = seriesOfReciprocals([3, 5, 7, 9, 11, 13], 1);

/** log x for a finite x > 0 other than 1. */
export function logPair(x: number): Pair {
	const subnormal = x < 2.2250738585072014e-308;
	const normal = subnormal ? x * pow2(54) : x;
	let m = mantissa(normal);
	let k = subnormal ? exponent(normal) - 54 : exponent(normal);
	let i = Math.round(32 * m);
	if (i > 45) {
		m /= 2;
		k++;
		i = Math.round(32 * m);
	}
	const a = i / 32;
	const part = doubleArc(divPairs({ hi: m - a, lo: 0 }, twoSum(m, a)));
	if (k === 0 && i === 32) return part;
	return addPairs(addPairs(mulNumber(LN2, k), entry(logs, i - 23)), part);
}

/** 2·atanh s for |s| < 0.0112. */
export function doubleArc(s: Pair): Pair {
	return timesPower(addPairs(s, mulPairs(s, sumSeries(atanh, mulPairs(s, s)))), 2);
}

/** Bound of log x for x >= 0; -Inf at 0. */
export function logToward(x: number, side: Side): number {
	if (x === 0) return Number.NEGATIVE_INFINITY;
	if (x === 1) return 0;
	if (x === Number.POSITIVE_INFINITY) return x;
	return toward(side, logPair(x), LOG_ERROR);
}

/** Bound of log x/log 2 for x >= 0: the quotient adds 2^-101. A number only for powers of two. */
export function log2Toward(x: number, side: Side): number {
	if (x === 0 || x === Number.POSITIVE_INFINITY) return logToward(x, side);
	const e = x < 2.2250738585072014e-308 ? exponent(x * pow2(54)) - 54 : exponent(x);
	return x === pow2(e) ? e : toward(side, divPairs(logPair(x), LN2), LOG_ERROR);
}

/** Bound of log x/log 10 for x >= 0, likewise; a number only for the powers of ten from 10^0 to 10^22. */
export function log10Toward(x: number, side: Side): number {
	if (x === 0 || x === Number.POSITIVE_INFINITY) return logToward(x, side);
	for (let k = 0, power = 1; k <= 22; k++, power *= 10) if (x === power) return k;
	return toward(side, divPairs(logPair(x), LN10), LOG_ERROR);
}
