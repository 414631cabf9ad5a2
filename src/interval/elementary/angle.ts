/**
 * x = n·π/2 + r with a proved error of r, for every double x.
 *
 * Up to 2^20: π/2 = P1 + P2 + P3 + P4 + 2^-152·θ, where P1, P2, P3 are multiples of 2^-32, 2^-65, 2^-98 below
 * 2^1, 2^-33, 2^-67, and |P4| < 2^-102. |n| < 2^20, so nP1, nP2, nP3 are exact. x - nP1 is exact too: for n ≠
 * 0 both are multiples of 2^-53, and it is below 1. The next two differences are exact pairs (s1, e1), (s2,
 * e2). Rounded are e1 + e2 - nP4 and nP4: with |e1| <= u|s1|, |e2| <= u|s2|, |s1| <= |s2| + 2^-46 and |nP4| <
 * 2^-82 the loss is below 2u²(2|s2| + 2^-46) + 3u·2^-82 + 2^-132 < 4u²|s2| + 2^-131. With |s2| >= 2^-60 this
 * is below 2^-70·|r|.
 *
 * Beyond, and where x is that near to a multiple of π/2: in integers. With P = π·2^1400 + θ, |θ| <= 2, the
 * integer R = X - NP, X = x·2^1401, is r·2^1401 but for 2N < 2^1025. That this is below 2^-80·|R| is checked
 * (it is so for all doubles).
 *
 * In all cases r has a relative error below 2^-70, and is 0 only for x = 0.
 */
import { InternalError } from "../../errors.ts";
import { exponent, pow2 } from "../../num/elementary/primitives.ts";
import { fastTwoSum, type Pair, twoSum } from "../double-double.ts";
import { HALF_PI_PARTS } from "./tables.ts";

const [P1, P2, P3, P4] = HALF_PI_PARTS;
const TWO_OVER_PI = 0.6366197723675814;

export interface Angle {
	/** n modulo 4. */
	readonly turn: 0 | 1 | 2 | 3;
	/** |r| < 0.7855. */
	readonly r: Pair;
}

/** x finite. */
export function reduceAngle(x: number): Angle {
	if (Math.abs(x) <= 0.785) return { turn: 0, r: { hi: x, lo: 0 } };
	if (Math.abs(x) > 1e6) return reduceExactly(x);
	const n = Math.round(x * TWO_OVER_PI);
	const s1 = twoSum(x - n * P1, -n * P2);
	const s2 = twoSum(s1.hi, -n * P3);
	if (!(Math.abs(s2.hi) >= pow2(-60))) return reduceExactly(x);
	return { turn: (n & 3) as Angle["turn"], r: fastTwoSum(s2.hi, s1.lo + s2.lo - n * P4) };
}

const BITS = 1400;
let piInteger = 0n;

function reduceExactly(x: number): Angle {
	if (piInteger === 0n) piInteger = machinPi(BITS);
	const X = integerPart(Math.abs(x), BITS + 1);
	const N = (2n * X + piInteger) / (2n * piInteger);
	const R = X - N * piInteger;
	const size = R < 0n ? -R : R;
	if (size >> 81n < N) throw new InternalError("an angle was not reduced", x);
	// The 110 leading bits; what is cut off is below 2^-109.
	const shift = Math.max(size.toString(2).length - 110, 0);
	const head = size >> BigInt(shift);
	const hi = Number(head);
	const unit = pow2(shift - BITS - 1);
	const sign = R < 0n !== x < 0 ? -unit : unit;
	const quarter = Number(N & 3n);
	return {
		turn: ((x < 0 ? -quarter : quarter) & 3) as Angle["turn"],
		r: { hi: hi * sign, lo: Number(head - BigInt(hi)) * sign },
	};
}

/** x·2^bits, x > 0, which is whole. */
function integerPart(x: number, bits: number): bigint {
	const e = exponent(x) - 52;
	return BigInt(x * pow2(-e)) << BigInt(e + bits);
}

/**
 * π·2^bits but for less than 2, by Machin's formula π = 16·atan(1/5) - 4·atan(1/239). With 32 bits more, each
 * of the fewer than 2^11 terms of an arc is cut by less than 2 units, so the sum is off by less than 2^17
 * units of 2^-(bits + 32).
 */
export function machinPi(bits: number): bigint {
	const one = 1n << BigInt(bits + 32);
	return (16n * arcOfReciprocal(5n, one) - 4n * arcOfReciprocal(239n, one)) >> 32n;
}

/** atan(1/n)·one. */
function arcOfReciprocal(n: bigint, one: bigint): bigint {
	let power = one / n;
	let sum = power;
	for (let k = 3n, sign = -1n; power !== 0n; k += 2n, sign = -sign) {
		power /= n * n;
		sum += (sign * power) / k;
	}
	return sum;
}
