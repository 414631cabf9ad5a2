import { describe, expect, test } from "vitest";
import { philox, stream } from "../../src/num/random.ts";

describe("philox4x32-10", () => {
	// Known answers published with the generator (Random123, kat_vectors).
	test.each([
		[
			[0, 0, 0, 0],
			[0, 0],
			[0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
		],
		[
			[0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
			[0xffffffff, 0xffffffff],
			[0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
		],
		[
			[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
			[0xa4093822, 0x299f31d0],
			[0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
		],
	])("counter %j", (counter, key, expected) => {
		expect([...philox(counter, key)]).toEqual(expected);
	});
});

describe("streams", () => {
	test("normal numbers have the moments of a normal law", () => {
		const { normal } = stream(7, "moments");
		const n = 100_000;
		let sum = 0;
		let squares = 0;
		let fourths = 0;
		for (let i = 0; i < n; i++) {
			const z = normal(i);
			sum += z;
			squares += z * z;
			fourths += z ** 4;
		}
		// Five standard errors: sd of the mean 1/sqrt(n), of the variance sqrt(2/n), of the fourth moment sqrt(96/n).
		expect(Math.abs(sum / n)).toBeLessThan(5 / Math.sqrt(n));
		expect(Math.abs(squares / n - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
		expect(Math.abs(fourths / n - 3)).toBeLessThan(5 * Math.sqrt(96 / n));
	});

	test("uniform numbers fill their range evenly", () => {
		const { uniform } = stream(3, "even");
		const counts = new Array(50).fill(0);
		const n = 50_000;
		for (let i = 0; i < n; i++) counts[Math.floor(uniform(i) * 50)]++;
		const chi2 = counts.reduce((sum, c) => sum + (c - n / 50) ** 2 / (n / 50), 0);
		expect(chi2).toBeLessThan(93.2); // 0.9999 quantile of chi-squared with 49 degrees of freedom
	});

	test("purpose, seed and index each change the number; nothing else does", () => {
		const base = stream(1, "a").uniform(5);
		expect(stream(1, "a").uniform(5)).toBe(base);
		expect(stream(1, "b").uniform(5)).not.toBe(base);
		expect(stream(2, "a").uniform(5)).not.toBe(base);
		expect(stream(2 ** 32 + 1, "a").uniform(5)).not.toBe(base);
		expect(stream(1, "a").uniform(6)).not.toBe(base);
	});
});
