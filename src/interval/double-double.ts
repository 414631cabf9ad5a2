/**
 * Numbers of about 106 bits as unevaluated sums hi + lo of two doubles with |lo| <= u·|hi|, u = 2^-53
 * ([dekker1971]; bounds of this kind, and sharper ones, in [joldes2017]).
 *
 * All bounds below hold for operands that are 0 or whose hi is between 2^-300 and 2^300 in magnitude, and for
 * results in that range: then Dekker's product, which needs |a|, |b| <= 2^995 and |a·b| >= 2^-968 (or 0), is
 * exact, and what is lost where a lo part underflows is below 2^-1000. (1 + u) factors are left out of the
 * sums and covered by the rounded-up totals.
 */

export interface Pair {
	readonly hi: number;
	readonly lo: number;
}

/** 2^27 + 1. */
const SPLITTER = 134217729;

/** a + b - sum exactly, where `sum` is a + b rounded. */
export function sumError(a: number, b: number, sum: number): number {
	const part = sum - a;
	return a - (sum - part) + (b - part);
}

/** a·b - product exactly, where `product` is a·b rounded [dekker1971]. */
export function productError(a: number, b: number, product: number): number {
	const aScaled = a * SPLITTER;
	const aHead = aScaled - (aScaled - a);
	const aTail = a - aHead;
	const bScaled = b * SPLITTER;
	const bHead = bScaled - (bScaled - b);
	const bTail = b - bHead;
	return aHead * bHead - product + aHead * bTail + aTail * bHead + aTail * bTail;
}

/** a + b exactly, for any a and b whose sum is finite. */
export function twoSum(a: number, b: number): Pair {
	const hi = a + b;
	return { hi, lo: sumError(a, b, hi) };
}

/** a + b exactly, where |a| >= |b| or a is 0. */
export function fastTwoSum(a: number, b: number): Pair {
	const hi = a + b;
	return { hi, lo: b - (hi - a) };
}

/** a·b exactly. */
export function twoProduct(a: number, b: number): Pair {
	const hi = a * b;
	return { hi, lo: productError(a, b, hi) };
}

/**
 * x + y with |error| <= 4u²·(|x| + |y|), whatever cancels. S = |x| + |y|. The errors of the sum s of the hi
 * parts and the sum t of the lo parts are kept; |s's error| <= uS, |t| <= uS, so rounding c loses <= 2u²S.
 * |t's error| <= u²S and |v's error| <= uS, so rounding the last sum loses <= u²S(1 + u). Everything else is
 * exact.
 */
export function addPairs(x: Pair, y: Pair): Pair {
	const s = x.hi + y.hi;
	const t = x.lo + y.lo;
	const c = sumError(x.hi, y.hi, s) + t;
	const v = s + c;
	return twoSum(v, sumError(x.lo, y.lo, t) + sumError(s, c, v));
}

/**
 * x + b with |error| <= 3u²·(|x| + |b|): the error of the sum s and x.lo are <= uS each, so rounding their
 * sum loses <= 2u²S.
 */
export function addNumber(x: Pair, b: number): Pair {
	const s = x.hi + b;
	return twoSum(s, sumError(x.hi, b, s) + x.lo);
}

export function negate(x: Pair): Pair {
	return { hi: -x.hi, lo: -x.lo };
}

/** x times a power of two, exactly. */
export function timesPower(x: Pair, power: number): Pair {
	return { hi: x.hi * power, lo: x.lo * power };
}

/**
 * x·y with relative error < 9u² < 2^-102. P = |x.hi·y.hi|. The product of the lo parts is dropped: u²P. The
 * two cross products are rounded: 2u²P. Their sum, <= 2uP, is rounded: 2u²P. It and the error of p, together
 * <= 3uP, are rounded: 3u²P. In all 8u²P, and P <= |xy|/(1 - u)².
 */
export function mulPairs(x: Pair, y: Pair): Pair {
	const p = x.hi * y.hi;
	return fastTwoSum(p, productError(x.hi, y.hi, p) + (x.hi * y.lo + x.lo * y.hi));
}

/**
 * x·b with relative error < 4u²: the cross product is rounded, u², and its sum with the error of p, <= 2u,
 * too.
 */
export function mulNumber(x: Pair, b: number): Pair {
	const p = x.hi * b;
	return fastTwoSum(p, productError(x.hi, b, p) + x.lo * b);
}

/**
 * x/y with relative error < 32u² = 2^-101. q = x.hi/y.hi·(1 + δ), |δ| <= u, so p is within 3u|x.hi| of x.hi
 * and their difference is exact. The remainder x - q·y has the parts (x.hi - p), p's error, x.lo and q·y.lo,
 * of at most 3, 1, 1, 1 times u|x.hi|; rounding the last product and the three partial sums loses at most (1
 * + 4 + 5 + 6)u²|x.hi|. Rounding the quotient by y.hi loses 6u²|x/y|, and dividing by y.hi instead of y
 * another 6u²|x/y|. In all 28u².
 */
export function divPairs(x: Pair, y: Pair): Pair {
	const q = x.hi / y.hi;
	const p = q * y.hi;
	const rest = x.hi - p - productError(q, y.hi, p) + x.lo - q * y.lo;
	return fastTwoSum(q, rest / y.hi);
}

/**
 * √x for x > 0, with relative error < 2^-78. The host's square root s, off by the unknown relative δ, only
 * starts a step of Newton's method: s + (x - s²)/(2s) is off by δ²/2, and rounding the step, of size δs, by a
 * few uδs. |δ| < 2^-39 is checked by the remainder, which is x·2δ to first order; further steps are made
 * until it holds.
 */
export function sqrtPair(x: Pair): Pair {
	let s = Math.sqrt(x.hi);
	for (;;) {
		const p = s * s;
		const rest = x.hi - p - productError(s, s, p) + x.lo;
		const step = rest / (2 * s);
		if (Math.abs(rest) <= x.hi * 3e-12) return fastTwoSum(s, step);
		s += step;
	}
}
