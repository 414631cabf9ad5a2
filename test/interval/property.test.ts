/**
 * Laws that hold for every interval: inclusion isotonicity, algebra up to enclosure, tightness of waves,
 * agreement of both forms.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as forms from "../../src/interval/index.ts";
import {
	acos,
	add,
	asin,
	atan,
	cos,
	cosh,
	div,
	domain,
	exp,
	hull,
	type Interval,
	inside,
	intersect,
	interval,
	log,
	max,
	mid,
	min,
	mul,
	neg,
	pow,
	powInt,
	rad,
	sin,
	sinh,
	sqr,
	sqrt,
	sub,
	tan,
	tanh,
} from "../../src/interval/index.ts";

const seed = { seed: 20240601, numRuns: 2000 };
const finite = fc.oneof(
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.double({ noNaN: true, min: -20, max: 20 }),
	fc.integer({ min: -8, max: 8 }),
);
const interval_ = fc.tuple(finite, finite).map(([a, b]) => interval(Math.min(a, b), Math.max(a, b)));
/** An interval, and one inside it. */
const nested = fc
	.tuple(interval_, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
	.map(([outer, s, t]) => {
		const along = (u: number): number =>
			Math.min(outer.hi, Math.max(outer.lo, outer.lo * (1 - u) + outer.hi * u));
		return {
			outer,
			inner: interval(along(Math.min(s, t)), Math.max(along(s), along(t), along(Math.min(s, t)))),
		};
	});

const shares = (a: Interval, b: Interval): boolean => intersect(a, b) !== undefined;

describe("inclusion isotonicity", () => {
	const unary = {
		neg,
		sqr,
		sqrt,
		exp,
		log,
		sin,
		cos,
		tan,
		asin,
		acos,
		atan,
		sinh,
		cosh,
		tanh,
		abs: forms.abs,
	};
	it.each(Object.entries(unary))("%s", (_, f) => {
		fc.assert(
			fc.property(nested, ({ outer, inner }) => {
				// Outside its domain f says nothing of a part, which is no part of what it says of the whole.
				domain.left = false;
				const whole = f(outer);
				if (!domain.left) expect(inside(f(inner), whole)).toBe(true);
			}),
			seed,
		);
	});
	const binary = { add, sub, mul, div, min, max, hull, pow };
	it.each(Object.entries(binary))("%s", (_, f) => {
		fc.assert(
			fc.property(nested, nested, (a, b) => {
				// One whole exponent is another algorithm, with other roundings.
				fc.pre(f !== pow || b.inner.lo < b.inner.hi);
				domain.left = false;
				const whole = f(a.outer, b.outer);
				if (!domain.left) expect(inside(f(a.inner, b.inner), whole)).toBe(true);
			}),
			seed,
		);
	});
	it("powInt", () => {
		fc.assert(
			fc.property(nested, fc.integer({ min: -9, max: 9 }), ({ outer, inner }, n) => {
				domain.left = false;
				const whole = powInt(outer, n);
				if (!domain.left) expect(inside(powInt(inner, n), whole)).toBe(true);
			}),
			seed,
		);
	});
});

describe("algebra, up to enclosure", () => {
	it("subdistributivity: a(b + c) is in ab + ac, but for rounding", () => {
		fc.assert(
			fc.property(interval_, interval_, interval_, (a, b, c) => {
				expect(shares(mul(a, add(b, c)), add(mul(a, b), mul(a, c)))).toBe(true);
			}),
			seed,
		);
	});
	it("what is undone holds the start", () => {
		fc.assert(
			fc.property(interval_, interval_, (a, b) => {
				expect(inside(a, sub(add(a, b), b))).toBe(true);
				if (b.lo > 0 || b.hi < 0) expect(inside(a, mul(div(a, b), b))).toBe(true);
			}),
			seed,
		);
	});
	it("sums and products do not depend on the order", () => {
		fc.assert(
			fc.property(interval_, interval_, (a, b) => {
				expect(forms.equal(add(a, b), add(b, a))).toBe(true);
				expect(forms.equal(mul(a, b), mul(b, a))).toBe(true);
			}),
			seed,
		);
	});
	it("identities share their values", () => {
		fc.assert(
			fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
				expect(shares(add(sqr(sin(x)), sqr(cos(x))), interval(1))).toBe(true);
				expect(shares(sub(sqr(cosh(x)), sqr(sinh(x))), interval(1))).toBe(true);
				expect(shares(mul(exp(x), exp(-x)), interval(1))).toBe(true);
				expect(shares(log(exp(x)), interval(x))).toBe(true);
				expect(shares(tan(x), div(sin(x), cos(x)))).toBe(true);
				expect(shares(tan(atan(x)), interval(x))).toBe(true);
				expect(shares(tanh(x), div(sinh(x), cosh(x)))).toBe(true);
				expect(shares(powInt(x, 5), mul(x, sqr(sqr(x))))).toBe(true);
				const positive = Math.abs(x) + 1e-9;
				expect(shares(pow(positive, 1.5), mul(positive, sqrt(positive)))).toBe(true);
			}),
			seed,
		);
	});
	it("mid ± rad holds the interval", () => {
		fc.assert(
			fc.property(interval_, (a) => {
				const [m, r] = [mid(a), rad(a)];
				expect(a.lo <= m && m <= a.hi).toBe(true);
				if (Number.isFinite(r)) expect(inside(a, add(m, interval(-r, r)))).toBe(true);
			}),
			seed,
		);
	});
});

it("waves are no wider than what they hold", () => {
	const start = fc.double({ min: -50, max: 50, noNaN: true });
	const length = fc.double({ min: 1e-3, max: 7, noNaN: true });
	fc.assert(
		fc.property(start, length, (lo, size) => {
			const n = 400;
			for (const f of [sin, cos]) {
				const whole = f(interval(lo, lo + size));
				let seen = f(lo);
				for (let i = 1; i <= n; i++) seen = hull(seen, f(lo + (size * i) / n));
				// Between samples a wave goes beyond them by at most (step/2)²/2 at an extremum.
				const slack = (size / n) ** 2 / 8 + 1e-14;
				expect(whole.lo).toBeGreaterThanOrEqual(seen.lo - slack);
				expect(whole.hi).toBeLessThanOrEqual(seen.hi + slack);
			}
		}),
		{ seed: seed.seed, numRuns: 100 },
	);
});

it("the array form and the object form give the same bits", () => {
	const out = new Float64Array(2);
	fc.assert(
		fc.property(interval_, interval_, (a, b) => {
			const [x, y] = [Float64Array.of(a.lo, a.hi), Float64Array.of(b.lo, b.hi)];
			forms.mulInto(out, 0, x, 0, y, 0);
			expect({ lo: out[0], hi: out[1] }).toEqual(mul(a, b));
			forms.divInto(out, 0, x, 0, y, 0);
			// Nothing may be the result of the one, not of the other.
			if (div(a, b) !== forms.empty) expect({ lo: out[0], hi: out[1] }).toEqual(div(a, b));
			forms.sinInto(out, 0, x, 0);
			expect({ lo: out[0], hi: out[1] }).toEqual(sin(a));
		}),
		{ ...seed, numRuns: 300 },
	);
});
