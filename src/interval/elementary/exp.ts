/**
 * e^x with a proved error.
 *
 * x = n·(log 2)/16 + r, |r| <= 0.0217, n = 16k + j, and e^x = 2^k·2^(j/16)·e^r, with 2^(j/16) from a table.
 *
 * Error, with u = 2^-53:
 * - (log 2)/16 = A + B + C + 2^-134·θ. A is a multiple of 2^-42 below 2^-4 and B one of 2^-80 below 2^-43, so
 *   with |n| < 2^15 the products nA and nB are exact. x - nA is exact: for n ≠ 0 both are multiples of 2^-58,
 *   and their difference is below 2^-5. What is rounded: nC and its sums with x.lo <= 2^-42 and the low part
 *   of x - nA - nB. So r is off by at most 2^-93.
 * - e^r - 1 = r + r²/2 + c, with r² as a pair (r.lo² < 2^-116 left out) and c = r³·(1/6 + … + r^6/9!) in
 *   doubles from r.hi. |c| < 2^-19.1. Left out: the rest of the series, < 2^-76, and r.lo in c, < 2^-70.5.
 *   Rounded in c: r³ (2u), the sum (2.3u, as 1/6 dominates it), their product (u): 5.3u·2^-19.1 < 2^-69.6.
 *   Rounding the sum of c and lower parts, thrice at most: 2^-70.5. In all < 2^-68.2.
 * - times 2^(j/16): rounding low parts of at most 2^-52, some times: < 2^-100.
 * e^r > 0.978, so the relative error is below 2^-68. The bounds use 2^-67.
 */
import { pow2 } from "../../num/elementary/primitives.ts";
import { fastTwoSum, mulNumber, type Pair, twoProduct, twoSum } from "../double-double.ts";
import { positiveRational } from "../exact.ts";
import { type Side, scaleToward } from "../rounding.ts";
import { nearOne, toward } from "../toward.ts";
import { entry, LN2, LN2_PARTS, LN10, sixteenths } from "./tables.ts";

/** Twice the proved relative error of `expPair`. */
export const EXP_ERROR = pow2(-67);
const PER_STEP = 23.083120654223414;
const [A, B, C] = LN2_PARTS;

/** (hi + lo)·2^k. */
export interface Scaled extends Pair {
	readonly k: number;
}

/** e^(x + low) for |x| <= 1000 and |low| <= 2^-42; 0.9 < hi < 2.1. */
export function expPair(x: number, low = 0): Scaled {
	const n = Math.round(x * PER_STEP);
	const head = twoSum(x - n * A, -n * B);
	const r = twoSum(head.hi, head.lo + (low - n * C));
	const square = twoProduct(r.hi, r.hi);
	const sum = 1 / 6 + r.hi * (1 / 24 + r.hi * (1 / 120 + r.hi * (1 / 720 + r.hi * high(r.hi))));
	const c = square.hi * r.hi * sum;
	const start = fastTwoSum(r.hi, square.hi / 2);
	const m = fastTwoSum(start.hi, c + (square.lo / 2 + start.lo + (r.lo + r.hi * r.lo)));
	const k = Math.floor(n / 16);
	const t = entry(sixteenths, n - 16 * k);
	const p = twoProduct(t.hi, m.hi);
	const main = fastTwoSum(t.hi, p.hi);
	const { hi, lo } = fastTwoSum(main.hi, main.lo + (p.lo + (t.hi * m.lo + (t.lo + t.lo * m.hi))));
	return { hi, lo, k };
}

/** The terms of the sum from r^4 on. */
function high(r: number): number {
	return 1 / 5040 + r * (1 / 40320 + r * (1 / 362880));
}

/** Bound of e^x; x may be infinite. */
export function expToward(x: number, side: Side): number {
	if (x === 0) return 1;
	if (Math.abs(x) < pow2(-61)) return nearOne(x > 0, side);
	if (!(Math.abs(x) <= 1000)) return scaleToward(1, x > 0 ? 2000 : -2000, side);
	const y = expPair(x);
	return scaleToward(toward(side, y, EXP_ERROR), y.k, side);
}

/**
 * Bound of 2^x; x may be infinite. x = k + r with a whole k; r·log 2 is off by less than 2^-103, so the power is not off by more than e^x
 * with a doubled error.
 */
export function exp2Toward(x: number, side: Side): number {
	if (!(Math.abs(x) <= 1200)) return scaleToward(1, x > 0 ? 2000 : -2000, side);
	const k = Math.round(x);
	if (k === x) return scaleToward(1, k, side);
	if (Math.abs(x) < pow2(-60)) return nearOne(x > 0, side);
	const { hi, lo } = mulNumber(LN2, x - k);
	const y = expPair(hi, lo);
	return scaleToward(toward(side, y, 2 * EXP_ERROR), y.k + k, side);
}

/** Bound of 10^x, likewise; x·log 10 is below 2^10 and so off by less than 2^-93. Whole powers are exact fractions. */
export function exp10Toward(x: number, side: Side): number {
	if (!(Math.abs(x) <= 400)) return scaleToward(1, x > 0 ? 2000 : -2000, side);
	if (Number.isInteger(x)) {
		const power = 10n ** BigInt(Math.abs(x));
		const { lo, hi } = x < 0 ? positiveRational(1n, power) : positiveRational(power, 1n);
		return side < 0 ? lo : hi;
	}
	if (Math.abs(x) < pow2(-61)) return nearOne(x > 0, side);
	const { hi, lo } = mulNumber(LN10, x);
	const y = expPair(hi, lo);
	return scaleToward(toward(side, y, 2 * EXP_ERROR), y.k, side);
}
