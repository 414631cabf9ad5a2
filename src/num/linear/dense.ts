/** Products of vectors and of dense row-major matrices. */

export function dot(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
	return sum;
}

/** A B for A (m × k) and B (k × n). */
export function product(
	a: Float64Array,
	b: Float64Array,
	m: number,
	k: number,
	n: number,
): Float64Array<ArrayBuffer> {
	const out = new Float64Array(m * n);
	for (let i = 0; i < m; i++)
		for (let l = 0; l < k; l++) {
			const value = a[i * k + l];
			if (value === 0) continue;
			for (let j = 0; j < n; j++) out[i * n + j] += value * b[l * n + j];
		}
	return out;
}

export function identity(n: number): Float64Array<ArrayBuffer> {
	const out = new Float64Array(n * n);
	for (let i = 0; i < n; i++) out[i * n + i] = 1;
	return out;
}

const square = 16;

/** Aᵀ for A (m × n). */
export function transposed(a: Float64Array, m: number, n: number): Float64Array {
	const out = new Float64Array(m * n);
	// In squares that stay near: a column of a large matrix lies far apart.
	for (let top = 0; top < m; top += square)
		for (let left = 0; left < n; left += square)
			for (let i = top; i < Math.min(top + square, m); i++)
				for (let j = left; j < Math.min(left + square, n); j++) out[j * m + i] = a[i * n + j];
	return out;
}
