/**
 * Cholesky factorisation of a symmetric positive definite band matrix, A = L Lᵀ, and the part of A⁻¹ that lies near its
 * diagonal: both in O(n · band²), without the rest of the inverse.
 *
 * Row i of a band holds its entries at columns i - band … i, at positions i·(band + 1) + 0 … band.
 *
 * References: Golub, Van Loan, Matrix Computations, section 4.3.5; Takahashi, Fagan, Chen, "Formation of a sparse bus
 * impedance matrix and its application to short circuit study", 1973.
 */
import { log } from "../elementary/number.ts";

/** Overwrites the lower band of A with that of L. False when A is not positive definite or not finite. */
export function bandedCholeskyInto(a: Float64Array, n: number, band: number): boolean {
	const width = band + 1;
	for (let i = 0; i < n; i++) {
		const row = i * width + band - i;
		for (let j = Math.max(0, i - band); j <= i; j++) {
			const other = j * width + band - j;
			let sum = a[row + j];
			for (let k = Math.max(0, i - band, j - band); k < j; k++) sum -= a[row + k] * a[other + k];
			if (i === j) {
				if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) return false;
				a[row + i] = Math.sqrt(sum);
			} else a[row + j] = sum / a[other + j];
		}
	}
	return true;
}

/** x = (L Lᵀ)⁻¹ x. */
export function bandedSolveInto(x: Float64Array, l: Float64Array, n: number, band: number): void {
	const width = band + 1;
	for (let i = 0; i < n; i++) {
		const row = i * width + band - i;
		let sum = x[i];
		for (let k = Math.max(0, i - band); k < i; k++) sum -= l[row + k] * x[k];
		x[i] = sum / l[row + i];
	}
	for (let i = n - 1; i >= 0; i--) {
		const row = i * width + band - i;
		const value = x[i] / l[row + i];
		x[i] = value;
		for (let k = Math.max(0, i - band); k < i; k++) x[k] -= l[row + k] * value;
	}
}

/** log det (L Lᵀ). */
export function bandedLogDeterminant(l: Float64Array, n: number, band: number): number {
	let sum = 0;
	for (let i = 0; i < n; i++) sum += log(l[i * (band + 1) + band]);
	return 2 * sum;
}

/** Entries (i, i) … (i, i + reach) of (L Lᵀ)⁻¹ in row i, at i·(reach + 1) + 0 … reach; `reach` is at least the band. */
export function bandedInverse(l: Float64Array, n: number, band: number, reach: number): Float64Array {
	const width = band + 1;
	const size = reach + 1;
	const z = new Float64Array(n * size);
	for (let i = n - 1; i >= 0; i--) {
		const diagonal = l[i * width + band];
		const last = Math.min(n - 1, i + band);
		for (let j = Math.min(n - 1, i + reach); j >= i; j--) {
			// L_ii z_ij = δ_ij / L_ii - Σ_k L_ki z_kj over the rows k below i.
			let sum = i === j ? 1 / diagonal : 0;
			for (let k = i + 1; k <= last; k++) {
				const entry = k <= j ? z[k * size + j - k] : z[j * size + k - j];
				sum -= l[k * width + band - k + i] * entry;
			}
			z[i * size + j - i] = sum / diagonal;
		}
	}
	return z;
}
