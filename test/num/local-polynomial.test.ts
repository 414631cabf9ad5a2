import { describe, expect, it } from "vitest";
import { localPolynomial } from "../../src/num/local-polynomial.ts";

const t = Float64Array.from({ length: 40 }, (_, i) => 0.25 * i + 0.05 * Math.sin(5 * i));
const quintic = (x: number): number => 1 + x * (2 - x * (0.3 + x * (0.02 - x * (0.01 - 0.0004 * x))));

describe("local polynomials", () => {
	it("six samples reproduce a quintic, with its slope, between and at samples", () => {
		const curve = localPolynomial(t, t.map(quintic));
		for (const x of [0.3, 2.01, t[7], 5.5, 9.6]) {
			expect(curve.at(x)).toBeCloseTo(quintic(x), 9);
			const slope = (quintic(x + 1e-5) - quintic(x - 1e-5)) / 2e-5;
			expect(curve.withSlope(x).slope).toBeCloseTo(slope, 6);
		}
	});
	it("is of order 6", () => {
		const error = (n: number): number => {
			const times = Float64Array.from({ length: n }, (_, i) => (10 * i) / (n - 1));
			const curve = localPolynomial(times, times.map(Math.sin));
			let most = 0;
			for (let x = 2; x < 8; x += 0.013) most = Math.max(most, Math.abs(curve.at(x) - Math.sin(x)));
			return most;
		};
		expect(Math.log2(error(41) / error(81))).toBeGreaterThan(5.5);
	});
});
