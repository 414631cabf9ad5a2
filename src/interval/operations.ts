/**
 * The operations on interval objects that proofs need, which are never empty: each puts its operands into a small array and calls the array
 * form, so both have the same bits. The public ones, which know the empty set, stand in set/. A number stands for itself: `mul(x, 0.1)` multiplies by the double next to one
 * tenth, `mul(x, fromDecimal("0.1"))` by one tenth.
 */
import { InputError } from "../errors.ts";
import * as arithmetic from "./arithmetic.ts";
import { divInto } from "./division.ts";
import { expInto } from "./elementary/functions.ts";
import { checked, type Interval } from "./interval.ts";

export type Operand = Interval | number;
type Unary = (out: Float64Array, o: number, a: Float64Array, i: number) => void;
type Binary = (out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number) => void;

/** Operands at 0 and 2, the result at 4. */
const cells = new Float64Array(6);

function put(i: number, a: Operand): void {
	if (typeof a !== "number") {
		const { lo, hi } = checked(a);
		cells[i] = lo;
		cells[i + 1] = hi;
	} else {
		if (!Number.isFinite(a)) throw new InputError("interval", `cannot hold ${a}`, "Give a finite number.");
		cells[i] = a;
		cells[i + 1] = a;
	}
}

function unary(into: Unary): (a: Operand) => Interval {
	return (a) => {
		put(0, a);
		into(cells, 4, cells, 0);
		return { lo: cells[4], hi: cells[5] };
	};
}

function binary(into: Binary): (a: Operand, b: Operand) => Interval {
	return (a, b) => {
		put(0, a);
		put(2, b);
		into(cells, 4, cells, 0, cells, 2);
		return { lo: cells[4], hi: cells[5] };
	};
}

export const add = binary(arithmetic.addInto);
export const sub = binary(arithmetic.subInto);
export const mul = binary(arithmetic.mulInto);
/** a/b; where b holds 0, a half line or the whole line, and `domain.left` is set. */
export const div = binary(divInto);
/** a², tighter than mul(a, a) where a holds 0. */
export const sqr = unary(arithmetic.sqrInto);
export const abs = unary(arithmetic.absInto);
export const exp = unary(expInto);

/** What both hold, or nothing. */
export function intersect(a: Operand, b: Operand): Interval | undefined {
	put(0, a);
	put(2, b);
	return arithmetic.intersectInto(cells, 4, cells, 0, cells, 2) ? { lo: cells[4], hi: cells[5] } : undefined;
}
