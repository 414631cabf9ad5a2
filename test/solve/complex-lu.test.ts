import { describe, expect, it } from "vitest";
import { complexLuFactorInto, complexLuSolveInto } from "../../src/solve/stiff/complex-lu.ts";

/** Numbers in [-1, 1) from a small generator: tests must not change from run to run. */
function sequence(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

describe("complex LU", () => {
	it.each([
		[1, 1],
		[2, 1],
		[3, 4],
		[8, 2],
		[20, 3],
	])("solves %i equations for %i right-hand sides", (n, nColumns) => {
		const next = sequence(n);
		const many = (count: number) => Float64Array.from({ length: count }, next);
		const [re, im, zRe, zIm] = [many(n * n), many(n * n), many(n * nColumns), many(n * nColumns)];
		const bRe = new Float64Array(n * nColumns);
		const bIm = new Float64Array(n * nColumns);
		for (let i = 0; i < n; i++)
			for (let c = 0; c < nColumns; c++)
				for (let k = 0; k < n; k++) {
					const [a, b] = [re[i * n + k], im[i * n + k]];
					const [p, q] = [zRe[k * nColumns + c], zIm[k * nColumns + c]];
					bRe[i * nColumns + c] += a * p - b * q;
					bIm[i * nColumns + c] += a * q + b * p;
				}
		const pivots = new Int32Array(n);
		expect(complexLuFactorInto(re, im, pivots, n)).toBe(true);
		complexLuSolveInto(bRe, bIm, nColumns, re, im, pivots, n);
		zRe.forEach((value, i) => {
			expect(bRe[i]).toBeCloseTo(value, 11);
			expect(bIm[i]).toBeCloseTo(zIm[i], 11);
		});
	});

	it("exchanges rows where a diagonal element is zero", () => {
		const re = Float64Array.of(0, 2, 3, 0);
		const im = Float64Array.of(0, 1, 0, 0);
		const pivots = new Int32Array(2);
		expect(complexLuFactorInto(re, im, pivots, 2)).toBe(true);
		// (2 + i) z1 = 5, 3 z0 = 6i
		const zRe = Float64Array.of(5, 0);
		const zIm = Float64Array.of(0, 6);
		complexLuSolveInto(zRe, zIm, 1, re, im, pivots, 2);
		expect(zRe[0]).toBeCloseTo(0, 15);
		expect(zIm[0]).toBeCloseTo(2, 15);
		expect(zRe[1]).toBeCloseTo(2, 15);
		expect(zIm[1]).toBeCloseTo(-1, 15);
	});

	it("survives very large and very small elements", () => {
		for (const size of [1e-200, 1e200]) {
			const re = Float64Array.of(3 * size);
			const im = Float64Array.of(4 * size);
			const pivots = new Int32Array(1);
			expect(complexLuFactorInto(re, im, pivots, 1)).toBe(true);
			const zRe = Float64Array.of(25 * size);
			const zIm = Float64Array.of(0);
			complexLuSolveInto(zRe, zIm, 1, re, im, pivots, 1);
			expect(zRe[0]).toBeCloseTo(3, 13);
			expect(zIm[0]).toBeCloseTo(-4, 13);
		}
	});

	it.each([
		["singular", [1, 2, 2, 4], [1, 2, 2, 4]],
		["not a number", [1, 0, Number.NaN, 1], [0, 0, 0, 0]],
		["infinite", [1, 0, 0, Infinity], [0, 0, 0, 0]],
	] as const)("refuses a matrix that is %s", (_what, re, im) => {
		expect(complexLuFactorInto(Float64Array.from(re), Float64Array.from(im), new Int32Array(2), 2)).toBe(
			false,
		);
	});
});
