/** Text of intervals holds them and reads back; sums of many numbers are the nearest doubles; decorations fall, never rise. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	decorated,
	dot,
	empty,
	entire,
	fromDecimal,
	intervalToExact,
	intervalToText,
	numsToInterval,
	signals,
	subset,
	sum,
	sumAbs,
	sumSquare,
	textToInterval,
} from "../../src/interval/index.ts";

const runs = { seed: 1788, numRuns: 2000 };
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const intervals = fc
	.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }))
	.map(([a, b]) => numsToInterval(Math.min(a, b), Math.max(a, b)));

describe("text", () => {
	it("in hexadecimal is the interval itself", () => {
		fc.assert(
			fc.property(intervals, (a) => {
				const back = textToInterval(intervalToExact(a));
				expect([back.lo + 0, back.hi + 0]).toEqual([a.lo + 0, a.hi + 0]);
			}),
			runs,
		);
	});

	it("in decimal holds the interval, and is as near as its digits", () => {
		fc.assert(
			fc.property(intervals, fc.integer({ min: 1, max: 25 }), (a, digits) => {
				const text = intervalToText(a, digits);
				const back = textToInterval(text);
				expect(subset(a, back), text).toBe(true);
				// One unit of the last digit, and the double beyond it.
				const reach = 10 ** (1 - digits) + 2 ** -51;
				if (Number.isFinite(a.lo) && Number.isFinite(back.lo))
					expect(a.lo - back.lo, text).toBeLessThanOrEqual(Math.abs(a.lo) * reach + 1e-322);
			}),
			runs,
		);
	});

	it("of decimals is read like fromDecimal", () => {
		fc.assert(
			fc.property(finite, (x) => {
				expect(textToInterval(`[${x}]`)).toEqual(fromDecimal(String(x)));
			}),
			runs,
		);
	});

	it("that is no literal is empty, and says so", () => {
		for (const text of [
			"",
			"[",
			"1",
			"[1,2,3]",
			"[1 2]",
			"[2,1]",
			"[1/0]",
			"[0x]",
			"[.]",
			"3.5?x",
			"[1]]",
			"[1,2]_com",
			"nai",
		]) {
			signals.undefinedOperation = false;
			expect(textToInterval(text), text).toBe(empty);
			expect(signals.undefinedOperation, text).toBe(true);
			expect(decorated.isNaI(decorated.textToInterval(text)) || text === "[1,2]_com", text).toBe(true);
		}
		expect(textToInterval("[1e999999999, 2e999999999]")).toEqual({ lo: Number.MAX_VALUE, hi: Infinity });
		expect(() => intervalToText(entire, 0)).toThrow(/digits/);
	});
});

describe("sums", () => {
	it("are exact, rounded once", () => {
		// Whole numbers of 2^-60 as the exact sum.
		const numbers = fc.array(
			fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((x) => Math.round(x * 2 ** 30) * 2 ** -60),
			{
				maxLength: 30,
			},
		);
		const scaled = (x: number): bigint => BigInt(x * 2 ** 60);
		fc.assert(
			fc.property(numbers, (x) => {
				const total = x.reduce((all, one) => all + scaled(one), 0n);
				expect(sum(x)).toBe(Number(total) * 2 ** -60 + 0);
				const squares = x.reduce((all, one) => all + scaled(one) * scaled(one), 0n);
				expect(sumSquare(x)).toBe(Number(squares) * 2 ** -120);
				expect(dot(x, x)).toBe(sumSquare(x));
				expect(sumAbs(x)).toBe(sum(x.map(Math.abs)));
			}),
			{ ...runs, numRuns: 500 },
		);
	});

	it("go to infinity from half a step beyond the greatest double on", () => {
		const [most, half] = [Number.MAX_VALUE, 2 ** 970];
		expect(sum([most, half])).toBe(Infinity);
		expect(sum([most, half, -5e-324])).toBe(most);
		expect(sum([-most, -half])).toBe(-Infinity);
		expect(sum([most, most, -most])).toBe(most);
		expect(sum([5e-324, 1, -1])).toBe(5e-324);
		expect(sum([])).toBe(0);
	});
});

describe("decorations", () => {
	const x = decorated.newDec({ lo: 1, hi: 4 });

	it("fall to the least of arguments and operation", () => {
		expect(decorated.sqrt(x)).toEqual({ interval: { lo: 1, hi: 2 }, decoration: "com" });
		expect(decorated.add(x, decorated.setDec({ lo: 0, hi: 1 }, "def")).decoration).toBe("def");
		expect(decorated.div(x, decorated.newDec({ lo: -1, hi: 1 })).decoration).toBe("trv");
		expect(decorated.floor(x).decoration).toBe("def");
		expect(decorated.mul(x, decorated.newDec(entire)).decoration).toBe("dac");
		expect(decorated.sqrRev(x).decoration).toBe("trv");
	});

	it("keep NaI", () => {
		for (const f of [decorated.sqrt, decorated.floor, decorated.sqrRev, decorated.tan])
			expect(f(decorated.nai)).toBe(decorated.nai);
		expect(decorated.add(x, decorated.nai)).toBe(decorated.nai);
		expect(decorated.intervalToText(decorated.nai)).toBe("[nai]");
		expect(decorated.equal(decorated.nai, decorated.nai)).toBe(false);
		expect(decorated.mid(decorated.nai)).toBeNaN();
	});

	it("are read with their interval", () => {
		expect(decorated.textToInterval("[1, 4]_com")).toEqual(x);
		expect(decorated.intervalToExact(x)).toBe("[0x1p+0, 0x1p+2]_com");
		expect(decorated.isNaI(decorated.textToInterval("[,]_com"))).toBe(true);
	});
});
