/**
 * asin, acos and atan. Up to 1/2, asin x = x + x³·A(x²); beyond, asin x = π/2 - 2·asin √((1 - x)/2). atan x is
 * atan c + atan((x - c)/(1 + c·x)) with c = 0, 1/2, 1, 3/2 or ∞, whichever is nearest, and a polynomial for the rest.
 */
import type { Algebra } from "./algebra.ts";
import { halves, polynomial } from "./pairs.ts";

const A = [
	0.16666666666665522, 0.07500000000310818, 0.04464285684952927, 0.030381958281765858, 0.02237177808358309,
	0.01735940980367326, 0.013888079505673365, 0.012150980576908178, 0.006604982091937957, 0.019322347205532095,
	-0.015908349559458856, 0.03170045425907486,
];
const B = [
	-0.333333333333329, 0.1999999999986862, -0.14285714271815272, 0.11111110375540484, -0.09090886384636297,
	0.07691864603853776, -0.06660958175708309, 0.058328402023450736, -0.049740051717938404, 0.03646775486260586,
	-0.01622465553116934,
];
const halfPi = { hi: 1.5707963267948966, lo: 6.123233995736766e-17 };
/** Where one centre ends and the next begins, and atan of the centres as pairs. */
const centres = [
	{ from: 0.4375, c: 0.5, hi: 0.4636476090008061, lo: 2.2698777452961687e-17 },
	{ from: 0.6875, c: 1, hi: 0.7853981633974483, lo: 3.061616997868383e-17 },
	{ from: 1.1875, c: 1.5, hi: 0.982793723247329, lo: 1.3903311031230998e-17 },
];
const lastFrom = 2.4375;

/** asin near = root + tail for the smaller of |x| and √((1 - |x|)/2); `far` says which. */
function arcParts<V, M>(o: Algebra<V, M>, x: V): { far: M; root: V; tail: V } {
	const size = o.abs(x);
	const far = o.le(o.constant(0.5), size);
	const halfway = o.mul(o.constant(0.5), o.sub(o.constant(1), size));
	const z = o.select(far, halfway, o.mul(x, x));
	const s = o.sqrt(halfway);
	// The root's own rounding error: √h = head + (h - head²)/(√h + head) with head² exact.
	const head = halves(o, s).hi;
	const sum = o.add(s, head);
	const correction = o.div(
		o.sub(halfway, o.mul(head, head)),
		o.select(o.lt(o.constant(0), sum), sum, o.constant(1)),
	);
	const root = o.select(far, head, size);
	const near = o.select(far, s, size);
	const curve = o.mul(o.mul(near, z), polynomial(o, z, A));
	return { far, root, tail: o.add(curve, o.select(far, correction, o.constant(0))) };
}

export function asin<V, M>(o: Algebra<V, M>, x: V): V {
	const { far, root, tail } = arcParts(o, x);
	const two = o.constant(2);
	// π/2 - 2·(root + tail): π/4 - 2·root is near exact, and the rest is small.
	const quarter = o.constant(halfPi.hi / 2);
	const small = o.sub(o.mul(two, tail), o.constant(halfPi.lo));
	const complement = o.sub(quarter, o.sub(small, o.sub(quarter, o.mul(two, root))));
	return o.copysign(o.select(far, complement, o.add(root, tail)), x);
}

export function acos<V, M>(o: Algebra<V, M>, x: V): V {
	const { far, root, tail } = arcParts(o, x);
	const two = o.constant(2);
	const negative = o.lt(x, o.constant(0));
	const fromOne = o.mul(two, o.add(root, tail));
	const fromMinusOne = o.sub(
		o.constant(2 * halfPi.hi),
		o.mul(two, o.add(root, o.sub(tail, o.constant(halfPi.lo)))),
	);
	const sign = o.copysign(o.constant(1), x);
	const middle = o.sub(
		o.constant(halfPi.hi),
		o.sub(o.mul(sign, root), o.sub(o.constant(halfPi.lo), o.mul(sign, tail))),
	);
	return o.select(far, o.select(negative, fromMinusOne, fromOne), middle);
}

export function atan<V, M>(o: Algebra<V, M>, x: V): V {
	const size = o.abs(x);
	let c = o.constant(0);
	let hi = o.constant(0);
	let lo = o.constant(0);
	for (const centre of centres) {
		const beyond = o.le(o.constant(centre.from), size);
		c = o.select(beyond, o.constant(centre.c), c);
		hi = o.select(beyond, o.constant(centre.hi), hi);
		lo = o.select(beyond, o.constant(centre.lo), lo);
	}
	const last = o.le(o.constant(lastFrom), size);
	hi = o.select(last, o.constant(halfPi.hi), hi);
	lo = o.select(last, o.constant(halfPi.lo), lo);
	const over = o.select(last, o.constant(-1), o.sub(size, c));
	const under = o.select(last, size, o.add(o.constant(1), o.mul(c, size)));
	const t = o.div(over, under);
	const z = o.mul(t, t);
	const curve = o.mul(o.mul(t, z), polynomial(o, z, B));
	return o.copysign(o.add(hi, o.add(t, o.add(curve, lo))), x);
}
