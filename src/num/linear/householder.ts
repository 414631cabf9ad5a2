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
	eliminate(a, stride, m, n, n, b);
}

/** The same of the first columns alone: their reflections go over all `width` columns, a right-hand side being one of them. */
export function triangulateLeadingInto(
	a: Float64Array,
	stride: number,
	m: number,
	lead: number,
	width: number,
): void {
	eliminate(a, stride, m, lead, width);
}

function eliminate(
	a: Float64Array,
	stride: number,
	m: number,
	lead: number,
	width: number,
	b?: Float64Array,
): void {
	for (let k = 0; k < Math.min(m, lead); k++) {
		const own = k * stride;
		const alpha = reflectorInto(a, own, k, k + 1, m);
		if (alpha === 0) continue;
		const beta = -alpha * a[own + k];
		let j = reflectFours(a, own, stride, k + 1, width, k, k + 1, m, beta);
		for (; j < width; j++) subtract(a, j * stride, a, own, dot(a, own, a, j * stride, k, m) / beta, k, m);
		if (b) subtract(b, 0, a, own, dot(a, own, b, 0, k, m) / beta, k, m);
		a[own + k] = alpha;
	}
}

/**
 * Makes a column, from its row k on, the vector that reflects it on its first element; that element will be what is given back.
 * Between row k and row `below` the column is zero, and is passed over.
 */
export function reflectorInto(a: Float64Array, own: number, k: number, below: number, m: number): number {
	// Two sums, of every other element each: they do not wait for one another.
	const x = a[own + k];
	let even = x * x;
	let odd = 0;
	const gap = (below - k) & 1;
	for (let i = below + gap; i < m; i += 2) even += a[own + i] * a[own + i];
	for (let i = below + 1 - gap; i < m; i += 2) odd += a[own + i] * a[own + i];
	const norm = Math.sqrt(even + odd);
	const alpha = x > 0 ? -norm : norm;
	a[own + k] -= alpha;
	return alpha;
}

/**
 * As many of the columns `from` to `to` as are whole fours, for which the vector is read once; the first that is left. Between k and
 * `below` the vector is zero.
 */
export function reflectFours(
	a: Float64Array,
	own: number,
	stride: number,
	from: number,
	to: number,
	k: number,
	below: number,
	m: number,
	beta: number,
): number {
	const head = a[own + k];
	let j = from;
	for (; j + 3 < to; j += 4) {
		const p0 = j * stride;
		const p1 = p0 + stride;
		const p2 = p1 + stride;
		const p3 = p2 + stride;
		let s0 = head * a[p0 + k];
		let s1 = head * a[p1 + k];
		let s2 = head * a[p2 + k];
		let s3 = head * a[p3 + k];
		for (let i = below; i < m; i++) {
			const v = a[own + i];
			s0 += v * a[p0 + i];
			s1 += v * a[p1 + i];
			s2 += v * a[p2 + i];
			s3 += v * a[p3 + i];
		}
		s0 /= beta;
		s1 /= beta;
		s2 /= beta;
		s3 /= beta;
		a[p0 + k] -= s0 * head;
		a[p1 + k] -= s1 * head;
		a[p2 + k] -= s2 * head;
		a[p3 + k] -= s3 * head;
		for (let i = below; i < m; i++) {
			const v = a[own + i];
			a[p0 + i] -= s0 * v;
			a[p1 + i] -= s1 * v;
			a[p2 + i] -= s2 * v;
			a[p3 + i] -= s3 * v;
		}
	}
	return j;
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
