/**
 * LU factorisation of a small dense complex matrix with partial pivoting, as num/linear/lu.ts does it for real ones: in place,
 * row-major, real and imaginary parts in two arrays. Nothing is allocated.
 */

/**
 * Overwrites re + i im (n x n) with its factors (unit lower triangle below the diagonal, the diagonal inverted) and `pivots`
 * with the row swapped into each place. False when a pivot is zero or not finite: the matrix is then spoilt.
 */
export function complexLuFactorInto(
	re: Float64Array,
	im: Float64Array,
	pivots: Int32Array,
	n: number,
): boolean {
	for (let k = 0; k < n; k++) {
		let pivot = k;
		let largest = -1;
		for (let i = k; i < n; i++) {
			const size = Math.abs(re[i * n + k]) + Math.abs(im[i * n + k]);
			// Written so that NaN wins, and is found out below.
			if (!(size <= largest)) {
				largest = size;
				pivot = i;
			}
		}
		pivots[k] = pivot;
		if (!(largest > 0 && largest < Infinity)) return false;
		if (pivot !== k) {
			swapRows(re, k, pivot, n);
			swapRows(im, k, pivot, n);
		}
		// 1 / (a + i b), scaled against overflow.
		const a = re[k * n + k] / largest;
		const b = im[k * n + k] / largest;
		const scale = largest * (a * a + b * b);
		const inverseRe = a / scale;
		const inverseIm = -b / scale;
		re[k * n + k] = inverseRe;
		im[k * n + k] = inverseIm;
		for (let i = k + 1; i < n; i++) {
			const p = re[i * n + k];
			const q = im[i * n + k];
			if (p === 0 && q === 0) continue;
			const factorRe = p * inverseRe - q * inverseIm;
			const factorIm = p * inverseIm + q * inverseRe;
			re[i * n + k] = factorRe;
			im[i * n + k] = factorIm;
			for (let j = k + 1; j < n; j++) {
				const c = re[k * n + j];
				const d = im[k * n + j];
				re[i * n + j] -= factorRe * c - factorIm * d;
				im[i * n + j] -= factorRe * d + factorIm * c;
			}
		}
	}
	return true;
}

/**
 * Solves A z = b for each of `nColumns` right-hand sides: zRe + i zIm, row-major n x nColumns, holds them when called and
 * the solutions afterwards.
 */
export function complexLuSolveInto(
	zRe: Float64Array,
	zIm: Float64Array,
	nColumns: number,
	re: Float64Array,
	im: Float64Array,
	pivots: Int32Array,
	n: number,
): void {
	for (let k = 0; k < n; k++) {
		if (pivots[k] === k) continue;
		swapRows(zRe, k, pivots[k], nColumns);
		swapRows(zIm, k, pivots[k], nColumns);
	}
	for (let c = 0; c < nColumns; c++) {
		for (let i = 1; i < n; i++) {
			let sumRe = zRe[i * nColumns + c];
			let sumIm = zIm[i * nColumns + c];
			for (let j = 0; j < i; j++) {
				const a = re[i * n + j];
				const b = im[i * n + j];
				const p = zRe[j * nColumns + c];
				const q = zIm[j * nColumns + c];
				sumRe -= a * p - b * q;
				sumIm -= a * q + b * p;
			}
			zRe[i * nColumns + c] = sumRe;
			zIm[i * nColumns + c] = sumIm;
		}
		for (let i = n - 1; i >= 0; i--) {
			let sumRe = zRe[i * nColumns + c];
			let sumIm = zIm[i * nColumns + c];
			for (let j = i + 1; j < n; j++) {
				const a = re[i * n + j];
				const b = im[i * n + j];
				const p = zRe[j * nColumns + c];
				const q = zIm[j * nColumns + c];
				sumRe -= a * p - b * q;
				sumIm -= a * q + b * p;
			}
			const inverseRe = re[i * n + i];
			const inverseIm = im[i * n + i];
			zRe[i * nColumns + c] = sumRe * inverseRe - sumIm * inverseIm;
			zIm[i * nColumns + c] = sumRe * inverseIm + sumIm * inverseRe;
		}
	}
}

function swapRows(a: Float64Array, i: number, j: number, width: number): void {
	for (let k = 0; k < width; k++) {
		const held = a[i * width + k];
		a[i * width + k] = a[j * width + k];
		a[j * width + k] = held;
	}
}
