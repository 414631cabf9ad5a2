/**
 * exp: x = k·log 2 + r with |r| <= log(2)/2, and e^r - 1 = r + r²·q(r). The coefficients of q interpolate at the
 * points that level the error of r²·q(r) (4e-18).
 */
import type { Algebra } from "./algebra.ts";
import { polynomial, roundToWhole, scale } from "./pairs.ts";

const log2e = 1.4426950408889634;
/** log 2 in two parts; the first has 42 bits, so that its multiples by k are exact. */
export const ln2 = { hi: 0.6931471805598903, lo: 5.497923018708371e-14 };
const q = [
	0.5000000000000013, 0.16666666666666677, 0.04166666666651382, 0.008333333333321579, 0.001388888894739573,
	0.0001984126988626428, 2.4801489572265626e-5, 2.7557244063806845e-6, 2.763140712306415e-7,
	2.5109089782637822e-8,
];

/** e^(x + tail) = 2^k·(1 + r + c), where tail is small against x and r + c is e^(reduced x) - 1. */
export function expParts<V, M>(o: Algebra<V, M>, x: V, tail?: V): { k: V; r: V; c: V } {
	const k = roundToWhole(o, o.mul(x, o.constant(log2e)));
	const head = o.sub(x, o.mul(k, o.constant(ln2.hi)));
	let low = o.mul(k, o.constant(ln2.lo));
	if (tail !== undefined) low = o.sub(low, tail);
	const r = o.sub(head, low);
	const rest = o.sub(o.sub(head, r), low);
	return { k, r, c: o.add(o.mul(o.mul(r, r), polynomial(o, r, q)), rest) };
}

export function exp<V, M>(o: Algebra<V, M>, x: V): V {
	return expOfSum(o, x);
}

/** e^(x + tail). */
export function expOfSum<V, M>(o: Algebra<V, M>, x: V, tail?: V): V {
	const within = o.min(o.constant(720), o.max(o.constant(-760), x));
	const { k, r, c } = expParts(o, within, tail);
	return scale(o, o.add(o.constant(1), o.add(r, c)), k);
}
