/** Factorisations of positive definite matrices: dense, banded, of low rank; and reflections that split off a mean. */
import { describe, expect, test } from "vitest";
import { drained } from "../../src/num/drained.ts";
import {
	bandedCholeskyInto,
	bandedInverse,
	bandedLogDeterminant,
	bandedSolveInto,
} from "../../src/num/linear/banded-cholesky.ts";
import {
	choleskyInto,
	choleskyInverse,
	choleskyLogDeterminant,
	choleskySolveInto,
	solveLowerColumnsInto,
	solveLowerInto,
} from "../../src/num/linear/cholesky.ts";
import { pivotedCholesky } from "../../src/num/linear/pivoted-cholesky.ts";
import { Reflections } from "../../src/num/linear/reflections.ts";
import { stream } from "../../src/num/random.ts";

const random = stream(11, "matrices");
const n = 17;

/** Random, positive definite, zero beyond the band. */
function definite(band: number): Float64Array {
	const a = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j <= i; j++) {
			const value =
				i === j ? 6 + random.uniform(i) : i - j <= band ? random.normal(100 * i + j) / (1 + band) : 0;
			a[i * n + j] = a[j * n + i] = value;
		}
	return a;
}

function times(a: Float64Array, x: Float64Array): Float64Array {
	return x.map((_, i) => x.reduce((sum, value, j) => sum + a[i * n + j] * value, 0));
}

describe("dense", () => {
	const a = definite(n);
	const l = a.slice();
	const ok = choleskyInto(l, n);
	test("solves, inverts and has the determinant of its diagonal", () => {
		expect(ok).toBe(true);
		const x = Float64Array.from({ length: n }, (_, i) => random.normal(1000 + i));
		const b = times(a, x);
		choleskySolveInto(b, l, n);
		b.forEach((value, i) => {
			expect(value).toBeCloseTo(x[i], 12);
		});
		const inverse = choleskyInverse(l, n);
		for (let j = 0; j < n; j++) {
			const column = times(
				a,
				Float64Array.from({ length: n }, (_, i) => inverse[i * n + j]),
			);
			column.forEach((value, i) => {
				expect(value).toBeCloseTo(i === j ? 1 : 0, 12);
			});
		}
		const product = Array.from({ length: n }, (_, i) => l[i * n + i]).reduce((p, d) => p * d, 1);
		expect(choleskyLogDeterminant(l, n)).toBeCloseTo(2 * Math.log(product), 10);
	});
	test("the inverse of any size adds up as a plain sum does, bit for bit", () => {
		for (let size = 1; size <= n; size++) {
			const part = (from: Float64Array) =>
				Float64Array.from({ length: size * size }, (_, at) => from[Math.floor(at / size) * n + (at % size)]);
			const own = part(l);
			const m = new Float64Array(size * size);
			for (let j = 0; j < size; j++) {
				m[j * size + j] = 1 / own[j * size + j];
				for (let i = j + 1; i < size; i++) {
					let sum = 0;
					for (let k = j; k < i; k++) sum += own[i * size + k] * m[j * size + k];
					m[j * size + i] = -sum / own[i * size + i];
				}
			}
			const inverse = choleskyInverse(own, size);
			for (let i = 0; i < size; i++)
				for (let j = 0; j <= i; j++) {
					let sum = 0;
					for (let k = i; k < size; k++) sum += m[i * size + k] * m[j * size + k];
					expect([inverse[i * size + j], inverse[j * size + i]]).toEqual([sum, sum]);
				}
		}
	});
	test("columns are solved like vectors", () => {
		const columns = Float64Array.from({ length: 3 * n }, (_, i) => random.normal(2000 + i));
		const first = Float64Array.from({ length: n }, (_, i) => columns[3 * i]);
		solveLowerColumnsInto(columns, 3, l, n);
		solveLowerInto(first, l, n);
		first.forEach((value, i) => {
			expect(columns[3 * i]).toBeCloseTo(value, 12);
		});
	});
	test("says when the matrix is not definite, or not a number", () => {
		const indefinite = a.slice();
		indefinite[5 * n + 5] = -1;
		expect(choleskyInto(indefinite, n)).toBe(false);
		const broken = a.slice();
		broken[3 * n + 2] = Number.NaN;
		expect(choleskyInto(broken, n)).toBe(false);
	});
});

test.each([0, 1, 4, 9])("a band of %i agrees with the dense form", (band) => {
	const a = definite(band);
	const lower = new Float64Array(n * (band + 1));
	for (let i = 0; i < n; i++)
		for (let j = Math.max(0, i - band); j <= i; j++) lower[i * (band + 1) + band - i + j] = a[i * n + j];
	expect(bandedCholeskyInto(lower, n, band)).toBe(true);
	const l = a.slice();
	choleskyInto(l, n);
	expect(bandedLogDeterminant(lower, n, band)).toBeCloseTo(choleskyLogDeterminant(l, n), 10);
	const x = Float64Array.from({ length: n }, (_, i) => random.normal(3000 + i));
	const dense = x.slice();
	bandedSolveInto(x, lower, n, band);
	choleskySolveInto(dense, l, n);
	x.forEach((value, i) => {
		expect(value).toBeCloseTo(dense[i], 12);
	});
	const reach = Math.min(2 * band, n - 1);
	const near = bandedInverse(lower, n, band, reach);
	const inverse = choleskyInverse(l, n);
	for (let i = 0; i < n; i++)
		for (let j = i; j <= Math.min(i + reach, n - 1); j++)
			expect(near[i * (reach + 1) + j - i]).toBeCloseTo(inverse[i * n + j], 12);
});

test("a matrix of low rank is found to be one", () => {
	const rank = 4;
	const g = Float64Array.from({ length: n * rank }, (_, i) => random.normal(4000 + i));
	const a = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++)
			for (let k = 0; k < rank; k++) a[i * n + j] += g[i * rank + k] * g[j * rank + k];
	const asked: number[] = [];
	const low = drained(
		pivotedCholesky(
			{
				diagonal: Float64Array.from({ length: n }, (_, i) => a[i * n + i]),
				column(j) {
					asked.push(j);
					return Float64Array.from({ length: n }, (_, i) => a[i * n + j]);
				},
			},
			1e-12,
		),
	);
	// Nothing else of it is computed.
	expect(asked).toEqual(low.pivots);
	expect(low.rank).toBe(rank);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) {
			let sum = 0;
			for (let k = 0; k < rank; k++) sum += low.factor[i * rank + k] * low.factor[j * rank + k];
			expect(sum).toBeCloseTo(a[i * n + j], 10);
		}
	// On the pivots, in their order, the factor is lower triangular.
	low.pivots.forEach((row, q) => {
		for (let k = q + 1; k < rank; k++) expect(Math.abs(low.factor[row * rank + k])).toBeLessThan(1e-10);
	});
});

describe("reflections", () => {
	const m = 4;
	// The third column is the sum of the first two.
	const p = Float64Array.from({ length: n * m }, (_, i) => random.normal(5000 + i));
	for (let i = 0; i < n; i++) p[i * m + 2] = p[i * m] + p[i * m + 1];
	const q = new Reflections(p, n, m);
	test("leave out a column that others explain", () => {
		expect(q.kept).toEqual([0, 1, 3]);
		expect(q.rank).toBe(3);
	});
	test("are orthogonal, and rotate columns to the triangle", () => {
		const x = Float64Array.from({ length: n }, (_, i) => random.normal(6000 + i));
		const there = x.slice();
		q.applyTransposeInto(there);
		q.applyInto(there);
		there.forEach((value, i) => {
			expect(value).toBeCloseTo(x[i], 12);
		});
		q.kept.forEach((j, k) => {
			const column = Float64Array.from({ length: n }, (_, i) => p[i * m + j]);
			q.applyTransposeInto(column);
			for (let i = 0; i < n; i++) expect(column[i]).toBeCloseTo(i <= k ? q.r[i * 3 + k] : 0, 12);
		});
	});
	test("a congruence is two rotations", () => {
		const a = definite(n);
		const both = a.slice();
		q.congruenceInto(both);
		for (let j = 0; j < n; j++) {
			const e = new Float64Array(n);
			e[j] = 1;
			q.applyInto(e);
			const column = times(a, e);
			q.applyTransposeInto(column);
			for (let i = 0; i < n; i++) expect(both[i * n + j]).toBeCloseTo(column[i], 11);
		}
	});
});
