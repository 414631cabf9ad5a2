import { describe, expect, test } from "vitest";
import { spectralRadius, svdSmall, triangulate } from "../../src/num/linear/least-squares.ts";
import { stream } from "../../src/num/random.ts";

function randomMatrix(rows: number, columns: number, purpose: string): Float64Array {
	const { normal } = stream(11, purpose);
	return Float64Array.from({ length: rows * columns }, (_, i) => normal(i));
}

describe("triangulate", () => {
	// One portion of rows and several, columns that come out even by fours and not.
	test.each([
		[40, 5],
		[700, 4],
		[601, 7],
		[3, 6],
	])("keeps the Gram matrix and the projections of %i × %i", (m, n) => {
		const a = randomMatrix(m, n, "qr");
		const b = randomMatrix(m, 1, "rhs");
		const { r, qtb } = triangulate(a.slice(), b.slice(), m, n);
		for (let j = 0; j < n; j++) {
			for (let k = 0; k < n; k++) {
				let gram = 0;
				let product = 0;
				for (let i = 0; i < m; i++) gram += a[i * n + j] * a[i * n + k];
				for (let i = 0; i < n; i++) product += r[i * n + j] * r[i * n + k];
				expect(product).toBeCloseTo(gram, 10);
			}
			let atb = 0;
			let rtq = 0;
			for (let i = 0; i < m; i++) atb += a[i * n + j] * b[i];
			for (let i = 0; i < n; i++) rtq += r[i * n + j] * qtb[i];
			expect(rtq).toBeCloseTo(atb, 10);
		}
	});
});

describe("svdSmall", () => {
	test("rebuilds the matrix with orthonormal factors", () => {
		const n = 6;
		const a = randomMatrix(n, n, "svd");
		const { us, s, v } = svdSmall(a, n);
		for (let i = 0; i < n; i++) {
			for (let j = 0; j < n; j++) {
				let rebuilt = 0;
				let dot = 0;
				let gram = 0;
				for (let l = 0; l < n; l++) {
					rebuilt += us[i * n + l] * v[j * n + l];
					dot += v[l * n + i] * v[l * n + j];
					gram += us[l * n + i] * us[l * n + j];
				}
				expect(rebuilt).toBeCloseTo(a[i * n + j], 12);
				expect(dot).toBeCloseTo(i === j ? 1 : 0, 12);
				expect(gram).toBeCloseTo(i === j ? s[i] ** 2 : 0, 11);
			}
			if (i > 0) expect(s[i]).toBeLessThanOrEqual(s[i - 1]);
		}
	});

	test("finds a tiny singular value to relative accuracy", () => {
		// diag(1, 1e-10) turned by column scaling keeps its relative accuracy in one-sided Jacobi.
		const { s } = svdSmall(Float64Array.of(1, 1e-10, 0, 1e-10), 2);
		// Exact: singular values of [[1, e], [0, e]] with e = 1e-10: product is e, sum of squares 1 + 2e².
		expect(s[1] * s[0]).toBeCloseTo(1e-10, 24);
	});
});

test("spectralRadius is not fooled by bad scaling", () => {
	expect(spectralRadius(Float64Array.of(0, 1, -2e5, -40), 2)).toBeGreaterThan(447 * 0.95);
	expect(spectralRadius(Float64Array.of(0, 1, -2e5, -40), 2)).toBeLessThan(447 * 1.3);
});

test("spectralRadius of a chain of many masses is that of its fastest mode", () => {
	const n = 40;
	const stiffness = 2e5;
	const a = new Float64Array(4 * n * n);
	for (let i = 0; i < n; i++) {
		a[i * 2 * n + n + i] = 1;
		a[(n + i) * 2 * n + i] = -2 * stiffness;
		if (i > 0) a[(n + i) * 2 * n + i - 1] = stiffness;
		if (i + 1 < n) a[(n + i) * 2 * n + i + 1] = stiffness;
	}
	const exact = 2 * Math.sqrt(stiffness) * Math.cos(Math.PI / (2 * (n + 1)));
	const found = spectralRadius(a, 2 * n) / exact;
	expect(found).toBeGreaterThan(0.9);
	expect(found).toBeLessThan(1.3);
});
