/**
 * The operations on interval objects. Each puts its operands into a small array and calls the array form, so
 * both have the same bits. A number stands for itself: `mul(x, 0.1)` multiplies by the double next to one
 * tenth, `mul(x, fromDecimal("0.1"))` by one tenth.
 */
import { InputError } from "../errors.ts";
import * as arithmetic from "./arithmetic.ts";
import { divExtendedInto, divInto } from "./division.ts";
import * as functions from "./functions.ts";
import { checked, type Interval } from "./interval.ts";

export type Operand = Interval | number;
type Unary = (out: Float64Array, o: number, a: Float64Array, i: number) => void;
type Binary = (out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number) => void;

/** Operands at 0 and 2, results at 4 and 6. */
const cells = new Float64Array(8);

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
/** All min(x, y). */
export const min = binary(arithmetic.minInto);
/** All max(x, y). */
export const max = binary(arithmetic.maxInto);
/** The least interval that holds both. */
export const hull = binary(arithmetic.hullInto);
/** a^b for a >= 0, or for any a where b is one whole number. */
export const pow = binary(functions.powInto);
export const neg = unary(arithmetic.negInto);
/** a², tighter than mul(a, a) where a holds 0. */
export const sqr = unary(arithmetic.sqrInto);
export const abs = unary(arithmetic.absInto);
export const sqrt = unary(functions.sqrtInto);
export const exp = unary(functions.expInto);
export const log = unary(functions.logInto);
export const sin = unary(functions.sinInto);
export const cos = unary(functions.cosInto);
export const tan = unary(functions.tanInto);
export const asin = unary(functions.asinInto);
export const acos = unary(functions.acosInto);
export const atan = unary(functions.atanInto);
export const sinh = unary(functions.sinhInto);
export const cosh = unary(functions.coshInto);
export const tanh = unary(functions.tanhInto);

/** a^n for a whole n. */
export function powInt(a: Operand, n: number): Interval {
	if (!Number.isInteger(n))
		throw new InputError("power", `${n} is not whole`, "Use pow for other exponents.");
	put(0, a);
	functions.powIntInto(cells, 4, cells, 0, n);
	return { lo: cells[4], hi: cells[5] };
}

/** What both hold, or nothing. */
export function intersect(a: Operand, b: Operand): Interval | undefined {
	put(0, a);
	put(2, b);
	return arithmetic.intersectInto(cells, 4, cells, 0, cells, 2) ? { lo: cells[4], hi: cells[5] } : undefined;
}

/** All x with x·y in a for some y in b, as none, one or two intervals. */
export function divExtended(a: Operand, b: Operand): Interval[] {
	put(0, a);
	put(2, b);
	const count = divExtendedInto(cells, 4, cells, 0, cells, 2);
	return [4, 6].slice(0, count).map((i) => ({ lo: cells[i], hi: cells[i + 1] }));
}
