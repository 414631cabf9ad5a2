/**
 * What arithmetic does at the edges: zeros, infinities, overflow, underflow, divisors that hold 0, ends of
 * domains.
 */
import { beforeEach, describe, expect, it } from "vitest";
import {
	abs,
	acos,
	add,
	addInto,
	asin,
	atan,
	atanh,
	contains,
	cos,
	cosh,
	cot,
	div,
	divExtended,
	domain,
	empty,
	entire,
	exp,
	type Interval,
	intersect,
	interval,
	log,
	mag,
	mid,
	mig,
	mul,
	mulInto,
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
	width,
} from "../../src/interval/index.ts";

const Inf = Number.POSITIVE_INFINITY;
const MAX = Number.MAX_VALUE;
const ETA = Number.MIN_VALUE;
const at = interval;

/** Bounds in order with a number between them, or the empty set. */
function expectSet(a: Interval, of: string): void {
	expect(a === empty || (a.lo <= a.hi && a.lo < Inf && a.hi > -Inf), of).toBe(true);
}

beforeEach(() => {
	domain.left = false;
});

describe("an interval", () => {
	it("has bounds in order, with a number between them", () => {
		expect(() => interval(1, 0)).toThrow(/bounds 1 and 0/);
		expect(() => interval(Number.NaN)).toThrow();
		expect(() => interval(0, Number.NaN)).toThrow();
		expect(() => interval(Inf)).toThrow();
		expect(() => interval(-Inf, -Inf)).toThrow();
		expect(interval(-Inf, Inf)).toEqual(entire);
		expect(() => add(at(0, 1), Number.NaN)).toThrow(/finite/);
	});

	it("has measures that are safe", () => {
		expect(mid(entire)).toBe(0);
		expect(mid(at(1, Inf))).toBe(MAX);
		expect(mid(at(-Inf, 1))).toBe(-MAX);
		expect(mid(at(MAX / 2, MAX))).toBe(MAX * 0.75);
		expect(mid(at(ETA, ETA))).toBe(ETA);
		expect(width(at(-MAX, MAX))).toBe(Inf);
		expect(width(at(1, 1))).toBe(0);
		expect(width(at(0, 1))).toBeGreaterThanOrEqual(1);
		expect(rad(at(0, ETA))).toBeGreaterThanOrEqual(ETA);
		expect([mag(at(-3, 2)), mig(at(-3, 2)), mig(at(-3, -2)), mag(at(1, 2))]).toEqual([3, 0, 2, 2]);
	});
});

describe("exact zeros", () => {
	it("stay", () => {
		expect(sub(at(1), at(1))).toEqual({ lo: 0, hi: 0 });
		expect(mul(at(0), at(-3, 5))).toEqual({ lo: 0, hi: 0 });
		expect(mul(at(0, 1), at(0, 2)).lo).toBe(0);
		expect(sqr(at(-1, 2)).lo).toBe(0);
		for (const f of [sin, tan, asin, atan, sinh, tanh]) expect(f(0)).toEqual({ lo: 0, hi: 0 });
		expect([exp(0), cos(0), cosh(0)]).toEqual([at(1), at(1), at(1)]);
		expect([log(1), acos(1)]).toEqual([at(0), at(0)]);
	});

	it("have no sign that matters", () => {
		for (const zero of [at(0), at(-0), at(-0, 0), at(0, -0)]) {
			expect(div(1, zero)).toBe(empty);
			expect(Math.abs(mul(zero, entire).lo) + Math.abs(mul(zero, entire).hi)).toBe(0);
			expect(sqrt(zero).lo === 0 && sqrt(zero).hi === 0).toBe(true);
			expect(add(zero, zero).lo === 0 && add(zero, zero).hi === 0).toBe(true);
			expect(cos(zero)).toEqual(at(1));
			expect(contains(sin(zero), 0)).toBe(true);
		}
		expect(div(at(1, 2), at(-0, 4))).toEqual(div(at(1, 2), at(0, 4)));
	});
});

describe("overflow", () => {
	it("leaves a bound where there is one", () => {
		expect(add(MAX, MAX)).toEqual({ lo: MAX, hi: Inf });
		expect(sub(-MAX, MAX)).toEqual({ lo: -Inf, hi: -MAX });
		expect(mul(at(1e200), at(-1e200))).toEqual({ lo: -Inf, hi: -MAX });
		expect(div(MAX, 0.5)).toEqual({ lo: MAX, hi: Inf });
		expect(exp(1e5)).toEqual({ lo: MAX, hi: Inf });
		expect(cosh(-1e5)).toEqual({ lo: MAX, hi: Inf });
		expect(sinh(-1e5)).toEqual({ lo: -Inf, hi: -MAX });
		expect(powInt(-10, 309)).toEqual({ lo: -Inf, hi: -MAX });
		expect(pow(2, 1e9)).toEqual({ lo: MAX, hi: Inf });
	});

	it("of infinite bounds gives no NaN", () => {
		const lines = [
			entire,
			at(0, Inf),
			at(-Inf, 0),
			at(1, Inf),
			at(-Inf, -1),
			at(0),
			at(-1, 1),
			at(MAX, Inf),
			at(2, 3),
		];
		for (const a of lines) {
			for (const b of lines) {
				for (const f of [add, sub, mul, div, pow]) expectSet(f(a, b), `${f} of ${JSON.stringify([a, b])}`);
				for (const part of divExtended(a, b)) expect(part.lo <= part.hi).toBe(true);
			}
			for (const f of [exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, sqrt, sqr, abs]) {
				expectSet(f(a), `${f} of ${JSON.stringify(a)}`);
			}
			for (const n of [-3, -2, -1, 0, 1, 2, 3, 4]) {
				expectSet(powInt(a, n), `power ${n} of ${JSON.stringify(a)}`);
			}
		}
		expect(mul(at(0, Inf), at(0, Inf))).toEqual({ lo: 0, hi: Inf });
		expect(div(at(1, Inf), at(1, Inf))).toEqual({ lo: 0, hi: Inf });
		expect(exp(at(-Inf, 0))).toEqual({ lo: 0, hi: 1 });
		expect(tanh(entire)).toEqual({ lo: -1, hi: 1 });
		expect(sin(at(1, Inf))).toEqual({ lo: -1, hi: 1 });
	});
});

describe("underflow", () => {
	it("keeps the sign", () => {
		expect(mul(1e-200, 1e-200)).toEqual({ lo: 0, hi: ETA });
		expect(mul(1e-200, -1e-200)).toEqual({ lo: -ETA, hi: 0 });
		expect(div(ETA, 8)).toEqual({ lo: 0, hi: ETA });
		expect(exp(-800)).toEqual({ lo: 0, hi: ETA });
		expect(pow(0.5, 5000)).toEqual({ lo: 0, hi: ETA });
	});
});

describe("a divisor that holds 0", () => {
	it("gives half lines or the whole line, and says so", () => {
		expect(div(at(2, 4), at(1, 2)).lo).toBeLessThanOrEqual(1);
		expect(domain.left).toBe(false);
		expect(div(at(1, 2), at(0, 4))).toEqual({ lo: div(1, 4).lo, hi: Inf });
		expect(domain.left).toBe(true);
		expect(div(at(-2, -1), at(0, 4))).toEqual({ lo: -Inf, hi: div(-1, 4).hi });
		expect(div(at(1, 2), at(-4, 0))).toEqual({ lo: -Inf, hi: div(-1, 4).hi });
		expect(div(at(-2, -1), at(-4, 0))).toEqual({ lo: div(1, 4).lo, hi: Inf });
		expect(div(at(-1, 1), at(0, 4))).toEqual(entire);
		expect(div(at(1, 2), at(-1, 1))).toEqual(entire);
		expect(div(at(0), at(-1, 1))).toEqual(at(0));
		expect(div(at(1, 2), at(0))).toBe(empty);
	});

	it("gives the pair of half lines in the extended division", () => {
		const quarter = { lo: div(1, 4).lo, hi: div(1, 4).hi };
		expect(divExtended(at(1, 2), at(-4, 4))).toEqual([
			{ lo: -Inf, hi: -quarter.lo },
			{ lo: quarter.lo, hi: Inf },
		]);
		expect(divExtended(at(-2, -1), at(-4, 4))).toEqual([
			{ lo: -Inf, hi: -quarter.lo },
			{ lo: quarter.lo, hi: Inf },
		]);
		expect(divExtended(at(1, 2), at(0, 4))).toEqual([{ lo: quarter.lo, hi: Inf }]);
		expect(divExtended(at(-2, -1), at(0, 4))).toEqual([{ lo: -Inf, hi: -quarter.lo }]);
		expect(divExtended(at(1, 2), at(0))).toEqual([]);
		expect(divExtended(at(-1, 2), at(0))).toEqual([entire]);
		expect(divExtended(at(-1, 2), at(-3, 4))).toEqual([entire]);
		expect(divExtended(at(1, 2), at(2, 4))).toEqual([div(at(1, 2), at(2, 4))]);
	});
});

describe("the ends of domains", () => {
	const outside: [string, () => unknown, Interval][] = [
		["sqrt", () => sqrt(at(-1e-300, 4)), at(0, 2)],
		["sqrt of negative numbers", () => sqrt(at(-2, -1)), empty],
		["log", () => log(at(-1, 1)), at(-Inf, 0)],
		["log of 0", () => log(at(0)), empty],
		["asin", () => asin(at(0, 1.0000000000000002)), asin(at(0, 1))],
		["acos", () => acos(at(-2, 1)), acos(at(-1, 1))],
		["acos of large numbers", () => acos(at(2, 3)), empty],
		["tan", () => tan(at(1.5, 1.6)), entire],
		["cot", () => cot(at(0)), empty],
		["pow", () => pow(at(-1, 1), 0.5), at(0, 1)],
		["pow of negative numbers", () => pow(at(-2, -1), 0.5), empty],
		["powInt", () => powInt(at(-1, 1), -3), entire],
		["powInt of 0", () => powInt(at(0), -3), empty],
		["atanh", () => atanh(at(1)), empty],
	];
	it.each(outside)("%s: what is inside counts, and it says so", (_, call, result) => {
		domain.left = false;
		expect(call()).toEqual(result);
		expect(domain.left).toBe(true);
	});

	it("half lines where there is one bound", () => {
		expect(log(at(0, 1))).toEqual({ lo: -Inf, hi: 0 });
		expect(domain.left).toBe(true);
		expect(powInt(at(-2, 1), -2)).toEqual({ lo: powInt(2, -2).lo, hi: Inf });
		expect(powInt(at(0, 2), -3)).toEqual({ lo: powInt(2, -3).lo, hi: Inf });
		expect(powInt(at(-2, 0), -3)).toEqual({ lo: -Inf, hi: powInt(-2, -3).hi });
		expect(pow(at(0, 1), at(-1, 1))).toEqual({ lo: 0, hi: Inf });
	});

	it("is not left inside", () => {
		for (const a of [at(0, 1), at(0.5, 0.5)]) {
			sqrt(a);
			asin(a);
			acos(a);
			tan(a);
			pow(a, at(0.5, 1.5));
			powInt(a, 3);
		}
		log(at(ETA, MAX));
		expect(domain.left).toBe(false);
		expect(pow(at(0, 4), 0.5).lo).toBe(0);
		expect(powInt(at(-3, 2), 0)).toEqual(at(1));
	});
});

describe("waves", () => {
	it("take their extrema only where they are", () => {
		const halfPi = Math.PI / 2;
		expect(sin(at(1, 2)).hi).toBe(1);
		expect(sin(at(1, 1.5)).hi).toBeLessThan(1);
		expect(cos(at(-0.1, 0.1)).hi).toBe(1);
		expect(cos(at(3, 3.2)).lo).toBe(-1);
		expect(sin(at(-2, 2))).toEqual({ lo: -1, hi: 1 });
		expect(sin(at(0, 6.3))).toEqual({ lo: -1, hi: 1 });
		expect(sin(at(2, 2 + 6.27))).toEqual({ lo: -1, hi: 1 });
		// The doubles on both sides of π/2: only the pair of them holds it.
		const next = halfPi + 2 ** -52;
		expect(domain.left).toBe(false);
		expect(tan(at(0, halfPi)).hi).toBeLessThan(Inf);
		expect(tan(at(next, 2)).lo).toBeGreaterThan(-Inf);
		expect(domain.left).toBe(false);
		expect(tan(at(halfPi, next))).toEqual(entire);
	});
});

it("the array form may write over an operand", () => {
	const a = new Float64Array([1, 2, 3, 4]);
	addInto(a, 0, a, 0, a, 2);
	expect([a[0], a[1]]).toEqual([add(at(1, 2), at(3, 4)).lo, add(at(1, 2), at(3, 4)).hi]);
	const b = new Float64Array([-1, 2, -3, 4]);
	mulInto(b, 2, b, 0, b, 2);
	expect([b[2], b[3]]).toEqual([mul(at(-1, 2), at(-3, 4)).lo, mul(at(-1, 2), at(-3, 4)).hi]);
});

it("intersections may be empty", () => {
	expect(intersect(at(0, 1), at(2, 3))).toBeUndefined();
	expect(intersect(at(0, 2), at(2, 3))).toEqual(at(2));
});
