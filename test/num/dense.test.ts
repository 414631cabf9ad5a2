import { describe, expect, it } from "vitest";
import { product, transposed } from "../../src/num/linear/dense.ts";

describe("dense matrices", () => {
	const a = Float64Array.of(1, 2, 3, 4, 5, 6);
	const b = Float64Array.of(1, 0, 2, -1, 3, 1);
	it("multiply row by column", () => {
		expect([...product(a, b, 2, 3, 2)]).toEqual([1 + 4 + 9, -2 + 3, 4 + 10 + 18, -5 + 6]);
	});
	it("transpose, and (AB)ᵀ = BᵀAᵀ", () => {
		expect([...transposed(a, 2, 3)]).toEqual([1, 4, 2, 5, 3, 6]);
		const left = transposed(product(a, b, 2, 3, 2), 2, 2);
		expect([...left]).toEqual([...product(transposed(b, 3, 2), transposed(a, 2, 3), 2, 3, 2)]);
	});
});
