import { describe, expect, test } from "vitest";
import { invertDefiniteInto } from "../../src/num/linear/definite-inverse.ts";
import { stream } from "../../src/num/random.ts";

/** B Bᵀ + shift I of normal numbers, both triangles. */
function definite(n: number, shift: number): Float64Array {
	const random = stream(7, `definite ${n}`);
	const b = Float64Array.from({ length: n * n }, (_, i) => random.normal(i));
	const a = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) {
			for (let k = 0; k < n; k++) a[i * n + j] += b[i * n + k] * b[j * n + k];
			if (i === j) a[i * n + j] += shift;
		}
	return a;
}

describe("inverse of a definite matrix", () => {
	test.each([1, 2, 5, 47, 48, 49, 97, 143])("n = %i: A A⁻¹ = I, from the lower triangle alone", (n) => {
		const a = definite(n, 1);
		const inverse = a.slice();
		for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) inverse[i * n + j] = Number.NaN;
		expect(invertDefiniteInto(inverse, n)).toBe(true);
		let worst = 0;
		let asymmetry = 0;
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++) {
				let sum = i === j ? -1 : 0;
				for (let k = 0; k < n; k++) sum += a[i * n + k] * inverse[k * n + j];
				worst = Math.max(worst, Math.abs(sum));
				asymmetry = Math.max(asymmetry, Math.abs(inverse[i * n + j] - inverse[j * n + i]));
			}
		expect(worst).toBeLessThan(1e-11 * n);
		expect(asymmetry).toBe(0);
	});

	test("a matrix that is not definite, or not finite, is refused", () => {
		const a = definite(60, 1);
		const indefinite = a.slice();
		indefinite[55 * 60 + 55] = -1;
		expect(invertDefiniteInto(indefinite, 60)).toBe(false);
		a[50 * 60 + 3] = Number.NaN;
		expect(invertDefiniteInto(a, 60)).toBe(false);
	});
});
