/**
 * sinh, cosh, tanh from the parts of e^|x| = 2^k·(1 + y). With T = 2^-k·(e^|x| - 1) = (1 - 2^-k) + y nothing is
 * lost near 0, where k = 0 and T = y.
 */
import type { Algebra } from "./algebra.ts";
import { expParts } from "./exp.ts";
import { fastTwoSum, type Pair, scale } from "./pairs.ts";

interface Parts<V> {
	readonly k: V;
	/** 2^-k. */
	readonly unit: V;
	readonly y: Pair<V>;
	readonly T: Pair<V>;
}

function parts<V, M>(o: Algebra<V, M>, size: V): Parts<V> {
	const { k, r, c } = expParts(o, size);
	const y = fastTwoSum(o, r, c);
	const unit = o.pow2(o.neg(o.min(o.constant(1000), k)));
	const T = fastTwoSum(o, o.sub(o.constant(1), unit), y.hi);
	return { k, unit, y, T: { hi: T.hi, lo: o.add(T.lo, y.lo) } };
}

export function sinh<V, M>(o: Algebra<V, M>, x: V): V {
	const { k, unit, y, T } = parts(o, o.min(o.constant(720), o.abs(x)));
	// (T + 2^-k·T/(1 + y))·2^(k-1)
	const mirrored = o.mul(unit, o.div(T.hi, o.add(o.constant(1), y.hi)));
	const sum = o.add(T.hi, o.add(mirrored, o.add(T.lo, o.mul(unit, T.lo))));
	return o.copysign(scale(o, sum, o.sub(k, o.constant(1))), x);
}

export function cosh<V, M>(o: Algebra<V, M>, x: V): V {
	const { k, unit, y } = parts(o, o.min(o.constant(720), o.abs(x)));
	const e = fastTwoSum(o, o.constant(1), y.hi);
	const mirrored = o.div(o.mul(unit, unit), e.hi);
	const sum = o.add(e.hi, o.add(mirrored, o.add(e.lo, y.lo)));
	return scale(o, sum, o.sub(k, o.constant(1)));
}

export function tanh<V, M>(o: Algebra<V, M>, x: V): V {
	// Beyond 20 it is 1 to the last bit.
	const { k, unit, T } = parts(o, o.mul(o.constant(2), o.min(o.constant(20), o.abs(x))));
	const under = fastTwoSum(o, o.mul(o.constant(2), unit), T.hi);
	const quotient = o.div(T.hi, under.hi);
	// What the two roundings before the division cost; 1/under is (1 - quotient)·2^(k-1), and from 0.4 to 1.5.
	const missing = o.sub(T.lo, o.mul(quotient, o.add(under.lo, T.lo)));
	const estimate = o.mul(o.sub(o.constant(1), quotient), o.pow2(o.sub(k, o.constant(1))));
	const reciprocal = o.min(o.constant(1.5), o.max(o.constant(0.4), estimate));
	return o.copysign(o.add(quotient, o.mul(missing, reciprocal)), x);
}
