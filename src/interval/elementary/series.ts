/**
 * Power series whose leading terms are summed as pairs and the rest as doubles.
 */
import { divPairs, fastTwoSum, type Pair, productError, sumError } from "../double-double.ts";

export interface Series {
	/** The first coefficients c_1, c_2, … as pairs (relative error < 2^-101). */
	readonly lead: readonly Pair[];
	/** The next ones as the nearest doubles. */
	readonly tail: readonly number[];
}

/**
 * The series with coefficients 1/n_1, 1/n_2, …, for whole n_k that are doubles; the first `nLead` as pairs.
 */
export function seriesOfReciprocals(whole: readonly number[], nLead: number): Series {
	const one = { hi: 1, lo: 0 };
	return {
		lead: whole.slice(0, nLead).map((n) => divPairs(one, { hi: n, lo: 0 })),
		tail: whole.slice(nLead).map((n) => 1 / n),
	};
}

/**
 * c_1·z + c_2·z² + …, |z| < 0.62.
 *
 * Error: let the tail start with c_m, and its terms fall by a factor 0.02 or more each. Horner's rule in
 * doubles then gives the tail, T ≈ c_m·z^m, with relative error < 6u: the rounding of c_m (u), of the last
 * sum (u) and of the product with z (u), z.lo left out of that product (u), and 2% of the like of all further
 * terms. Then sum and product of pairs in turn; between them the low part is not normalised but stays below
 * 3u times the high part, so each product loses < 20u² and each sum < 6u² of its value. As the terms fall by
 * a factor 0.1 or more, that is < 2^-99 of the leading term. In all |error| < 2^-50.4·|c_m·z^m| +
 * 2^-99·|c_1·z|.
 */
export function sumSeries(series: Series, z: Pair): Pair {
	const { lead, tail } = series;
	let rest = tail[tail.length - 1];
	for (let i = tail.length - 2; i >= 0; i--) rest = tail[i] + z.hi * rest;
	const last = lead[lead.length - 1];
	const first = z.hi * rest;
	let hi = last.hi + first;
	let lo = sumError(last.hi, first, hi) + last.lo;
	for (let i = lead.length - 2; i >= 0; i--) {
		const p = z.hi * hi;
		const pl = productError(z.hi, hi, p) + (z.hi * lo + z.lo * hi);
		const c = lead[i];
		hi = c.hi + p;
		lo = sumError(c.hi, p, hi) + (c.lo + pl);
	}
	const p = z.hi * hi;
	return fastTwoSum(p, productError(z.hi, hi, p) + (z.hi * lo + z.lo * hi));
}
