/**
 * The inverse of a large symmetric positive definite matrix, in place, block by block: with the pivot block K,
 *
 *   A_IJ ← A_IJ - A_IK A_KK⁻¹ A_KJ,   A_IK ← A_IK A_KK⁻¹,   A_KK ← -A_KK⁻¹
 *
 * for all other I and J; when every block was the pivot once, A has become -A⁻¹. The products run along short rows that stay
 * in the cache, several at a time.
 *
 * Reference: Goodnight, "A tutorial on the SWEEP operator", The American Statistician 33, 1979.
 */
import { dotsInto } from "./block-products.ts";
import { choleskyInto, choleskyInverse } from "./cholesky.ts";

const blockSize = 48;

/**
 * Overwrites `a` (n × n, row-major; only the lower triangle is read) with its inverse, both triangles. False when the matrix is
 * not positive definite to rounding or not finite: `a` is then spoilt.
 */
export function invertDefiniteInto(a: Float64Array, n: number): boolean {
	const slices = invertDefiniteInSlices(a, n);
	for (;;) {
		const { done, value } = slices.next();
		if (done) return value;
	}
}

/** The same with a pause after each block, told how many rows are done. */
export function* invertDefiniteInSlices(a: Float64Array, n: number): Generator<number, boolean, void> {
	const left = new Float64Array(n * blockSize);
	const right = new Float64Array(n * blockSize);
	for (let from = 0; from < n; from += blockSize) {
		const size = Math.min(blockSize, n - from);
		const pivot = new Float64Array(size * size);
		for (let i = 0; i < size; i++)
			for (let j = 0; j <= i; j++) pivot[i * size + j] = a[(from + i) * n + from + j];
		if (!choleskyInto(pivot, size)) return false;
		const inverse = choleskyInverse(pivot, size);
		// A_IK (packed) and A_IK A_KK⁻¹; rows of the block itself are zero, so that the update passes over them.
		for (let i = 0; i < n; i++) {
			const row = i * size;
			const isPivot = i >= from && i < from + size;
			for (let k = 0; k < size; k++)
				right[row + k] = isPivot ? 0 : i > from ? a[i * n + from + k] : a[(from + k) * n + i];
			for (let k = 0; k < size; k++) {
				let sum = 0;
				for (let m = 0; m < size; m++) sum += right[row + m] * inverse[k * size + m];
				left[row + k] = sum;
			}
		}
		subtractProducts(a, n, left, right, size);
		for (let i = 0; i < n; i++)
			for (let k = 0; k < size; k++) {
				const value = left[i * size + k];
				if (i >= from + size) a[i * n + from + k] = value;
				else if (i < from) a[(from + k) * n + i] = value;
				else a[i * n + from + k] = -inverse[(i - from) * size + k];
			}
		yield from + size;
	}
	for (let i = 0; i < n; i++)
		for (let j = 0; j <= i; j++) {
			const value = -a[i * n + j];
			a[i * n + j] = value;
			a[j * n + i] = value;
		}
	return true;
}

/** Lower triangle of A - L Rᵀ, two rows and four columns at a time. */
function subtractProducts(
	a: Float64Array,
	n: number,
	left: Float64Array,
	right: Float64Array,
	size: number,
): void {
	const sums = new Float64Array(8);
	for (let i = 0; i < n; i += 2) {
		const p = i * size;
		const q = i + 1 < n ? p + size : p;
		// Columns beyond the diagonal are computed for nothing, at most three.
		const until = Math.min(i + 2, n);
		for (let j = 0; j < until; j += 4) {
			const c0 = j * size;
			const c1 = j + 1 < n ? c0 + size : c0;
			const c2 = j + 2 < n ? c0 + 2 * size : c0;
			const c3 = j + 3 < n ? c0 + 3 * size : c0;
			dotsInto(sums, left, p, q, right, c0, c1, c2, c3, size);
			for (let m = 0; m < 4 && j + m < n; m++) {
				a[i * n + j + m] -= sums[m];
				if (i + 1 < n) a[(i + 1) * n + j + m] -= sums[4 + m];
			}
		}
	}
}
