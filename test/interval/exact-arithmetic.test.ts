/**
 * Arithmetic of intervals is the best that doubles can give: the exact set, by fractions of whole numbers at the corners, rounded outward once. Intervals
 * with zeros, subnormal and huge ends, without bounds, and empty.
 */
import { describe, expect, it } from "vitest";
import * as set from "../../src/interval/index.ts";
import { empty, fromRational, type Interval } from "../../src/interval/index.ts";
import { hex } from "./mpfr.ts";
import { type Samples, samples } from "./samples.ts";

/** A fraction, or an infinity. */
type Extended = { readonly num: bigint; readonly den: bigint } | 1 | -1;

const zero = { num: 0n, den: 1n };

function exactly(x: number): Extended {
	if (!Number.isFinite(x)) return x > 0 ? 1 : -1;
	// Any double is a whole number of 2^-1074.
	let [m, e] = [x, 0];
	for (; !Number.isInteger(m); e++) m *= 2;
	return { num: BigInt(m), den: 1n << BigInt(e) };
}

const signOf = (x: Extended): number => (typeof x === "number" ? x : x.num > 0n ? 1 : x.num < 0n ? -1 : 0);
const infinity = (sign: number): Extended => (sign > 0 ? 1 : -1);

function plus(x: Extended, y: Extended): Extended {
	if (typeof x === "number") return x;
	return typeof y === "number" ? y : { num: x.num * y.den + y.num * x.den, den: x.den * y.den };
}
/** 0 times an infinity is 0, as the infinity is no element. */
function times(x: Extended, y: Extended): Extended {
	if (signOf(x) === 0 || signOf(y) === 0) return zero;
	if (typeof x === "number" || typeof y === "number") return infinity(signOf(x) * signOf(y));
	return { num: x.num * y.num, den: x.den * y.den };
}
const minus = (x: Extended): Extended => (typeof x === "number" ? infinity(-x) : { num: -x.num, den: x.den });
/** Of a number other than 0. */
function over(x: Extended): Extended {
	if (typeof x === "number") return zero;
	return x.num < 0n ? { num: -x.den, den: -x.num } : { num: x.den, den: x.num };
}
function power(x: Extended, n: number): Extended {
	let out: Extended = { num: 1n, den: 1n };
	for (let i = 0; i < Math.abs(n); i++) out = times(out, x);
	return n < 0 ? over(out) : out;
}
function isLess(x: Extended, y: Extended): boolean {
	if (typeof x === "number" || typeof y === "number")
		return (typeof x === "number" ? x : 0) < (typeof y === "number" ? y : 0);
	return x.num * y.den < y.num * x.den;
}

/** The hull of exact values, rounded outward. */
function hullOf(values: readonly Extended[]): Interval {
	let [least, most] = [values[0], values[0]];
	for (const value of values) {
		if (isLess(value, least)) least = value;
		if (isLess(most, value)) most = value;
	}
	const lo = typeof least === "number" ? least * Infinity : fromRational(least).lo;
	const hi = typeof most === "number" ? most * Infinity : fromRational(most).hi;
	return { lo, hi };
}

function draw(from: Samples): Interval {
	const kind = from.below(20);
	if (kind === 0) return empty;
	const a = from.below(6) === 0 ? 0 : from.any();
	if (kind === 1) return { lo: -Infinity, hi: a };
	if (kind === 2) return { lo: a, hi: Infinity };
	if (kind === 3) return { lo: -Infinity, hi: Infinity };
	if (kind < 8) return { lo: a, hi: a };
	const b = kind < 12 ? a + Math.abs(a) * 2 ** -(from.below(52) + 1) : from.any();
	const ends = [a, Number.isFinite(b) ? b : a];
	return { lo: Math.min(...ends), hi: Math.max(...ends) };
}

const ends = ({ lo, hi }: Interval): Extended[] => [exactly(lo), exactly(hi)];
const pairs = <T>(x: readonly T[], y: readonly T[]): [T, T][] =>
	x.flatMap((one) => y.map((other): [T, T] => [one, other]));
const shown = ({ lo, hi }: Interval): string => `[${hex(lo)}, ${hex(hi)}]`;

function expectBest(name: string, of: readonly Interval[], got: Interval, best: Interval): void {
	const same = got.lo === best.lo && got.hi === best.hi;
	if (!same) expect.fail(`${name} of ${of.map(shown).join(", ")} is ${shown(best)}, got ${shown(got)}`);
}

function quotient(a: Interval, b: Interval): Interval {
	if (b.lo === 0 && b.hi === 0) return empty;
	if (a.lo === 0 && a.hi === 0) return { lo: 0, hi: 0 };
	// What of b is not 0, with the limit of 1/y at 0 as an infinity.
	const positive: Extended[] = b.hi > 0 ? [b.lo > 0 ? over(exactly(b.lo)) : 1, over(exactly(b.hi))] : [];
	const negative: Extended[] = b.lo < 0 ? [b.hi < 0 ? over(exactly(b.hi)) : -1, over(exactly(b.lo))] : [];
	return hullOf([...positive, ...negative].flatMap((y) => ends(a).map((x) => times(x, y))));
}

const anyEmpty = (of: readonly Interval[]): boolean => of.some((one) => one === empty);

const operations: [
	name: string,
	count: number,
	best: (...of: Interval[]) => Interval,
	f: (...of: Interval[]) => Interval,
][] = [
	["add", 2, (a, b) => hullOf([plus(ends(a)[0], ends(b)[0]), plus(ends(a)[1], ends(b)[1])]), set.add],
	[
		"sub",
		2,
		(a, b) => hullOf([plus(ends(a)[0], minus(ends(b)[1])), plus(ends(a)[1], minus(ends(b)[0]))]),
		set.sub,
	],
	["mul", 2, (a, b) => hullOf(pairs(ends(a), ends(b)).map(([x, y]) => times(x, y))), set.mul],
	["div", 2, quotient, set.div],
	["recip", 1, (a) => quotient({ lo: 1, hi: 1 }, a), set.recip],
	[
		"sqr",
		1,
		(a) => hullOf([...ends(a).map((x) => times(x, x)), ...(a.lo <= 0 && a.hi >= 0 ? [zero] : [])]),
		set.sqr,
	],
	[
		"fma",
		3,
		(a, b, c) => {
			const products = pairs(ends(a), ends(b)).map(([x, y]) => times(x, y));
			const [low, high] = ends(c);
			// The hull of the products, then the sum of lower and of upper ends.
			const sums = products.flatMap((p) => (low === -1 || high === 1 ? [] : [plus(p, low), plus(p, high)]));
			if (sums.length > 0) return hullOf(sums);
			const least = low === -1 ? -Infinity : hullOf(products.map((p) => plus(p, low))).lo;
			return { lo: least, hi: high === 1 ? Infinity : hullOf(products.map((p) => plus(p, high))).hi };
		},
		set.fma,
	],
];

describe("the exact result, rounded once", () => {
	it.each(operations)("%s", (name, count, best, f) => {
		const from = samples(name.charCodeAt(0) * 613 + name.charCodeAt(1));
		for (let n = 0; n < 6000; n++) {
			const of = Array.from({ length: count }, () => draw(from));
			expectBest(name, of, f(...of), anyEmpty(of) ? empty : best(...of));
		}
	});

	it("of numbers of moderate size, few bits or many, and of sums that cancel", () => {
		const from = samples(23);
		const ends = (x: number): Interval => {
			const wide = from.below(3) === 0 ? 0 : Math.abs(x) * 2 ** -from.below(54);
			return { lo: x, hi: x + wide };
		};
		const number = (): number => {
			const bits = 2 ** from.below(54);
			const sign = from.below(2) * 2 - 1;
			return sign * (1 + Math.round(from.uniform() * bits) / bits) * 2 ** (from.below(21) - 10);
		};
		for (let n = 0; n < 20_000; n++) {
			const [a, b] = [ends(number()), ends(number())];
			// Near the product of two ends, a few units or many away.
			const near = -(from.below(2) ? a.lo : a.hi) * (from.below(2) ? b.lo : b.hi);
			const off = from.below(3) === 0 ? 0 : near * 2 ** -from.below(108) * (from.uniform() - 0.5);
			const c = ends(from.below(4) === 0 ? number() : near + off);
			for (const [name, count, best, f] of operations) {
				const of = [a, b, c].slice(0, count);
				expectBest(name, of, f(...of), best(...of));
			}
			const order = 2 + from.below(15);
			expectBest(`power ${order}`, [a], set.pown(a, order), bestPower(a, order));
			const root = set.sqrt(set.sqr(a));
			const least = a.lo > 0 ? a : { lo: -a.hi, hi: -a.lo };
			if (a.lo > 0 || a.hi < 0) expect(root.lo <= least.lo && least.hi <= root.hi).toBe(true);
		}
	});

	it("pown", () => {
		const from = samples(613);
		for (let n = 0; n < 4000; n++) {
			const a = draw(from);
			const order = from.below(4) === 0 ? from.below(81) - 40 : from.below(13) - 6;
			const got = set.pown(a, order);
			expectBest(`power ${order}`, [a], got, a === empty ? empty : bestPower(a, order));
		}
	});
});

function bestPower(a: Interval, n: number): Interval {
	if (n >= 0)
		return hullOf([...ends(a).map((x) => power(x, n)), ...(a.lo <= 0 && a.hi >= 0 && n > 0 ? [zero] : [])]);
	return bestReciprocal(bestPieces(a), -n);
}

/** The parts of a below and above 0. */
function bestPieces(a: Interval): Interval[] {
	const below = a.lo < 0 ? [{ lo: a.lo, hi: Math.min(a.hi, 0) }] : [];
	return a.hi > 0 ? [...below, { lo: Math.max(a.lo, 0), hi: a.hi }] : below;
}

function bestReciprocal(pieces: readonly Interval[], n: number): Interval {
	const values = pieces.flatMap((piece) =>
		ends(piece).map((x) => {
			const away = signOf(exactly(piece.lo < 0 ? piece.lo : piece.hi));
			return signOf(x) === 0 ? infinity(n % 2 === 0 ? 1 : away) : over(power(x, n));
		}),
	);
	return values.length === 0 ? empty : hullOf(values);
}
