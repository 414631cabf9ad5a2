import { describe, expect, it } from "vitest";
import {
	counted,
	formatCount,
	formatInterval,
	formatNumber,
	formatRms,
	formatSeconds,
	formatWithUncertainty,
	intervalParts,
	uncertainParts,
} from "../../src/report/format.ts";

describe("digits follow the uncertainty", () => {
	it.each([
		[1.00213, 0.00412, "1.002 ± 0.004"],
		[0.8111, 0.0183, "0.811 ± 0.018"],
		[3.0082, 0.0113, "3.008 ± 0.011"],
		[12345.6, 78.9, "12346 ± 79"],
		[12345.6, 120, "12346 ± 120"],
		[49314, 11668, "(4.9 ± 1.2)e4"],
		[0.43, 5097, "(0 ± 5)e3"],
		[0.5, 0.00961, "0.500 ± 0.010"],
		[0.5, 0.0351, "0.500 ± 0.035"],
		[0.5, 0.096, "0.50 ± 0.10"],
		[-1.1, 0.05, "-1.10 ± 0.05"],
		[0, 0.2, "0.00 ± 0.20"],
		[-0.0001, 0.2, "0.00 ± 0.20"],
	])("%d ± %d is %s", (value, sd, shown) => {
		expect(formatWithUncertainty(value, sd)).toBe(shown);
	});

	it("sets a common power of ten apart where numbers are very small or large", () => {
		expect(formatWithUncertainty(5.032e-6, 1.2e-8)).toBe("(5.032 ± 0.012)e-6");
		expect(formatWithUncertainty(5.0e7, 2e6)).toBe("(5.00 ± 0.20)e7");
		expect(formatWithUncertainty(5.03212e-6)).toBe("5.032e-6");
	});

	it("never shows 17 digits, however small the uncertainty", () => {
		expect(formatWithUncertainty(1 / 3, 1e-30).length).toBeLessThan(40);
		expect(formatWithUncertainty(1 / 3)).toBe("0.3333");
	});

	it("says that an uncertainty is infinite or absent", () => {
		expect(formatWithUncertainty(2, Infinity)).toBe("2 ± ∞");
		expect(formatWithUncertainty(2, Number.NaN)).toBe("2");
		expect(formatWithUncertainty(Number.NaN, 1)).toBe("not a number");
		expect(uncertainParts(2, undefined)).toEqual({ value: "2", sd: "", exponent: 0 });
	});
});

describe("other numbers", () => {
	it("writes the least doubles, whose power of ten is none", () => {
		expect(formatNumber(5e-324)).toBe("4.941e-324");
		expect(formatRms(5e-324)).toBe("4.94e-324");
		expect(formatWithUncertainty(3e-323, 5e-324)).toMatch(/^\(\d\.\d ± 0\.\d\)e-323$/);
		expect(formatInterval(0, 1e-323)).toBe("(0.00 … 0.99)e-323");
		const { lo, hi, exponent } = intervalParts(5e-324, 1e-310, undefined, true);
		expect(Number(`${lo}e${exponent}`)).toBeLessThanOrEqual(5e-324);
		expect(Number(`${hi}e${exponent}`)).toBeGreaterThanOrEqual(1e-310);
	});
	it("shows the ends of an interval with digits that follow its width", () => {
		expect(formatInterval(0.99612, 1.00834)).toBe("0.996 … 1.008");
		expect(formatInterval(-0.0024, 0.0092, 0.003)).toBe("-0.0024 … 0.0092");
		expect(formatInterval(0.2, Infinity, 0.05)).toBe("0.20 … ∞");
		expect(formatInterval(-16.2, -15.1, 2.8e5)).toBe("-16.2 … -15.1");
		expect(formatInterval(0.98, Infinity)).toBe("0.98 … ∞");
		expect(formatInterval(-Infinity, 3)).toBe("−∞ … 3");
		expect(formatInterval(2e-6, 3e-6)).toBe("(2.0 … 3.0)e-6");
	});
	it("keeps zeros in a root mean square", () => {
		expect(formatRms(0.0207)).toBe("0.0207");
		expect(formatRms(0.02)).toBe("0.0200");
		expect(formatRms(1.5e-7)).toBe("1.50e-7");
		expect(formatRms(1234.5)).toBe("1235");
		expect(formatRms(0)).toBe("0");
	});
	it("counts", () => {
		expect(formatCount(131072)).toBe("131,072");
		expect(formatCount(999)).toBe("999");
		expect(counted(1, "sample")).toBe("1 sample");
		expect(counted(0, "box", "boxes")).toBe("no boxes");
	});
	it("tells time", () => {
		expect(formatSeconds(0.11)).toBe("0.1 s");
		expect(formatSeconds(42.3)).toBe("42 s");
		expect(formatSeconds(200)).toBe("3 min 20 s");
		expect(formatSeconds(7500)).toBe("2 h 5 min");
		expect(formatSeconds(Number.NaN)).toBe("?");
	});
	it("shows plain numbers short", () => {
		expect(formatNumber(610.3515625)).toBe("610.4");
		expect(formatNumber(1e-9)).toBe("1e-9");
		expect(formatNumber(20)).toBe("20");
	});
});

describe("a proved interval", () => {
	it("is shown rounded outward", () => {
		expect(intervalParts(0.2477867, 0.2533541, undefined, true)).toEqual({
			lo: "0.24778",
			hi: "0.25336",
			exponent: 0,
		});
		expect(intervalParts(-0.2477867, -0.2433541, undefined, true)).toEqual({
			lo: "-0.24779",
			hi: "-0.24335",
			exponent: 0,
		});
		expect(intervalParts(0.25, 0.5, undefined, true)).toEqual({ lo: "0.250", hi: "0.500", exponent: 0 });
	});
});
