/**
 * x as n·π/2 + r with |r| <= π/4, r as a pair. Up to 2^20 by subtracting n times π/2, cut into three parts of 33 bits
 * and a rest, so that the products are exact. Beyond, after Payne and Hanek: the digits of 2/π that can matter are
 * multiplied with x, in base 2^24, so that all products and their sums are exact in doubles.
 */
import type { Algebra } from "./algebra.ts";
import { fastTwoSum, type Pair, roundToWhole, twoProduct, twoSum } from "./pairs.ts";
import { pow2 } from "./primitives.ts";

const halfPi = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];
/** Above this |x| the reduction is `reduceLarge`. */
export const largeAngle = 2 ** 20;

/** Four zeros, then 2/π in base 2^24. */
export const twoOverPi = [
	0, 0, 0, 0, 10680707, 7228996, 1387004, 2578385, 16069853, 12639074, 9804092, 4427841, 16666979, 11263675,
	12935607, 2387514, 4345298, 14681673, 3074569, 13734428, 16653803, 1880361, 10960616, 8533493, 3062596,
	8710556, 7349940, 6258241, 3772886, 3769171, 3798172, 8675211, 12450088, 3874808, 9961438, 366607, 15675153,
	9132554, 7151469, 3571407, 2607881, 12013382, 4155038, 6285869, 7677882, 13102053, 15825725, 473591,
	9065106, 15363067, 6271263, 9264392, 5636912,
];

export interface Reduced<V> {
	/** n modulo 4: -2, -1, 0, 1 or 2. */
	readonly quadrant: V;
	readonly r: Pair<V>;
}

export function reduceAngle<V, M>(o: Algebra<V, M>, x: V): Reduced<V> {
	const [first, second, third, rest] = halfPi.map((part) => o.constant(part));
	const n = roundToWhole(o, o.mul(x, o.constant(2 / Math.PI)));
	const a = o.sub(x, o.mul(n, first));
	const b = twoSum(o, a, o.neg(o.mul(n, second)));
	const c = twoSum(o, b.hi, o.neg(o.mul(n, third)));
	const r = fastTwoSum(o, c.hi, o.sub(o.add(b.lo, c.lo), o.mul(n, rest)));
	return { quadrant: modulo4(o, n), r };
}

/** For finite |x| >= 2^20; it looks up a table, so it is for one number at a time. */
export function reduceLarge<V, M>(o: Algebra<V, M>, x: V): Reduced<V> {
	const base = o.constant(2 ** 24);
	const unit = o.constant(2 ** -24);
	const size = o.abs(x);
	// |x| = X·2^(24g), the digits of X in base 2^24 from 2^48 down to 2^-24.
	const g = o.sub(floor(o, o.div(o.exponent(size), o.constant(24))), o.constant(2));
	let X = o.mul(o.mul(size, o.pow2(o.mul(o.constant(-24), g))), o.constant(2 ** -48));
	const digits: V[] = [];
	for (let i = 0; i < 4; i++) {
		const digit = floor(o, X);
		digits.push(digit);
		X = o.mul(o.sub(X, digit), base);
	}
	// Column w of the product has weight 2^(24w); those above 0 are whole turns, those below -7 too small to matter.
	const columns: V[] = [];
	for (let w = 0; w >= -7; w--) {
		const terms = digits.map((digit, i) => {
			const index = o.add(g, o.constant(2 - i - 1 - w + 4));
			return o.mul(digit, o.table("twoOverPi", index));
		});
		columns.push(o.add(o.add(terms[0], terms[1]), o.add(terms[2], terms[3])));
	}
	// Carries, to the nearest: what stays in a column is at most half its base.
	for (let i = columns.length - 1; i > 0; i--) {
		const carry = roundToWhole(o, o.mul(columns[i], unit));
		columns[i] = o.sub(columns[i], o.mul(carry, base));
		columns[i - 1] = o.add(columns[i - 1], carry);
	}
	// The fraction of a quarter turn as a pair, then in radians.
	const weighted = columns.map((column, i) => o.mul(column, o.constant(pow2(-24 * i))));
	const upper = twoSum(o, o.add(weighted[1], weighted[2]), o.add(weighted[3], weighted[4]));
	const lower = o.add(o.add(weighted[5], weighted[6]), weighted[7]);
	const part = twoSum(o, upper.hi, o.add(upper.lo, lower));
	const product = twoProduct(o, part.hi, o.constant(Math.PI / 2));
	const tail = o.add(
		o.add(product.lo, o.mul(part.hi, o.constant(6.123233995736766e-17))),
		o.mul(part.lo, o.constant(Math.PI / 2)),
	);
	const r = fastTwoSum(o, product.hi, tail);
	const sign = o.copysign(o.constant(1), x);
	return {
		quadrant: o.mul(sign, modulo4(o, columns[0])),
		r: { hi: o.mul(sign, r.hi), lo: o.mul(sign, r.lo) },
	};
}

/** n less the nearest multiple of 4. */
function modulo4<V, M>(o: Algebra<V, M>, n: V): V {
	return o.sub(n, o.mul(o.constant(4), roundToWhole(o, o.mul(n, o.constant(0.25)))));
}

/** The largest whole number up to x, 0 <= x < 2^51. */
function floor<V, M>(o: Algebra<V, M>, x: V): V {
	const near = roundToWhole(o, x);
	return o.select(o.lt(x, near), o.sub(near, o.constant(1)), near);
}
