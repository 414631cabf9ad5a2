/**
 * log: x = 2^e·m with m from √½ to √2, s = (m - 1)/(m + 1), log m = 2s + s³·R(s²). As f - (f²/2 - s·(f²/2 + s²·R)),
 * with f = m - 1, the large part is exact.
 */
import type { Algebra } from "./algebra.ts";
import { ln2 } from "./exp.ts";
import { polynomial } from "./pairs.ts";

const R = [
	0.6666666666666734, 0.3999999999941745, 0.28571428741821703, 0.22222198625991116, 0.18183561852160263,
	0.1531410709646617, 0.14795449428391308,
];
const smallestNormal = 2.2250738585072014e-308;

/** |x| = 2^e·(1 + f), 1 + f from √½ to √2; x may be subnormal. */
export function logParts<V, M>(o: Algebra<V, M>, x: V): { e: V; f: V } {
	const tiny = o.lt(o.abs(x), o.constant(smallestNormal));
	const normal = o.select(tiny, o.mul(x, o.constant(18014398509481984)), x);
	const m = o.mantissa(normal);
	const large = o.lt(o.constant(Math.SQRT2), m);
	const shift = o.add(
		o.select(tiny, o.constant(-54), o.constant(0)),
		o.select(large, o.constant(1), o.constant(0)),
	);
	const one = o.constant(1);
	return {
		e: o.add(o.exponent(normal), shift),
		f: o.sub(o.select(large, o.mul(m, o.constant(0.5)), m), one),
	};
}

export function log<V, M>(o: Algebra<V, M>, x: V): V {
	const { e, f } = logParts(o, x);
	const s = o.div(f, o.add(o.constant(2), f));
	const z = o.mul(s, s);
	const half = o.mul(o.constant(0.5), o.mul(f, f));
	const tail = o.add(o.mul(s, o.add(half, o.mul(z, polynomial(o, z, R)))), o.mul(e, o.constant(ln2.lo)));
	const value = o.sub(o.mul(e, o.constant(ln2.hi)), o.sub(o.sub(half, tail), f));
	// 0 gives -∞, ∞ gives itself, and what is negative or NaN gives NaN.
	const infinity = o.constant(Number.POSITIVE_INFINITY);
	const zero = o.constant(0);
	const outside = o.select(
		o.eq(x, zero),
		o.neg(infinity),
		o.select(o.eq(x, infinity), x, o.constant(Number.NaN)),
	);
	return o.select(o.and(o.lt(zero, x), o.lt(x, infinity)), value, outside);
}
