import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberEnd, scanNumber } from "../../src/data/time/decimal.ts";
import { utf8 } from "./bytes.ts";

const POINT = 46;

function parsed(text: string, point = POINT): number {
	const bytes = utf8(text);
	const value = scanNumber(bytes, 0, bytes.length, point);
	return numberEnd === bytes.length ? value : Number.NaN;
}

/** The exact decimal text of the midpoint between a double and the next. */
function midpointText(x: number): string {
	const view = new DataView(new ArrayBuffer(8));
	view.setFloat64(0, x);
	const bits = view.getBigUint64(0);
	const exponent = Number((bits >> 52n) & 0x7ffn) - 1076;
	const odd = 2n * ((bits & 0xfffffffffffffn) | 0x10000000000000n) + 1n;
	return exponent >= 0 ? `${odd << BigInt(exponent)}` : `${odd * 5n ** BigInt(-exponent)}e${exponent}`;
}

describe("decimal text to double", () => {
	it("equals Number() on doubles written in any number of digits", () => {
		fc.assert(
			fc.property(
				fc.double({ noNaN: true, noDefaultInfinity: true }),
				fc.integer({ min: 0, max: 25 }),
				(x, digits) => {
					for (const text of [String(x), x.toExponential(digits), x.toPrecision(digits + 1)]) {
						expect(parsed(text)).toBe(Number(text));
					}
				},
			),
			{ seed: 1, numRuns: 5000 },
		);
	});

	it("equals Number() on digits, point and exponent at random", () => {
		const digits = fc.stringMatching(/^[0-9]{0,30}$/);
		fc.assert(
			fc.property(
				digits,
				digits,
				fc.integer({ min: -330, max: 310 }),
				fc.boolean(),
				(whole, part, e, negative) => {
					fc.pre(whole.length + part.length > 0);
					const text = `${negative ? "-" : ""}${whole}.${part}e${e}`;
					expect(parsed(text)).toBe(Number(text));
				},
			),
			{ seed: 2, numRuns: 5000 },
		);
	});

	it("rounds midpoints and their neighbours as Number() does", () => {
		fc.assert(
			fc.property(
				fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
				fc.integer({ min: 17, max: 25 }),
				(x, cut) => {
					const [digits, e = "0"] = midpointText(x).split("e");
					const texts = [`${digits}e${e}`, `${digits}1e${Number(e) - 1}`];
					if (digits.length > cut) texts.push(`${digits.slice(0, cut)}e${Number(e) + digits.length - cut}`);
					for (const text of texts) expect(parsed(text)).toBe(Number(text));
				},
			),
			{ seed: 3, numRuns: 3000 },
		);
	});

	it("takes exponents of any size", () => {
		const zeros = "0".repeat(123_456);
		for (const text of [
			"1e400",
			"-1e400",
			"1e-400",
			"1e99999999999",
			"0e99999999",
			`0.${zeros}1e1234567`,
			`1${zeros}e-123456`,
		]) {
			expect(parsed(text)).toBe(Number(text));
		}
	});

	it("reads decimal commas and Fortran exponents", () => {
		expect(parsed("-12,25", 44)).toBe(-12.25);
		expect(parsed("1.5D+3")).toBe(1500);
		expect(parsed("1234567890123456789012d-30")).toBe(1234567890123456789012e-30);
	});

	it("stops where the number stops", () => {
		for (const [text, end] of [
			["12abc", 2],
			["1e", 1],
			["1e+", 1],
			["1.2.3", 3],
			["+", 0],
			["-.", 0],
			[".e5", 0],
			["", 0],
			["x", 0],
		] as const) {
			scanNumber(utf8(text), 0, text.length, POINT);
			expect([text, numberEnd]).toEqual([text, end]);
		}
	});
});
