import { describe, expect, it } from "vitest";
import { luFactorInto, luSolveColumnsInto, luSolveInto } from "../../src/num/linear/lu.ts";

/** Numbers in [-1, 1) from a small generator: tests must not change from run to run. */
function sequence(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

function product(a: Float64Array, x: Float64Array, n: number, nColumns: number): Float64Array {
	const out = new Float64Array(n * nColumns);
	for (let i = 0; i < n; i++)
		for (let c = 0; c < nColumns; c++)
			for (let k = 0; k < n; k++) out[i * nColumns + c] += a[i * n + k] * x[k * nColumns + c];
	return out;
}

describe("LU", () => {
	it.each([1, 2, 3, 5, 8, 20])("solves a system of %i equations", (n) => {
		const next = sequence(n);
		const a = Float64Array.from({ length: n * n }, next);
		const x = Float64Array.from({ length: n }, next);
		const solved = product(a, x, n, 1);
		const lu = a.slice();
		const pivots = new Int32Array(n);
		expect(luFactorInto(lu, pivots, n)).toBe(true);
		luSolveInto(solved, lu, pivots, n);
		x.forEach((value, i) => {
			expect(solved[i]).toBeCloseTo(value, 11);
		});
	});

	it("solves many right-hand sides as it solves each", () => {
		const n = 6;
		const nColumns = 4;
		const next = sequence(7);
		const a = Float64Array.from({ length: n * n }, next);
		const x = Float64Array.from({ length: n * nColumns }, next);
		const b = product(a, x, n, nColumns);
		const pivots = new Int32Array(n);
		luFactorInto(a, pivots, n);
		for (let c = 0; c < nColumns; c++) {
			const column = Float64Array.from({ length: n }, (_, i) => b[i * nColumns + c]);
			luSolveInto(column, a, pivots, n);
			column.forEach((value, i) => {
				expect(value).toBeCloseTo(x[i * nColumns + c], 11);
			});
		}
		luSolveColumnsInto(b, nColumns, a, pivots, n);
		b.forEach((value, i) => {
			expect(value).toBeCloseTo(x[i], 11);
		});
	});

	it("pivots: a zero on the diagonal is no obstacle", () => {
		const a = Float64Array.of(0, 1, 1, 0);
		const x = Float64Array.of(3, 5);
		const pivots = new Int32Array(2);
		expect(luFactorInto(a, pivots, 2)).toBe(true);
		luSolveInto(x, a, pivots, 2);
		expect([...x]).toEqual([5, 3]);
	});

	it.each([
		["singular", [1, 2, 2, 4]],
		["not a number", [Number.NaN, 2, 3, 4]],
		["infinite", [1, 2, Infinity, 4]],
	])("refuses a matrix that is %s", (_, values) => {
		expect(luFactorInto(Float64Array.from(values), new Int32Array(2), 2)).toBe(false);
	});
});
