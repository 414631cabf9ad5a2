/** Sums and products with their rounding errors, and polynomials: what elementary functions are built of. */
import type { Algebra } from "./algebra.ts";

/** A number hi + lo of twice the precision, |lo| at most half an ulp of hi. */
export interface Pair<V> {
	readonly hi: V;
	readonly lo: V;
}

/** a + b exactly. */
export function twoSum<V, M>(o: Algebra<V, M>, a: V, b: V): Pair<V> {
	const hi = o.add(a, b);
	const bPart = o.sub(hi, a);
	const lo = o.add(o.sub(a, o.sub(hi, bPart)), o.sub(b, bPart));
	return { hi, lo };
}

/** a + b exactly, where |a| >= |b| or a is 0. */
export function fastTwoSum<V, M>(o: Algebra<V, M>, a: V, b: V): Pair<V> {
	const hi = o.add(a, b);
	return { hi, lo: o.sub(b, o.sub(hi, a)) };
}

/** a·b exactly, where no part overflows (|a|, |b| below 2^500). */
export function twoProduct<V, M>(o: Algebra<V, M>, a: V, b: V): Pair<V> {
	const p = halves(o, a);
	const q = halves(o, b);
	const hi = o.mul(a, b);
	const cross = o.add(o.sub(o.mul(p.hi, q.hi), hi), o.add(o.mul(p.hi, q.lo), o.mul(p.lo, q.hi)));
	return { hi, lo: o.add(cross, o.mul(p.lo, q.lo)) };
}

/** a in two parts of at most 26 bits. */
export function halves<V, M>(o: Algebra<V, M>, a: V): Pair<V> {
	const scaled = o.mul(o.constant(134217729), a);
	const hi = o.sub(scaled, o.sub(scaled, a));
	return { hi, lo: o.sub(a, hi) };
}

/** The whole number nearest to x, |x| < 2^51. */
export function roundToWhole<V, M>(o: Algebra<V, M>, x: V): V {
	const magic = o.constant(6755399441055744);
	return o.sub(o.add(x, magic), magic);
}

/** Σ c_i·x^i, in two interleaved Horner chains. */
export function polynomial<V, M>(o: Algebra<V, M>, x: V, c: readonly number[]): V {
	const square = o.mul(x, x);
	const chain = (start: number): V => {
		let last = start;
		while (last + 2 < c.length) last += 2;
		let sum = o.constant(c[last]);
		for (let i = last - 2; i >= 0; i -= 2) sum = o.add(o.mul(sum, square), o.constant(c[i]));
		return sum;
	};
	return o.add(chain(0), o.mul(x, chain(1)));
}

/** x·2^k for a whole k from -2000 to 2000, rounded once (x is a normal number near 1). */
export function scale<V, M>(o: Algebra<V, M>, x: V, k: V): V {
	const half = roundToWhole(o, o.mul(k, o.constant(0.5)));
	return o.mul(o.mul(x, o.pow2(half)), o.pow2(o.sub(k, half)));
}
