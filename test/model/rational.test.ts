/** Exact constants: their text, their arithmetic, and one correct rounding. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as Q from "../../src/model/rational.ts";

/** Decimal literals over the whole range of doubles, many of them near ties. */
const literal = fc
	.tuple(
		fc.bigInt({ min: 0n, max: 10n ** 25n }),
		fc.integer({ min: 0, max: 20 }),
		fc.integer({ min: -345, max: 310 }),
	)
	.map(([digits, places, exponent]) => {
		const text = digits.toString().padStart(places + 1, "0");
		const point = text.length - places;
		return `${text.slice(0, point)}.${text.slice(point)}e${exponent}`;
	});

describe("rationals", () => {
	test("round as the reader of JavaScript rounds", () => {
		fc.assert(
			fc.property(literal, (text) => {
				const value = Q.rationalFromDecimal(text);
				const expected = Number(text);
				const zero = /^[0.]*e/.test(text);
				if (!Number.isFinite(expected) || (expected === 0 && !zero)) expect(value).toBeUndefined();
				else expect(Q.toDouble(value!)).toBe(expected);
			}),
			{ seed: 1, numRuns: 20_000 },
		);
	});

	test("exact halves between doubles round to even, also below the normal range", () => {
		fc.assert(
			fc.property(
				fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
				fc.integer({ min: -1075, max: 960 }),
				fc.boolean(),
				(mantissa, exponent, negative) => {
					// (2m + 1)·2^e lies halfway between two doubles, or is one.
					const odd = 2n * mantissa + 1n;
					const value =
						exponent >= 0 ? Q.rational(odd << BigInt(exponent)) : Q.rational(odd, 1n << BigInt(-exponent));
					const signed = negative ? Q.negate(value) : value;
					const text = Q.toText(signed);
					expect(Q.toDouble(signed)).toBe(Number(text));
				},
			),
			{ seed: 2, numRuns: 3000 },
		);
	});

	test("doubles are exact both ways", () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
				expect(Q.toDouble(Q.rationalFromDouble(x))).toBe(x === 0 ? 0 : x);
			}),
			{ seed: 3, numRuns: 5000 },
		);
	});

	test("text is read back exactly", () => {
		fc.assert(
			fc.property(literal, (text) => {
				const value = Q.rationalFromDecimal(text);
				fc.pre(value !== undefined);
				expect(Q.rationalFromDecimal(Q.toText(value!))).toEqual(value);
			}),
			{ seed: 4, numRuns: 3000 },
		);
	});

	test.each([
		["0.1", "0.1"],
		["5e4", "50000"],
		["1e-4", "0.0001"],
		["5e-06", "5e-6"],
		["1e22", "1e22"],
		["12.50", "12.5"],
		[".5", "0.5"],
	])("%s prints as %s", (text, printed) => {
		expect(Q.toText(Q.rationalFromDecimal(text)!)).toBe(printed);
	});

	test("arithmetic agrees with fractions by hand", () => {
		const third = Q.rational(1, 3);
		const half = Q.rational(-2, -4);
		expect(Q.add(third, half)).toEqual({ num: 5n, den: 6n });
		expect(Q.multiply(third, Q.negate(half))).toEqual({ num: -1n, den: 6n });
		expect(Q.power(third, -3n)).toEqual({ num: 27n, den: 1n });
		expect(Q.power(Q.zero, -1n)).toBeUndefined();
		expect(Q.power(Q.rational(2), 100_000n)).toBeUndefined();
		expect(Q.compare(third, half)).toBeLessThan(0);
		expect(Q.squareRoot(Q.rational(49, 64))).toEqual({ num: 7n, den: 8n });
		expect(Q.squareRoot(Q.rational(2))).toBeUndefined();
		expect(Q.toText(third)).toBe("1/3");
	});
});
