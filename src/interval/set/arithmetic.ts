/** Arithmetic of sets: each result is the narrowest interval of doubles that holds all values. */
import * as core from "../arithmetic.ts";
import { divExtendedInto, divInto } from "../division.ts";
import { domain } from "../domain.ts";
import { addDyadic, type Dyadic, dyadic } from "../dyadic.ts";
import { sqrtInto } from "../elementary/root.ts";
import { fmaInto } from "../fma.ts";
import { entire, type Interval } from "../interval.ts";
import { addDown, addUp } from "../tightest.ts";
import { binary, cells, nowhere, put, taken, unary } from "./lift.ts";
import { empty, given, intersection, type Operand } from "./set-interval.ts";

export const add = binary(core.addInto);
export const sub = binary(core.subInto);
export const mul = binary(core.mulInto);
/** All min(x, y). */
export const min = binary(core.minInto);
/** All max(x, y). */
export const max = binary(core.maxInto);
export const neg = unary(core.negInto);
/** a², tighter than mul(a, a) where a holds 0. */
export const sqr = unary(core.sqrInto);
export const abs = unary(core.absInto);
export const sqrt = unary(sqrtInto, { lo: 0, hi: Number.POSITIVE_INFINITY });
const quotient = binary(divInto);

/** a itself. */
export function pos(a: Operand): Interval {
	return given(a);
}

/** a/b; where b holds 0, `domain.left` is set, and the rest of b counts. */
export function div(a: Operand, b: Operand): Interval {
	const y = given(b);
	return y.lo === 0 && y.hi === 0 ? nowhere() : quotient(a, y);
}

/** 1/b. */
export function recip(b: Operand): Interval {
	return div(1, b);
}

/** a·b + c, rounded once. */
export function fma(a: Operand, b: Operand, c: Operand): Interval {
	const [x, y, z] = [given(a), given(b), given(c)];
	if (x === empty || y === empty || z === empty) return empty;
	put(0, x);
	put(2, y);
	put(4, z);
	fmaInto(cells, 6, cells, 0, cells, 2, cells, 4);
	return taken();
}

/** All x with x·y in c for some y in b, as none, one or two intervals, the lesser first. */
export function divExtended(c: Operand, b: Operand): Interval[] {
	const [x, y] = [given(c), given(b)];
	if (x === empty || y === empty) return [];
	put(0, x);
	put(2, y);
	const count = divExtendedInto(cells, 4, cells, 0, cells, 2);
	return [4, 6].slice(0, count).map((i) => ({ lo: cells[i], hi: cells[i + 1] }));
}

/** What both hold, or nothing. */
export function intersect(a: Operand, b: Operand): Interval | undefined {
	const both = intersection(a, b);
	return both === empty ? undefined : both;
}

/**
 * The narrowest c with b + c ⊇ a, which undoes an addition of b; the whole line where there is none, as b is wider than a or one of them has no bound.
 */
export function cancelMinus(a: Operand, b: Operand): Interval {
	const [x, y] = [given(a), given(b)];
	const bounded = Number.isFinite(y.lo) && Number.isFinite(y.hi);
	if (x === empty) return y === empty || bounded ? empty : entire;
	if (y === empty || !bounded || !Number.isFinite(x.lo) || !Number.isFinite(x.hi)) return entire;
	const more = addDyadic(exactWidth(x), { ...exactWidth(y), m: -exactWidth(y).m });
	return more.m < 0n ? entire : { lo: addDown(x.lo, -y.lo), hi: addUp(x.hi, -y.hi) };
}

/** The narrowest c with c - b ⊇ a, which undoes a subtraction of b. */
export function cancelPlus(a: Operand, b: Operand): Interval {
	return cancelMinus(a, neg(b));
}

function exactWidth({ lo, hi }: Interval): Dyadic {
	return addDyadic(dyadic(hi), dyadic(-lo));
}

/** A step function that grows: sign, ceil, floor, … It is not continuous where it has more than one value. */
function step(f: (x: number) => number): (a: Operand) => Interval {
	return (a) => {
		const x = given(a);
		if (x === empty) return empty;
		const out = { lo: f(x.lo), hi: f(x.hi) };
		if (out.lo !== out.hi) domain.left = true;
		return out;
	};
}

export const sign = step((x) => (x > 0 ? 1 : x < 0 ? -1 : 0));
export const ceil = step(Math.ceil);
export const floor = step(Math.floor);
export const trunc = step(Math.trunc);
/** To the nearest whole number, of two the even one. */
export const roundTiesToEven = step((x) => nearest(x, (down) => down % 2 === 0));
/** To the nearest whole number, of two the greater in size. */
export const roundTiesToAway = step((x) => nearest(x, (down) => down < 0));

/** `lower` says which of two is taken. The difference is exact, or x is whole. */
function nearest(x: number, lower: (down: number) => boolean): number {
	const down = Math.floor(x);
	const rest = x - down;
	if (!(rest > 0)) return x;
	return rest < 0.5 || (rest === 0.5 && lower(down)) ? down : down + 1;
}
