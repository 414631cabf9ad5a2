/**
 * Cholesky factorisation of a dense symmetric positive definite matrix, A = L Lᵀ, row-major.
 *
 * Reference: Golub, Van Loan, Matrix Computations, section 4.2.
 */
import { log } from "../elementary/number.ts";

/**
 * Overwrites the lower triangle of `a` (n × n) with L; the upper triangle is left as it is and not read. False when the
 * matrix is not positive definite or not finite: `a` is then spoilt.
 */
export function choleskyInto(a: Float64Array, n: number): boolean {
	for (let i = 0; i < n; i++) {
		const rowI = i * n;
		for (let j = 0; j <= i; j++) {
			const rowJ = j * n;
			// Four sums at once: the additions do not wait for one another.
			let s0 = 0;
			let s1 = 0;
			let s2 = 0;
			let s3 = 0;
			let k = 0;
			for (; k + 3 < j; k += 4) {
				s0 += a[rowI + k] * a[rowJ + k];
				s1 += a[rowI + k + 1] * a[rowJ + k + 1];
				s2 += a[rowI + k + 2] * a[rowJ + k + 2];
				s3 += a[rowI + k + 3] * a[rowJ + k + 3];
			}
			for (; k < j; k++) s0 += a[rowI + k] * a[rowJ + k];
			const rest = a[rowI + j] - (s0 + s1 + (s2 + s3));
			if (i === j) {
				if (!(rest > 0 && rest < Number.POSITIVE_INFINITY)) return false;
				a[rowI + j] = Math.sqrt(rest);
			} else a[rowI + j] = rest / a[rowJ + j];
		}
	}
	return true;
}

/** x = L⁻¹ x. */
export function solveLowerInto(x: Float64Array, l: Float64Array, n: number): void {
	for (let i = 0; i < n; i++) {
		let sum = x[i];
		for (let k = 0; k < i; k++) sum -= l[i * n + k] * x[k];
		x[i] = sum / l[i * n + i];
	}
}

/** x = L⁻ᵀ x. */
export function solveUpperInto(x: Float64Array, l: Float64Array, n: number): void {
	for (let i = n - 1; i >= 0; i--) {
		const value = x[i] / l[i * n + i];
		x[i] = value;
		for (let k = 0; k < i; k++) x[k] -= l[i * n + k] * value;
	}
}

/** x = (L Lᵀ)⁻¹ x. */
export function choleskySolveInto(x: Float64Array, l: Float64Array, n: number): void {
	solveLowerInto(x, l, n);
	solveUpperInto(x, l, n);
}

/** X = L⁻¹ X for row-major X (n × nColumns). */
export function solveLowerColumnsInto(x: Float64Array, nColumns: number, l: Float64Array, n: number): void {
	for (let i = 0; i < n; i++) {
		const to = i * nColumns;
		for (let k = 0; k < i; k++) {
			const factor = l[i * n + k];
			if (factor === 0) continue;
			const from = k * nColumns;
			for (let c = 0; c < nColumns; c++) x[to + c] -= factor * x[from + c];
		}
		const diagonal = l[i * n + i];
		for (let c = 0; c < nColumns; c++) x[to + c] /= diagonal;
	}
}

/** (L Lᵀ)⁻¹, both triangles. */
export function choleskyInverse(l: Float64Array, n: number): Float64Array {
	// M = L⁻¹, kept by columns (row j of `m` is column j of L⁻¹), so that the products below run along rows.
	// Four of them at once: their sums do not wait for one another, and each adds up in the order that it has alone.
	const m = new Float64Array(n * n);
	for (let j = 0; j < n; j++) m[j * n + j] = 1 / l[j * n + j];
	let j = 0;
	for (; j + 3 < n; j += 4) {
		const [m0, m1, m2, m3] = [j * n, (j + 1) * n, (j + 2) * n, (j + 3) * n];
		for (let i = j + 1; i < n; i++) {
			const row = i * n;
			const own = Math.min(i, j + 3);
			let [s0, s1, s2, s3] = [0, 0, 0, 0];
			for (let k = j; k < own; k++) {
				s0 += l[row + k] * m[m0 + k];
				if (k > j) s1 += l[row + k] * m[m1 + k];
				if (k > j + 1) s2 += l[row + k] * m[m2 + k];
			}
			for (let k = own; k < i; k++) {
				const lk = l[row + k];
				s0 += lk * m[m0 + k];
				s1 += lk * m[m1 + k];
				s2 += lk * m[m2 + k];
				s3 += lk * m[m3 + k];
			}
			const diagonal = l[row + i];
			m[m0 + i] = -s0 / diagonal;
			if (i > j + 1) m[m1 + i] = -s1 / diagonal;
			if (i > j + 2) m[m2 + i] = -s2 / diagonal;
			if (i > j + 3) m[m3 + i] = -s3 / diagonal;
		}
	}
	for (; j < n; j++)
		for (let i = j + 1; i < n; i++) {
			let sum = 0;
			for (let k = j; k < i; k++) sum += l[i * n + k] * m[j * n + k];
			m[j * n + i] = -sum / l[i * n + i];
		}
	const inverse = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		const row = i * n;
		let j = 0;
		for (; j + 3 <= i; j += 4) {
			const [m0, m1, m2, m3] = [j * n, (j + 1) * n, (j + 2) * n, (j + 3) * n];
			let [s0, s1, s2, s3] = [0, 0, 0, 0];
			for (let k = i; k < n; k++) {
				const mk = m[row + k];
				s0 += mk * m[m0 + k];
				s1 += mk * m[m1 + k];
				s2 += mk * m[m2 + k];
				s3 += mk * m[m3 + k];
			}
			inverse[row + j] = inverse[m0 + i] = s0;
			inverse[row + j + 1] = inverse[m1 + i] = s1;
			inverse[row + j + 2] = inverse[m2 + i] = s2;
			inverse[row + j + 3] = inverse[m3 + i] = s3;
		}
		for (; j <= i; j++) {
			let sum = 0;
			for (let k = i; k < n; k++) sum += m[row + k] * m[j * n + k];
			inverse[row + j] = inverse[j * n + i] = sum;
		}
	}
	return inverse;
}

/** log det (L Lᵀ). */
export function choleskyLogDeterminant(l: Float64Array, n: number): number {
	let sum = 0;
	for (let i = 0; i < n; i++) sum += log(l[i * n + i]);
	return 2 * sum;
}
