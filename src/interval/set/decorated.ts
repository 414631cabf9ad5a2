/**
 * Decorated intervals of IEEE 1788: an interval, and what is known of the function that gave it, on its whole argument.
 * - com: defined, continuous and bounded, on a bounded argument; - dac: defined and continuous; - def: defined; - trv: nothing is said;
 * - ill: not an interval at all (NaI), as whatever it came from was none.
 * A result has the least of the decorations of its arguments and its own.
 */
import { domain } from "../domain.ts";
import type { Interval } from "../interval.ts";
import { after, before } from "../rounding.ts";
import * as arithmetic from "./arithmetic.ts";
import * as elementary from "./elementary.ts";
import { readLiteral } from "./literal.ts";
import * as numbers from "./numbers.ts";
import * as relations from "./relations.ts";
import * as reverse from "./reverse.ts";
import * as powers from "./reverse-powers.ts";
import * as waves from "./reverse-waves.ts";
import * as roots from "./roots.ts";
import {
	between,
	intersection as bothOf,
	empty,
	given,
	convexHull as hullOf,
	isEmpty as isEmptySet,
} from "./set-interval.ts";
import { signals } from "./signals.ts";
import * as text from "./text.ts";

const decorations = ["ill", "trv", "def", "dac", "com"] as const;
export type Decoration = (typeof decorations)[number];

export interface Decorated {
	readonly interval: Interval;
	readonly decoration: Decoration;
}

/** Not an interval. */
export const nai: Decorated = { interval: empty, decoration: "ill" };

export function isNaI(a: Decorated): boolean {
	return a.decoration === "ill";
}

/** The interval with the best decoration that it can have. */
export function newDec(a: Interval): Decorated {
	return atMost(given(a), "com");
}

/** The interval with this decoration, or the best one below that it can have; NaI for ill. */
export function setDec(a: Interval, decoration: Decoration): Decorated {
	const x = given(a);
	if (decoration === "ill") {
		signals.undefinedOperation = true;
		return nai;
	}
	return atMost(x, decoration);
}

export function intervalPart(a: Decorated): Interval {
	if (isNaI(a)) signals.intvlPartOfNaI = true;
	return isNaI(a) ? empty : a.interval;
}

export function decorationPart(a: Decorated): Decoration {
	return a.decoration;
}

/** An empty result says nothing, an unbounded one is not common. */
function atMost(interval: Interval, decoration: Decoration): Decorated {
	if (interval === empty) return { interval, decoration: "trv" };
	return {
		interval,
		decoration: relations.isCommonInterval(interval) ? decoration : least([decoration, "dac"]),
	};
}

function least(all: readonly Decoration[]): Decoration {
	return decorations[Math.min(...all.map((one) => decorations.indexOf(one)))];
}

/** [lo, hi] with its best decoration; NaI, and `signals.undefinedOperation`, where that is no interval. */
export function numsToInterval(lo: number, hi: number): Decorated {
	const out = between(lo, hi);
	if (out !== empty) return newDec(out);
	signals.undefinedOperation = true;
	return nai;
}

/** A literal, with a decoration after `_` if there is one; NaI, and `signals.undefinedOperation`, where the text is none or the decoration cannot be. */
export function textToInterval(literal: string): Decorated {
	if (/^\s*\[\s*nai\s*\]\s*$/i.test(literal)) return nai;
	const [, body, suffix = ""] = /^(.*?)(?:_([a-z]+)\s*)?$/is.exec(literal) ?? [];
	const read = readLiteral(body ?? "");
	const decoration = decorations.find((one) => one === suffix.toLowerCase());
	const best = read && (read.value === empty ? "trv" : read.bounded ? "com" : "dac");
	const fits =
		best !== undefined &&
		(suffix === "" || (decoration && decoration !== "ill" && least([best, decoration]) === decoration));
	if (!read || !fits) {
		signals.undefinedOperation = true;
		return nai;
	}
	if (read.doubtful) signals.possiblyUndefinedOperation = true;
	return atMost(read.value, decoration ?? best);
}

/** A decimal literal that holds the interval, with its decoration. */
export function intervalToText(a: Decorated, digits?: number): string {
	return isNaI(a) ? "[nai]" : `${text.intervalToText(a.interval, digits)}_${a.decoration}`;
}

/** A literal that is exactly a, in hexadecimal. */
export function intervalToExact(a: Decorated): string {
	return isNaI(a) ? "[nai]" : `${text.intervalToExact(a.interval)}_${a.decoration}`;
}

/** `f` on the interval parts; `broken` is the decoration where f is not continuous or not defined all over them. */
function apply(
	given_: readonly Decorated[],
	f: () => Interval,
	broken: (() => Decoration) | Decoration,
): Decorated {
	if (given_.some(isNaI)) return nai;
	const before = domain.left;
	domain.left = false;
	const out = f();
	const local = given_.some((one) => isEmptySet(one.interval))
		? "trv"
		: domain.left
			? typeof broken === "string"
				? broken
				: broken()
			: "com";
	domain.left = before;
	const own = given_.every((one) => relations.isCommonInterval(one.interval)) ? local : least([local, "dac"]);
	return atMost(out, least([own, ...given_.map((one) => one.decoration)]));
}

type One = (a: Decorated) => Decorated;
type Two = (a: Decorated, b: Decorated) => Decorated;

function one(f: (a: Interval) => Interval): One {
	return (a) => apply([a], () => f(a.interval), "trv");
}

function two(f: (a: Interval, b: Interval) => Interval): Two {
	return (a, b) => apply([a, b], () => f(a.interval, b.interval), "trv");
}

/**
 * Steps are defined everywhere. On an interval with one value they are continuous, but common only where they are so from outside too: where the doubles
 * around the interval have that value.
 */
function step(f: (a: Interval) => Interval): One {
	return (a) => {
		const out = apply([a], () => f(a.interval), "def");
		if (out.decoration !== "com") return out;
		const wider = f({ lo: before(a.interval.lo), hi: Math.min(after(a.interval.hi), Number.MAX_VALUE) });
		const steady = wider.lo === wider.hi && Math.abs(wider.lo) < 1e16;
		return steady ? out : { ...out, decoration: "dac" };
	};
}

/** Set operations and reverse functions promise nothing of a function. */
function set(f: () => Interval, ...of: readonly Decorated[]): Decorated {
	return of.some(isNaI) ? nai : { interval: f(), decoration: "trv" };
}

export const add = two(arithmetic.add);
export const sub = two(arithmetic.sub);
export const mul = two(arithmetic.mul);
export const div = two(arithmetic.div);
export const min = two(arithmetic.min);
export const max = two(arithmetic.max);
export const pos = one(arithmetic.pos);
export const neg = one(arithmetic.neg);
export const recip = one(arithmetic.recip);
export const sqr = one(arithmetic.sqr);
export const abs = one(arithmetic.abs);
export const sqrt = one(arithmetic.sqrt);
export const sign = step(arithmetic.sign);
export const ceil = step(arithmetic.ceil);
export const floor = step(arithmetic.floor);
export const trunc = step(arithmetic.trunc);
export const roundTiesToEven = step(arithmetic.roundTiesToEven);
export const roundTiesToAway = step(arithmetic.roundTiesToAway);
export const exp = one(elementary.exp);
export const exp2 = one(elementary.exp2);
export const exp10 = one(elementary.exp10);
export const expm1 = one(elementary.expm1);
export const log = one(elementary.log);
export const log2 = one(elementary.log2);
export const log10 = one(elementary.log10);
export const log1p = one(elementary.log1p);
export const sin = one(elementary.sin);
export const cos = one(elementary.cos);
export const tan = one(elementary.tan);
export const cot = one(elementary.cot);
export const sec = one(elementary.sec);
export const csc = one(elementary.csc);
export const asin = one(elementary.asin);
export const acos = one(elementary.acos);
export const atan = one(elementary.atan);
export const sinh = one(elementary.sinh);
export const cosh = one(elementary.cosh);
export const tanh = one(elementary.tanh);
export const coth = one(elementary.coth);
export const sech = one(elementary.sech);
export const csch = one(elementary.csch);
export const asinh = one(elementary.asinh);
export const acosh = one(elementary.acosh);
export const atanh = one(elementary.atanh);
export const acoth = one(elementary.acoth);
export const cbrt = one(roots.cbrt);
export const pow = two(elementary.pow);
export const hypot = two(elementary.hypot);

export function fma(a: Decorated, b: Decorated, c: Decorated): Decorated {
	return apply([a, b, c], () => arithmetic.fma(a.interval, b.interval, c.interval), "trv");
}

export function pown(a: Decorated, n: number): Decorated {
	return apply([a], () => elementary.pown(a.interval, n), "trv");
}

export function rootn(a: Decorated, n: number): Decorated {
	return apply([a], () => roots.rootn(a.interval, n), "trv");
}

/** Across the negative x-axis atan2 is defined, at (0, 0) it is not. From one side only, that axis included, it is continuous. */
export function atan2(y: Decorated, x: Decorated): Decorated {
	const origin = (): Decoration =>
		relations.isMember(0, y.interval) && relations.isMember(0, x.interval) ? "trv" : "def";
	const out = apply([y, x], () => elementary.atan2(y.interval, x.interval), origin);
	const touches = y.interval.lo <= 0 && y.interval.hi >= 0 && x.interval.lo < 0;
	return touches && out.decoration === "com" ? { ...out, decoration: "dac" } : out;
}

export const intersection: Two = (a, b) => set(() => bothOf(a.interval, b.interval), a, b);
export const convexHull: Two = (a, b) => set(() => hullOf(a.interval, b.interval), a, b);
export const cancelMinus: Two = (a, b) => set(() => arithmetic.cancelMinus(a.interval, b.interval), a, b);
export const cancelPlus: Two = (a, b) => set(() => arithmetic.cancelPlus(a.interval, b.interval), a, b);

const all: Decorated = {
	interval: { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY },
	decoration: "dac",
};
type Contractor = (c: Interval, x?: Interval) => Interval;

function contractor(f: Contractor): (c: Decorated, x?: Decorated) => Decorated {
	return (c, x = all) => set(() => f(c.interval, x.interval), c, x);
}

export const sqrRev = contractor(reverse.sqrRev);
export const absRev = contractor(reverse.absRev);
export const coshRev = contractor(reverse.coshRev);
export const sinRev = contractor(waves.sinRev);
export const cosRev = contractor(waves.cosRev);
export const tanRev = contractor(waves.tanRev);

export function pownRev(c: Decorated, n: number, x: Decorated = all): Decorated {
	return set(() => reverse.pownRev(c.interval, n, x.interval), c, x);
}

export function powRev1(b: Decorated, c: Decorated, x: Decorated = all): Decorated {
	return set(() => powers.powRev1(b.interval, c.interval, x.interval), b, c, x);
}

export function powRev2(a: Decorated, c: Decorated, x: Decorated = all): Decorated {
	return set(() => powers.powRev2(a.interval, c.interval, x.interval), a, c, x);
}

export function mulRev(b: Decorated, c: Decorated, x: Decorated = all): Decorated {
	return set(() => reverse.mulRev(b.interval, c.interval, x.interval), b, c, x);
}

/** Where b does not hold 0 the first is the quotient, with its decoration. */
export function mulRevToPair(b: Decorated, c: Decorated): [Decorated, Decorated] {
	if (isNaI(b) || isNaI(c)) return [nai, nai];
	const [first, second] = reverse.mulRevToPair(b.interval, c.interval);
	const zero = relations.isMember(0, b.interval);
	const decoration = zero ? "trv" : div(c, b).decoration;
	return [atMost(first, decoration), { interval: second, decoration: "trv" }];
}

/** False for NaI. */
function relation(f: (a: Interval, b: Interval) => boolean): (a: Decorated, b: Decorated) => boolean {
	return (a, b) => !isNaI(a) && !isNaI(b) && f(a.interval, b.interval);
}
function property(f: (a: Interval) => boolean): (a: Decorated) => boolean {
	return (a) => !isNaI(a) && f(a.interval);
}
/** NaN for NaI. */
function measure(f: (a: Interval) => number): (a: Decorated) => number {
	return (a) => (isNaI(a) ? Number.NaN : f(a.interval));
}

export const equal = relation(relations.equal);
export const subset = relation(relations.subset);
export const interior = relation(relations.interior);
export const less = relation(relations.less);
export const strictLess = relation(relations.strictLess);
export const precedes = relation(relations.precedes);
export const strictPrecedes = relation(relations.strictPrecedes);
export const disjoint = relation(relations.disjoint);
export const isEmpty = property(isEmptySet);
export const isEntire = property(relations.isEntire);
export const isSingleton = property(relations.isSingleton);
export const isCommonInterval = property(relations.isCommonInterval);
export const inf = measure(numbers.inf);
export const sup = measure(numbers.sup);
export const mid = measure(numbers.mid);
export const rad = measure(numbers.rad);
export const wid = measure(numbers.wid);
export const mag = measure(numbers.mag);
export const mig = measure(numbers.mig);

export function midRad(a: Decorated): { readonly mid: number; readonly rad: number } {
	return { mid: mid(a), rad: rad(a) };
}

export function isMember(x: number, a: Decorated): boolean {
	return !isNaI(a) && relations.isMember(x, a.interval);
}

/** "undefined" where one of them is NaI. */
export function overlap(a: Decorated, b: Decorated): relations.Overlap | "undefined" {
	return isNaI(a) || isNaI(b) ? "undefined" : relations.overlap(a.interval, b.interval);
}
