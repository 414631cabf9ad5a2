import { describe, expect, test } from "vitest";
import { naturalSpline, splineAt, splineBump } from "../../src/num/natural-spline.ts";

const knots = [0, 1, 2, 3, 4];

describe("natural splines", () => {
	test("bumps have the paper's values and slopes at the knots", () => {
		const values = [
			[0, 1, 0.25, 0, 0],
			[0, 0.25, 1, 0.25, 0],
			[0, 0, 0.25, 1, 0],
		];
		const slopes = [
			[1.5, 0, -0.75, 0, 0],
			[0, 0.75, 0, -0.75, 0],
			[0, 0, 0.75, 0, -1.5],
		];
		for (let j = 1; j <= 3; j++) {
			const bump = splineBump(knots, j);
			for (let i = 0; i < 5; i++) {
				expect(bump.values[i]).toBeCloseTo(values[j - 1][i], 14);
				expect(bump.slopes[i]).toBeCloseTo(slopes[j - 1][i], 14);
			}
		}
	});

	test("x, bumps and a constant make any natural spline of uneven knots", () => {
		const uneven = [-1, 0.5, 1, 3, 3.5];
		const target = naturalSpline(uneven, [2, -1, 0.3, 4, 1]);
		const bumps = [1, 2, 3].map((j) => splineBump(uneven, j));
		// Values at five knots: five equations for constant, slope and three bumps.
		const columns = [uneven.map(() => 1), uneven, ...bumps.map(({ values }) => [...values])];
		const weights = solve(columns, [...target.values]);
		for (const x of [-3, -0.2, 0.7, 2.2, 3.4, 6]) {
			const sum =
				weights[0] + weights[1] * x + bumps.reduce((s, bump, k) => s + weights[k + 2] * splineAt(bump, x), 0);
			expect(sum).toBeCloseTo(splineAt(target, x), 12);
		}
	});

	test("straight outside the knots, smooth at them", () => {
		const spline = naturalSpline(knots, [0, 2.6875, 5, 6.6875, 8]);
		expect([...spline.slopes].map((value) => Number(value.toFixed(12)))).toEqual([
			2.75, 2.5625, 2, 1.4375, 1.25,
		]);
		expect(splineAt(spline, 6)).toBeCloseTo(8 + 2 * 1.25, 13);
		for (const knot of [1, 2, 3]) {
			const h = 1e-4;
			const second = (at: number): number =>
				(splineAt(spline, at + h) - 2 * splineAt(spline, at) + splineAt(spline, at - h)) / h ** 2;
			expect(second(knot - 2 * h)).toBeCloseTo(second(knot + 2 * h), 2);
		}
	});
});

function solve(columns: number[][], right: number[]): number[] {
	const n = right.length;
	const a = right.map((value, i) => [...columns.map((column) => column[i]), value]);
	for (let k = 0; k < n; k++) {
		const pivot = a
			.slice(k)
			.reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(a[best][k]) ? i + k : best), k);
		[a[k], a[pivot]] = [a[pivot], a[k]];
		for (let i = 0; i < n; i++)
			if (i !== k) {
				const factor = a[i][k] / a[k][k];
				for (let j = k; j <= n; j++) a[i][j] -= factor * a[k][j];
			}
	}
	return a.map((row, k) => row[n] / row[k]);
}
