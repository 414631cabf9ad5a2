/**
 * Linear least squares, small in columns and long in rows: Householder QR, then the singular values of the triangle by
 * one-sided Jacobi rotations (accurate for small singular values too). All matrices are row-major.
 *
 * Reference: Golub, Van Loan, Matrix Computations, sections 5.2 and 8.6.3.
 */

import { exp, log } from "../elementary/number.ts";
import { squared } from "../whole-power.ts";
import { identity, product, transposed } from "./dense.ts";
import { reflectFours, reflectorInto } from "./householder.ts";

const portion = 256;

export interface Triangle {
	readonly r: Float64Array;
	readonly qtb: Float64Array;
}

/** R (n × n) of A = QR, and the first n elements of Qᵀb, from A (m × n) and b (m). Rows of R below min(m, n) are zero. */
export function triangulate(a: Float64Array, b: Float64Array, m: number, n: number): Triangle {
	// Rows go in by portions, below the triangle of those before: what is worked on stays in the nearest memory.
	const stride = Math.min(m, n + portion);
	// b is one more column.
	const columns = new Float64Array((n + 1) * stride);
	let top = 0;
	for (let next = 0; next < m; ) {
		const rows = Math.min(stride, top + m - next);
		for (let i = top; i < rows; i++, next++) {
			for (let j = 0; j < n; j++) columns[j * stride + i] = a[next * n + j];
			columns[n * stride + i] = b[next];
		}
		for (let k = 0; k < Math.min(rows, n); k++) reflect(columns, stride, k, top, rows, n + 1);
		top = Math.min(rows, n);
		for (let j = 0; j < n; j++) columns.fill(0, j * stride + j + 1, j * stride + top);
	}
	const rank = Math.min(m, n);
	const r = new Float64Array(n * n);
	for (let i = 0; i < rank; i++) for (let j = i; j < n; j++) r[i * n + j] = columns[j * stride + i];
	const qtb = new Float64Array(n);
	qtb.set(columns.subarray(n * stride, n * stride + rank));
	return { r, qtb };
}

/**
 * Householder's reflection that clears column k below its row k, applied to the columns after it. Between row k and
 * row `top` the column is zero already.
 */
function reflect(a: Float64Array, stride: number, k: number, top: number, rows: number, width: number): void {
	const own = k * stride;
	const below = Math.max(top, k + 1);
	const alpha = reflectorInto(a, own, k, below, rows);
	if (alpha === 0) return;
	const head = a[own + k];
	const beta = -alpha * head;
	let j = reflectFours(a, own, stride, k + 1, width, k, below, rows, beta);
	for (; j < width; j++) {
		const last = j * stride;
		let s = head * a[last + k];
		for (let i = below; i < rows; i++) s += a[own + i] * a[last + i];
		s /= beta;
		a[last + k] -= s * head;
		for (let i = below; i < rows; i++) a[last + i] -= s * a[own + i];
	}
	a[own + k] = alpha;
}

export interface Svd {
	/** Left vectors times singular values (n × n, columns), so A = us Vᵀ. */
	readonly us: Float64Array;
	/** Falling. */
	readonly s: Float64Array;
	/** Right vectors in columns. */
	readonly v: Float64Array;
}

/** Singular value decomposition of a square matrix (n × n). */
export function svdSmall(matrix: Float64Array, n: number): Svd {
	// Columns one behind the other: rotations go along them.
	const a = transposed(matrix, n, n);
	const v = identity(n);
	for (let sweep = 0; sweep < 60; sweep++) {
		let rotated = false;
		for (let p = 0; p < n - 1; p++) {
			for (let q = p + 1; q < n; q++) {
				let pp = 0;
				let qq = 0;
				let pq = 0;
				for (let i = 0; i < n; i++) {
					const ap = a[p * n + i];
					const aq = a[q * n + i];
					pp += ap * ap;
					qq += aq * aq;
					pq += ap * aq;
				}
				if (!(Math.abs(pq) > 1e-15 * Math.sqrt(pp * qq)) || pq === 0) continue;
				rotated = true;
				const zeta = (qq - pp) / (2 * pq);
				const tangent = Math.sign(zeta || 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
				const cosine = 1 / Math.sqrt(1 + tangent * tangent);
				rotate(a, n, p, q, cosine, cosine * tangent);
				rotate(v, n, p, q, cosine, cosine * tangent);
			}
		}
		if (!rotated) break;
	}
	const norms = Array.from({ length: n }, (_, j) => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += squared(a[j * n + i]);
		return Math.sqrt(sum);
	});
	const order = norms.map((_, j) => j).sort((i, j) => norms[j] - norms[i]);
	return {
		us: columnsOf(a, n, order),
		s: Float64Array.from(order, (j) => norms[j]),
		v: columnsOf(v, n, order),
	};
}

/** Powers of two of a matrix that its spectral radius is read from. */
const squarings = 6;
/** Columns from which on a vector that is multiplied again and again costs less than squares of the matrix. */
const manyColumns = 12;

/** Spectral radius of a square matrix, from its power 64: within a few per cent, enough to choose a step. */
export function spectralRadius(matrix: Float64Array, n: number): number {
	if (n >= manyColumns) return radiusOfMany(matrix, n);
	let a: Float64Array = matrix.slice();
	let logScale = 0;
	for (let k = 0; k < squarings; k++) {
		const norm = frobenius(a);
		if (!(norm > 0) || !Number.isFinite(norm)) return norm === 0 ? 0 : Number.POSITIVE_INFINITY;
		a = a.map((value) => value / norm);
		logScale = 2 * (logScale + log(norm));
		a = product(a, a, n, n, n);
	}
	const norm = frobenius(a);
	return norm > 0 ? exp((logScale + log(norm)) / (1 << squarings)) : 0;
}

/** The same by what the power makes of a vector that no pattern of the matrix is likely to match; of the matrix, only what is not zero. */
function radiusOfMany(matrix: Float64Array, n: number): number {
	const places: number[] = [];
	for (let at = 0; at < n * n; at++) if (matrix[at] !== 0) places.push(at);
	const rows = Int32Array.from(places, (at) => Math.floor(at / n));
	const columns = Int32Array.from(places, (at) => at % n);
	const values = Float64Array.from(places, (at) => matrix[at]);
	let x = Float64Array.from({ length: n }, (_, i) => 0.25 + ((0.6180339887498949 * (i + 1)) % 1));
	let y = new Float64Array(n);
	const length = frobenius(x);
	x = x.map((value) => value / length);
	let logScale = 0;
	for (let k = 0; k < 1 << squarings; k++) {
		y.fill(0);
		for (let e = 0; e < values.length; e++) y[rows[e]] += values[e] * x[columns[e]];
		const norm = frobenius(y);
		if (!(norm > 0) || !Number.isFinite(norm)) return norm === 0 ? 0 : Number.POSITIVE_INFINITY;
		logScale += log(norm);
		for (let i = 0; i < n; i++) y[i] /= norm;
		[x, y] = [y, x];
	}
	return exp(logScale / (1 << squarings));
}

function frobenius(a: Float64Array): number {
	let sum = 0;
	for (const value of a) sum += value * value;
	return Math.sqrt(sum);
}

/** Turns rows p and q. */
function rotate(a: Float64Array, n: number, p: number, q: number, cosine: number, sine: number): void {
	for (let i = 0; i < n; i++) {
		const ap = a[p * n + i];
		const aq = a[q * n + i];
		a[p * n + i] = cosine * ap - sine * aq;
		a[q * n + i] = sine * ap + cosine * aq;
	}
}

/** A matrix whose columns are these rows. */
function columnsOf(rows: Float64Array, n: number, order: readonly number[]): Float64Array {
	const result = new Float64Array(n * n);
	for (let i = 0; i < n; i++) for (let to = 0; to < n; to++) result[i * n + to] = rows[order[to] * n + i];
	return result;
}
