/** Roots of sets. */
import { InputError } from "../../errors.ts";
import { domain } from "../domain.ts";
import { rootToward } from "../elementary/exact-power.ts";
import { powToward } from "../elementary/power.ts";
import type { Interval } from "../interval.ts";
import type { Side } from "../rounding.ts";
import { divDown, divUp } from "../tightest.ts";
import { nowhere } from "./lift.ts";
import { between, convexHull, empty, given, intersection, type Operand } from "./set-interval.ts";

const Inf = Number.POSITIVE_INFINITY;

/** The n-th root, of negative numbers too where n is odd; a negative n is one of the reciprocal. */
export function rootn(a: Operand, n: number): Interval {
	if (!Number.isInteger(n)) throw new InputError("root", `${n} is not whole`, "Use pow for other roots.");
	const x = given(a);
	if (x === empty) return empty;
	if (n === 0) return nowhere();
	const { right, left } = rootPieces(x, n);
	if ((n % 2 === 0 && x.lo < 0) || (n < 0 && x.lo <= 0 && x.hi >= 0)) domain.left = true;
	return n % 2 === 0 ? right : convexHull(right, left);
}

/** The roots of the part of x that is not negative, and the negative ones of the other part, n odd. */
export function rootPieces(x: Interval, n: number): { readonly right: Interval; readonly left: Interval } {
	const mirrored = rootUpper({ lo: 0 - x.hi, hi: 0 - x.lo }, n);
	return {
		right: rootUpper(x, n),
		left: mirrored === empty ? empty : { lo: 0 - mirrored.hi, hi: 0 - mirrored.lo },
	};
}

function rootUpper(x: Interval, n: number): Interval {
	const { lo, hi } = intersection(x, { lo: 0, hi: Inf });
	if (!(lo <= hi)) return empty;
	return n > 0 ? between(root(lo, n, -1), root(hi, n, 1)) : between(root(hi, n, -1), root(lo, n, 1));
}

/** Bound of the n-th root of 0 <= x <= Inf. */
export function root(x: number, n: number, side: Side): number {
	if (x === 0 || x === Inf) return (x === 0) === n > 0 ? 0 : Inf;
	if (Number.isInteger(n) && Math.abs(n) <= 1000) return rootToward(x, n, side);
	// 1/n is between two doubles, and x^y is monotonic in y.
	const [first, second] = [powToward(x, divDown(1, n), side), powToward(x, divUp(1, n), side)];
	return side < 0 ? Math.min(first, second) : Math.max(first, second);
}

/** The cube root. */
export function cbrt(a: Operand): Interval {
	return rootn(a, 3);
}
