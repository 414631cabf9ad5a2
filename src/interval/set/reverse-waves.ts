/**
 * Where sin, cos and tan of an unknown are known. The solutions are pieces S_k, one between each two neighbouring multiples of π (or of π less π/2), in
 * order: kπ and an arc, added as intervals. The least t in x is in the first piece that does not end before x, the greatest in the last that does not start
 * after it.
 */
import { pi } from "../exact.ts";
import { entire, type Interval } from "../interval.ts";
import { add, mul, neg, sub } from "./arithmetic.ts";
import { acos, asin, atan } from "./elementary.ts";
import { between, empty, given, intersection, type Operand } from "./set-interval.ts";

/** Beyond this the pieces are not told apart, and nothing is narrowed. */
const MOST = 1e9;

/** All t in x with sin t in c. */
export function sinRev(c: Operand, x: Operand = entire): Interval {
	const arc = asin(intersection(c, { lo: -1, hi: 1 }));
	return solutions(arc, x, (k) => add(mul(pi, k), k % 2 === 0 ? arc : neg(arc)));
}

/** All t in x with cos t in c: from kπ to (k + 1)π. */
export function cosRev(c: Operand, x: Operand = entire): Interval {
	const arc = acos(intersection(c, { lo: -1, hi: 1 }));
	return solutions(arc, x, (k) => (k % 2 === 0 ? add(mul(pi, k), arc) : sub(mul(pi, k + 1), arc)));
}

/** All t in x with tan t in c. */
export function tanRev(c: Operand, x: Operand = entire): Interval {
	const arc = atan(c);
	return solutions(arc, x, (k) => add(mul(pi, k), arc));
}

function solutions(arc: Interval, x: Operand, piece: (k: number) => Interval): Interval {
	let { lo, hi } = given(x);
	if (arc === empty || !(lo <= hi)) return empty;
	if (Math.abs(lo) < MOST) {
		let k = Math.floor(lo / Math.PI) - 2;
		while (piece(k).hi < lo) k++;
		lo = Math.max(lo, piece(k).lo);
	}
	if (Math.abs(hi) < MOST) {
		let k = Math.ceil(hi / Math.PI) + 2;
		while (piece(k).lo > hi) k--;
		hi = Math.min(hi, piece(k).hi);
	}
	return between(lo, hi);
}
