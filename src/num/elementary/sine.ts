/** sin, cos and tan: reduction to |r| <= π/4, then sin r = r + r³·S(r²) and cos r = 1 - r²/2 + r⁴·C(r²). */
import type { Algebra } from "./algebra.ts";
import { fastTwoSum, type Pair, polynomial, twoProduct } from "./pairs.ts";
import { largeAngle, type Reduced, reduceAngle, reduceLarge } from "./reduce.ts";

const S = [
	-0.16666666666666632, 0.008333333333322396, -0.00019841269829793756, 2.755731368701237e-6,
	-2.505075734139131e-8, 1.589675041928706e-10,
];
const C = [
	0.041666666666666644, -0.0013888888888882048, 2.4801587294408775e-5, -2.755731576065427e-7,
	2.0875911991092094e-9, -1.1369258435833548e-11,
];

/** sin r and cos r as unevaluated sums: the second part is below the first, but not below its last bit. */
function sine<V, M>(o: Algebra<V, M>, r: Pair<V>, z: V): Pair<V> {
	const bend = o.sub(o.constant(1), o.mul(o.constant(0.5), z));
	return { hi: r.hi, lo: o.add(o.mul(o.mul(r.hi, z), polynomial(o, z, S)), o.mul(r.lo, bend)) };
}
function cosine<V, M>(o: Algebra<V, M>, r: Pair<V>, z: V): Pair<V> {
	const one = o.constant(1);
	const half = o.mul(o.constant(0.5), z);
	const hi = o.sub(one, half);
	const rest = o.sub(o.sub(one, hi), half);
	const curve = o.sub(o.mul(o.mul(z, z), polynomial(o, z, C)), o.mul(r.hi, r.lo));
	return { hi, lo: o.add(rest, curve) };
}

function sinOfReduced<V, M>(o: Algebra<V, M>, { quadrant, r }: Reduced<V>): V {
	const z = o.mul(r.hi, r.hi);
	const s = sine(o, r, z);
	const c = cosine(o, r, z);
	const value = o.select(o.eq(o.abs(quadrant), o.constant(1)), o.add(c.hi, c.lo), o.add(s.hi, s.lo));
	const negative = o.or(o.lt(quadrant, o.constant(0)), o.lt(o.constant(1), quadrant));
	return o.select(negative, o.neg(value), value);
}
function cosOfReduced<V, M>(o: Algebra<V, M>, { quadrant, r }: Reduced<V>): V {
	const z = o.mul(r.hi, r.hi);
	const s = sine(o, r, z);
	const c = cosine(o, r, z);
	const value = o.select(o.eq(o.abs(quadrant), o.constant(1)), o.add(s.hi, s.lo), o.add(c.hi, c.lo));
	const negative = o.or(o.eq(quadrant, o.constant(1)), o.lt(o.constant(1), o.abs(quadrant)));
	return o.select(negative, o.neg(value), value);
}
/** The quotient of sine and cosine with the remainder of the division, since both and the division round. */
function tanOfReduced<V, M>(o: Algebra<V, M>, { quadrant, r }: Reduced<V>): V {
	const z = o.mul(r.hi, r.hi);
	const s = sine(o, r, z);
	const c = cosine(o, r, z);
	const sum = fastTwoSum(o, s.hi, s.lo);
	const other = fastTwoSum(o, c.hi, c.lo);
	const odd = o.eq(o.abs(quadrant), o.constant(1));
	const pick = (yes: V, no: V): V => o.select(odd, yes, no);
	const over = { hi: pick(o.neg(other.hi), sum.hi), lo: pick(o.neg(other.lo), sum.lo) };
	const under = { hi: pick(sum.hi, other.hi), lo: pick(sum.lo, other.lo) };
	const quotient = o.div(over.hi, under.hi);
	const back = twoProduct(o, quotient, under.hi);
	const left = o.sub(o.add(o.sub(o.sub(over.hi, back.hi), back.lo), over.lo), o.mul(quotient, under.lo));
	return o.add(quotient, o.div(left, under.hi));
}

function isLarge<V, M>(o: Algebra<V, M>, x: V): M {
	return o.le(o.constant(largeAngle), o.abs(x));
}
/** sin x = x to the last bit for tiny x, and so keeps -0. */
function orTiny<V, M>(o: Algebra<V, M>, x: V, value: V): V {
	return o.select(o.lt(o.abs(x), o.constant(1e-9)), x, value);
}

export function sin<V, M>(o: Algebra<V, M>, x: V): V {
	return o.rarely(isLarge(o, x), "sinLarge", x, orTiny(o, x, sinOfReduced(o, reduceAngle(o, x))));
}
export function cos<V, M>(o: Algebra<V, M>, x: V): V {
	return o.rarely(isLarge(o, x), "cosLarge", x, cosOfReduced(o, reduceAngle(o, x)));
}
export function tan<V, M>(o: Algebra<V, M>, x: V): V {
	return o.rarely(isLarge(o, x), "tanLarge", x, orTiny(o, x, tanOfReduced(o, reduceAngle(o, x))));
}
export function sinLarge<V, M>(o: Algebra<V, M>, x: V): V {
	return sinOfReduced(o, reduceLarge(o, x));
}
export function cosLarge<V, M>(o: Algebra<V, M>, x: V): V {
	return cosOfReduced(o, reduceLarge(o, x));
}
export function tanLarge<V, M>(o: Algebra<V, M>, x: V): V {
	return tanOfReduced(o, reduceLarge(o, x));
}
