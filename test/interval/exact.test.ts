/** Decimals and fractions are read to the two doubles next to them. */
import { describe, expect, it } from "vitest";
import { machinPi } from "../../src/interval/elementary/angle.ts";
import { contains, fromDecimal, fromRational, mul, pi, sub } from "../../src/interval/index.ts";
import { doublesBetween, restOf, truth, truthOf2, truthOfText } from "./mpfr.ts";
import { samples } from "./samples.ts";

describe("fromDecimal", () => {
	it("gives the neighbours of the number", () => {
		const from = samples(17);
		for (let n = 0; n < 20_000; n++) {
			const digits = Array.from({ length: 1 + from.below(30) }, () => from.below(10)).join("");
			const split = from.below(digits.length + 1);
			const exponent = from.below(3) === 0 ? "" : `e${from.below(700) - 350}`;
			const text = `${from.below(2) === 0 ? "-" : ""}${digits.slice(0, split) || "0"}.${digits.slice(split)}${exponent}`;
			const { lo, hi } = fromDecimal(text);
			truthOfText(text);
			if (lo !== truth.down || hi !== truth.up)
				expect({ text, lo, hi }).toEqual({ text, lo: truth.down, hi: truth.up });
		}
	});

	it("keeps doubles as points, and holds one tenth", () => {
		expect(fromDecimal("0.5")).toEqual({ lo: 0.5, hi: 0.5 });
		expect(fromDecimal(" -1.25e2 ")).toEqual({ lo: -125, hi: -125 });
		expect(fromDecimal("0e999999999")).toEqual({ lo: 0, hi: 0 });
		expect(fromDecimal("0.1")).toEqual({ lo: 0.09999999999999999, hi: 0.1 });
		expect(contains(sub(mul(fromDecimal("0.1"), 10), 1), 0)).toBe(true);
		expect(fromDecimal("1.7976931348623157e308")).toEqual({
			lo: 1.7976931348623155e308,
			hi: Number.MAX_VALUE,
		});
	});

	it("bounds what is beyond doubles", () => {
		expect(fromDecimal("1e400")).toEqual({ lo: Number.MAX_VALUE, hi: Number.POSITIVE_INFINITY });
		expect(fromDecimal("-1e99999999999")).toEqual({ lo: Number.NEGATIVE_INFINITY, hi: -Number.MAX_VALUE });
		expect(fromDecimal("1e-99999999999")).toEqual({ lo: 0, hi: 5e-324 });
		expect(fromDecimal("-3e-324")).toEqual({ lo: -5e-324, hi: 0 });
		expect(fromDecimal("1.8e308")).toEqual({ lo: Number.MAX_VALUE, hi: Number.POSITIVE_INFINITY });
	});

	it.each(["", ".", "e5", "1e", "abc", "0x10", "1 2", "NaN", "--1", "1,5"])("refuses %j", (text) => {
		expect(() => fromDecimal(text)).toThrow(/no decimal number/);
	});
});

describe("fromRational", () => {
	it("gives the neighbours of quotients", () => {
		const from = samples(18);
		for (let n = 0; n < 20_000; n++) {
			const a = Math.trunc(from.within(1, 2 ** 53));
			const b = Math.trunc(from.within(1, 2 ** 53));
			const { lo, hi } = fromRational({ num: BigInt(a), den: BigInt(b) });
			truthOf2("div", a, b);
			if (lo !== truth.down || hi !== truth.up)
				expect({ a, b, lo, hi }).toEqual({ a, b, lo: truth.down, hi: truth.up });
		}
	});

	it("takes numerators and denominators of any size", () => {
		const third = fromRational({ num: 10n ** 500n, den: 3n * 10n ** 500n });
		expect(third).toEqual({ lo: 0.3333333333333333, hi: 0.33333333333333337 });
		expect(fromRational({ num: 1n, den: -(1n << 1074n) })).toEqual({ lo: -5e-324, hi: -5e-324 });
		expect(fromRational({ num: 1n, den: 1n << 1075n })).toEqual({ lo: 0, hi: 5e-324 });
		expect(fromRational({ num: 1n << 1024n, den: 1n }).lo).toBe(Number.MAX_VALUE);
		expect(fromRational({ num: (1n << 1024n) - 1n, den: 1n }).hi).toBe(Number.POSITIVE_INFINITY);
		expect(() => fromRational({ num: 1n, den: 0n })).toThrow(/no number/);
	});
});

it("pi is between neighbouring doubles", () => {
	expect(doublesBetween(pi.lo, pi.hi)).toBe(1);
	expect(restOf("pi/2", [pi.lo / 2])).toBeGreaterThan(0);
	expect(restOf("pi/2", [pi.hi / 2])).toBeLessThan(0);
	// The digits that reduce large angles: 200 bits of them, as exact parts.
	const digits = machinPi(200);
	const head = Number(digits >> 149n);
	const middle = Number((digits >> 97n) & ((1n << 52n) - 1n));
	expect(Math.abs(restOf("pi/2", [head * 2 ** -52, middle * 2 ** -104]))).toBeLessThan(2 ** -104);
});
