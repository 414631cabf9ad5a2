/**
 * Linear least squares, small in columns and long in rows: Householder QR, then the singular values of the triangle by
 * one-sided Jacobi rotations (accurate for small singular values too). All matrices are row-major.
 *
 * Reference: Golub, Van Loan, Matrix Computations, sections 5.2 and 8.6.3.
 */
import { exp, log } from "./elementary/number.ts";
import { squared } from "./whole-power.ts";

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
		for (let k = 0; k < Math.min(rows, n); k++) reflect(columns, stride, k, rows, n + 1);
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

/** Householder's reflection that clears column k below its row k, applied to the columns after it, two at a time. */
function reflect(a: Float64Array, stride: number, k: number, rows: number, width: number): void {
	const own = k * stride;
	let square = 0;
	let odd = 0;
	for (let i = k; i < rows; i += 2) square += a[own + i] * a[own + i];
	for (let i = k + 1; i < rows; i += 2) odd += a[own + i] * a[own + i];
	const norm = Math.sqrt(square + odd);
	if (norm === 0) return;
	const alpha = a[own + k] > 0 ? -norm : norm;
	const head = a[own + k] - alpha;
	const beta = -alpha * head;
	a[own + k] = head;
	let j = k + 1;
	for (; j + 1 < width; j += 2) {
		const first = j * stride;
		const second = first + stride;
		let s = 0;
		let t = 0;
		for (let i = k; i < rows; i++) {
			const v = a[own + i];
			s += v * a[first + i];
			t += v * a[second + i];
		}
		s /= beta;
		t /= beta;
		for (let i = k; i < rows; i++) {
			const v = a[own + i];
			a[first + i] -= s * v;
			a[second + i] -= t * v;
		}
	}
	if (j < width) {
		const last = j * stride;
		let s = 0;
		for (let i = k; i < rows; i++) s += a[own + i] * a[last + i];
		s /= beta;
		for (let i = k; i < rows; i++) a[last + i] -= s * a[own + i];
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
	const a = matrix.slice();
	const v = new Float64Array(n * n);
	for (let i = 0; i < n; i++) v[i * n + i] = 1;
	for (let sweep = 0; sweep < 60; sweep++) {
		let rotated = false;
		for (let p = 0; p < n - 1; p++) {
			for (let q = p + 1; q < n; q++) {
				let pp = 0;
				let qq = 0;
				let pq = 0;
				for (let i = 0; i < n; i++) {
					pp += squared(a[i * n + p]);
					qq += squared(a[i * n + q]);
					pq += a[i * n + p] * a[i * n + q];
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
		for (let i = 0; i < n; i++) sum += squared(a[i * n + j]);
		return Math.sqrt(sum);
	});
	const order = norms.map((_, j) => j).sort((i, j) => norms[j] - norms[i]);
	return {
		us: permuteColumns(a, n, order),
		s: Float64Array.from(order, (j) => norms[j]),
		v: permuteColumns(v, n, order),
	};
}

/** Spectral radius of a small square matrix, by repeated squaring: within a few per cent, enough to choose a step. */
export function spectralRadius(matrix: Float64Array, n: number): number {
	let a: Float64Array = matrix.slice();
	let logScale = 0;
	const squarings = 6;
	for (let k = 0; k < squarings; k++) {
		const norm = frobenius(a);
		if (!(norm > 0) || !Number.isFinite(norm)) return norm === 0 ? 0 : Number.POSITIVE_INFINITY;
		a = a.map((value) => value / norm);
		logScale = 2 * (logScale + log(norm));
		a = multiply(a, a, n);
	}
	const norm = frobenius(a);
	return norm > 0 ? exp((logScale + log(norm)) / (1 << squarings)) : 0;
}

function multiply(a: Float64Array, b: Float64Array, n: number): Float64Array {
	const product = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let k = 0; k < n; k++) {
			const value = a[i * n + k];
			for (let j = 0; j < n; j++) product[i * n + j] += value * b[k * n + j];
		}
	return product;
}

function frobenius(a: Float64Array): number {
	let sum = 0;
	for (const value of a) sum += value * value;
	return Math.sqrt(sum);
}

function rotate(a: Float64Array, n: number, p: number, q: number, cosine: number, sine: number): void {
	for (let i = 0; i < n; i++) {
		const ap = a[i * n + p];
		const aq = a[i * n + q];
		a[i * n + p] = cosine * ap - sine * aq;
		a[i * n + q] = sine * ap + cosine * aq;
	}
}

function permuteColumns(a: Float64Array, n: number, order: readonly number[]): Float64Array {
	const result = new Float64Array(n * n);
	for (let i = 0; i < n; i++) for (let to = 0; to < n; to++) result[i * n + to] = a[i * n + order[to]];
	return result;
}
