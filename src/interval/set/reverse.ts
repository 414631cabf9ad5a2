/**
 * Reverse functions: given that f(t) is in c and t in x, where t can be. What they leave out has been proved impossible, so they narrow a set of
 * unknowns without losing any. They are contractors, no functions: `domain` is not touched.
 */
import { divExtendedInto } from "../division.ts";
import { acoshToward } from "../elementary/near-one.ts";
import { sqrtToward } from "../elementary/root.ts";
import { entire, type Interval } from "../interval.ts";
import { cells, put } from "./lift.ts";
import { rootPieces } from "./roots.ts";
import { between, convexHull, empty, given, intersection, type Operand } from "./set-interval.ts";

/** The least interval that holds what the pieces have in common with x. */
export function piecesWithin(x: Interval, pieces: readonly Interval[]): Interval {
	return pieces.map((piece) => intersection(piece, x)).reduce(convexHull, empty);
}

/** piece and its mirror image. */
function bothSigns(x: Interval, piece: Interval): Interval {
	if (piece === empty) return empty;
	return piecesWithin(x, [piece, { lo: 0 - piece.hi, hi: 0 - piece.lo }]);
}

/** All t in x with t² in c. */
export function sqrRev(c: Operand, x: Operand = entire): Interval {
	const { lo, hi } = intersection(c, { lo: 0, hi: Number.POSITIVE_INFINITY });
	return bothSigns(given(x), lo <= hi ? { lo: sqrtToward(lo, -1), hi: sqrtToward(hi, 1) } : empty);
}

/** All t in x with |t| in c. */
export function absRev(c: Operand, x: Operand = entire): Interval {
	return bothSigns(given(x), intersection(c, { lo: 0, hi: Number.POSITIVE_INFINITY }));
}

/** All t in x with cosh t in c. */
export function coshRev(c: Operand, x: Operand = entire): Interval {
	const { lo, hi } = intersection(c, { lo: 1, hi: Number.POSITIVE_INFINITY });
	return bothSigns(given(x), lo <= hi ? { lo: acoshToward(lo, -1), hi: acoshToward(hi, 1) } : empty);
}

/** All t in x with t^n in c, n whole. */
export function pownRev(c: Operand, n: number, x: Operand = entire): Interval {
	const [powers, within] = [given(c), given(x)];
	if (n === 0) return powers.lo <= 1 && powers.hi >= 1 ? within : empty;
	if (powers === empty) return empty;
	const { right, left } = rootPieces(powers, n);
	return n % 2 === 0 ? bothSigns(within, right) : piecesWithin(within, [left, right]);
}

/** All t in x with t·y in c for some y in b. */
export function mulRev(b: Operand, c: Operand, x: Operand = entire): Interval {
	return piecesWithin(given(x), mulRevToPair(b, c));
}

/** All t with t·y in c for some y in b: two intervals, the lesser first, of which one or both may be empty. */
export function mulRevToPair(b: Operand, c: Operand): [Interval, Interval] {
	const [divisor, product] = [given(b), given(c)];
	if (divisor === empty || product === empty) return [empty, empty];
	put(0, product);
	put(2, divisor);
	const count = divExtendedInto(cells, 4, cells, 0, cells, 2);
	const [first, second] = [between(cells[4], cells[5]), between(cells[6], cells[7])];
	return [count > 0 ? first : empty, count > 1 ? second : empty];
}
