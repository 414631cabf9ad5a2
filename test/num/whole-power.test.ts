import { describe, expect, test } from "vitest";
import { decimalExponent, squared, tenTo, wholePower } from "../../src/num/whole-power.ts";

describe("powers", () => {
	test("whole ones of either sign, and none", () => {
		expect(wholePower(3, 4)).toBe(81);
		expect(wholePower(-2, 3)).toBe(-8);
		expect(wholePower(2, -3)).toBe(0.125);
		expect(wholePower(0, 0)).toBe(1);
		expect(squared(-1.5)).toBe(2.25);
	});

	test("of ten are the nearest doubles", () => {
		for (const [k, value] of [
			[0, 1],
			[22, 1e22],
			[23, 1e23],
			[-5, 1e-5],
			[-323, 1e-323],
			[308, 1e308],
		])
			expect(tenTo(k)).toBe(value);
	});
});

test("the decimal exponent is exact beside powers of ten", () => {
	for (let k = -323; k <= 308; k++) {
		const power = Number(`1e${k}`);
		expect(decimalExponent(power)).toBe(k);
		expect(decimalExponent(-1.5 * power)).toBe(k);
		if (k > -307) expect(decimalExponent(power * (1 - 2 ** -53))).toBe(k - 1);
	}
	expect(decimalExponent(0)).toBe(Number.NEGATIVE_INFINITY);
	expect(decimalExponent(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
	expect(decimalExponent(Number.NaN)).toBeNaN();
});
