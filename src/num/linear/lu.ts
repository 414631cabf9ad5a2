/**
 * LU factorisation of a small dense matrix with partial pivoting, in place and row-major, after
 * Golub and Van Loan, Matrix Computations, 3.4. Nothing is allocated.
 */

/**
 * Overwrites the row-major n x n matrix `a` with its factors (unit lower triangle below the diagonal) and `pivots` with
 * the row swapped into each place. False when the matrix is singular or not finite: `a` is then spoilt.
 */
export function luFactorInto(a: Float64Array, pivots: Int32Array, n: number): boolean {
	for (let k = 0; k < n; k++) {
		let pivot = k;
		let largest = Math.abs(a[k * n + k]);
		for (let i = k + 1; i < n; i++) {
			const size = Math.abs(a[i * n + k]);
			if (size > largest) {
				largest = size;
				pivot = i;
			}
		}
		pivots[k] = pivot;
		if (!(largest > 0 && largest < Infinity)) return false;
		if (pivot !== k) {
			for (let j = 0; j < n; j++) {
				const held = a[k * n + j];
				a[k * n + j] = a[pivot * n + j];
				a[pivot * n + j] = held;
			}
		}
		const diagonal = a[k * n + k];
		for (let i = k + 1; i < n; i++) {
			const factor = a[i * n + k] / diagonal;
			a[i * n + k] = factor;
			if (factor === 0) continue;
			for (let j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
		}
	}
	return true;
}

/** Solves A x = b with the factors of A: `x` holds b when called and the solution afterwards. */
export function luSolveInto(x: Float64Array, lu: Float64Array, pivots: Int32Array, n: number): void {
	for (let k = 0; k < n; k++) {
		const pivot = pivots[k];
		if (pivot === k) continue;
		const held = x[k];
		x[k] = x[pivot];
		x[pivot] = held;
	}
	for (let i = 1; i < n; i++) {
		let sum = x[i];
		for (let j = 0; j < i; j++) sum -= lu[i * n + j] * x[j];
		x[i] = sum;
	}
	for (let i = n - 1; i >= 0; i--) {
		let sum = x[i];
		for (let j = i + 1; j < n; j++) sum -= lu[i * n + j] * x[j];
		x[i] = sum / lu[i * n + i];
	}
}

/** The same for many right-hand sides at once: `x` is row-major n x nColumns. */
export function luSolveColumnsInto(
	x: Float64Array,
	nColumns: number,
	lu: Float64Array,
	pivots: Int32Array,
	n: number,
): void {
	for (let k = 0; k < n; k++) {
		const pivot = pivots[k];
		if (pivot === k) continue;
		for (let c = 0; c < nColumns; c++) {
			const held = x[k * nColumns + c];
			x[k * nColumns + c] = x[pivot * nColumns + c];
			x[pivot * nColumns + c] = held;
		}
	}
	for (let i = 1; i < n; i++) {
		for (let j = 0; j < i; j++) subtractRow(x, nColumns, i, j, lu[i * n + j]);
	}
	for (let i = n - 1; i >= 0; i--) {
		for (let j = i + 1; j < n; j++) subtractRow(x, nColumns, i, j, lu[i * n + j]);
		const diagonal = lu[i * n + i];
		for (let c = 0; c < nColumns; c++) x[i * nColumns + c] /= diagonal;
	}
}

function subtractRow(x: Float64Array, nColumns: number, i: number, j: number, factor: number): void {
	if (factor === 0) return;
	const to = i * nColumns;
	const from = j * nColumns;
	for (let c = 0; c < nColumns; c++) x[to + c] -= factor * x[from + c];
}
