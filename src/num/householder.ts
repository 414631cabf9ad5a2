/**
 * Householder's triangulation in place, for those who call it very often: the matrix stands column by column in one buffer,
 * nothing is allocated, and the right-hand side keeps all of Qᵀb.
 *
 * Reference: Golub, Van Loan, Matrix Computations, section 5.2.
 */

/**
 * Overwrites the upper triangle of `a` (column j begins at j · stride, m rows, n columns) with R, and `b` with Qᵀb. What stands
 * below the triangle is spoilt. Elements of b beyond n are what no combination of the columns can explain.
 */
export function triangulateInto(
	a: Float64Array,
	stride: number,
	b: Float64Array,
	m: number,
	n: number,
): void {
	const rank = Math.min(m, n);
	for (let k = 0; k < rank; k++) {
		const own = k * stride;
		const norm = Math.sqrt(dot(a, own, a, own, k, m));
		if (norm === 0) continue;
		const alpha = a[own + k] > 0 ? -norm : norm;
		const head = a[own + k] - alpha;
		const beta = -alpha * head;
		a[own + k] = head;
		for (let j = k + 1; j < n; j++) {
			const other = j * stride;
			subtract(a, other, a, own, dot(a, own, a, other, k, m) / beta, k, m);
		}
		subtract(b, 0, a, own, dot(a, own, b, 0, k, m) / beta, k, m);
		a[own + k] = alpha;
	}
}

/** x = R⁻¹ x for the R that `triangulateInto` left. */
export function solveTriangleInto(x: Float64Array, a: Float64Array, stride: number, n: number): void {
	for (let j = n - 1; j >= 0; j--) {
		const value = x[j] / a[j * stride + j];
		x[j] = value;
		const column = j * stride;
		for (let i = 0; i < j; i++) x[i] -= a[column + i] * value;
	}
}

function dot(a: Float64Array, p: number, b: Float64Array, q: number, from: number, to: number): number {
	let s0 = 0;
	let s1 = 0;
	let i = from;
	for (; i + 1 < to; i += 2) {
		s0 += a[p + i] * b[q + i];
		s1 += a[p + i + 1] * b[q + i + 1];
	}
	if (i < to) s0 += a[p + i] * b[q + i];
	return s0 + s1;
}

function subtract(
	a: Float64Array,
	p: number,
	b: Float64Array,
	q: number,
	factor: number,
	from: number,
	to: number,
): void {
	for (let i = from; i < to; i++) a[p + i] -= factor * b[q + i];
}
