/**
 * pow: |x|^y = e^(y·log|x|) with the logarithm to about 66 bits, since an error of it is multiplied by up to 745.
 * Special values follow IEEE 754: x^0 and 1^y are 1 for every x and y, NaN included.
 */
import type { Algebra } from "./algebra.ts";
import { expOfSum, ln2 } from "./exp.ts";
import { logParts } from "./log.ts";
import { fastTwoSum, type Pair, polynomial, twoProduct, twoSum } from "./pairs.ts";

/** atanh(s)/s = 1 + z/3 + z²·R(z), z = s². */
const R = [
	0.19999999999999998, 0.142857142857171, 0.11111111110054572, 0.09090909282602114, 0.07692288479849331,
	0.0666778598743473, 0.05844706696849465, 0.05935868896268488,
];
const third = { hi: 0.3333333333333333, lo: 1.850371707708594e-17 };
const ln2Tail = 1.94704509238075e-31;

/** log|x| as a pair, for finite x ≠ 0. */
function logPair<V, M>(o: Algebra<V, M>, x: V): Pair<V> {
	const { e, f } = logParts(o, x);
	// s = f/(2 + f) and z = s², as pairs.
	const under = fastTwoSum(o, o.constant(2), f);
	const s = o.div(f, under.hi);
	const back = twoProduct(o, s, under.hi);
	const sLo = o.div(o.sub(o.sub(o.sub(f, back.hi), back.lo), o.mul(s, under.lo)), under.hi);
	const square = twoProduct(o, s, s);
	const zLo = o.add(square.lo, o.mul(o.mul(o.constant(2), s), sLo));
	const z = square.hi;
	// p = z·(1/3 + z·R(z)).
	const inner = fastTwoSum(o, o.constant(third.hi), o.mul(z, polynomial(o, z, R)));
	const innerLo = o.add(inner.lo, o.constant(third.lo));
	const p = twoProduct(o, z, inner.hi);
	const pLo = o.add(p.lo, o.add(o.mul(z, innerLo), o.mul(zLo, inner.hi)));
	// log m = 2s·(1 + p).
	const sp = twoProduct(o, s, p.hi);
	const spLo = o.add(sp.lo, o.add(o.mul(s, pLo), o.mul(sLo, p.hi)));
	const half = fastTwoSum(o, s, sp.hi);
	const halfLo = o.add(half.lo, o.add(sLo, spLo));
	// e·log 2 + log m.
	const two = o.constant(2);
	const whole = twoSum(o, o.mul(e, o.constant(ln2.hi)), o.mul(two, half.hi));
	const low = twoProduct(o, e, o.constant(ln2.lo));
	const mid = twoSum(o, o.mul(two, halfLo), low.hi);
	const rest = o.add(o.add(mid.lo, low.lo), o.mul(e, o.constant(ln2Tail)));
	return fastTwoSum(o, whole.hi, o.add(o.add(whole.lo, mid.hi), rest));
}

export function pow<V, M>(o: Algebra<V, M>, x: V, y: V): V {
	const zero = o.constant(0);
	const one = o.constant(1);
	const infinity = o.constant(Number.POSITIVE_INFINITY);
	// Beyond 2^70 every power of a double other than ±1 is 0 or ∞.
	const exponent = o.min(o.constant(2 ** 70), o.max(o.constant(-(2 ** 70)), y));
	const size = o.abs(x);
	const log = logPair(o, x);
	const product = twoProduct(o, log.hi, exponent);
	// Where the product is beyond the range of exp, its tail is no longer small.
	const tail = o.add(product.lo, o.mul(log.lo, exponent));
	const power = expOfSum(o, product.hi, o.min(one, o.max(o.constant(-1), tail)));
	// 0 and ∞ to a power.
	const shrinks = o.or(o.and(o.eq(size, zero), o.lt(zero, y)), o.and(o.eq(size, infinity), o.lt(y, zero)));
	const edge = o.or(o.eq(size, zero), o.eq(size, infinity));
	const magnitude = o.select(edge, o.select(shrinks, zero, infinity), power);
	// Signs: odd powers keep the sign of x, broken powers of negative numbers are not real.
	const odd = o.and(isWhole(o, y), o.not(isWhole(o, o.mul(y, o.constant(0.5)))));
	const signed = o.select(odd, o.copysign(magnitude, x), magnitude);
	const negative = o.and(o.lt(x, zero), o.lt(size, infinity));
	const real = o.select(o.and(negative, o.not(isWhole(o, y))), o.constant(Number.NaN), signed);
	const known = o.and(o.eq(x, x), o.eq(y, y));
	return o.select(o.or(o.eq(y, zero), o.eq(x, one)), one, o.select(known, real, o.add(x, y)));
}

function isWhole<V, M>(o: Algebra<V, M>, y: V): M {
	const size = o.abs(y);
	const magic = o.constant(2 ** 52);
	return o.or(o.le(magic, size), o.eq(o.sub(o.add(size, magic), magic), size));
}
