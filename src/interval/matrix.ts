/**
 * Products of interval matrices, row-major, entry (r, c) of a matrix with n columns at 2(rn + c). Each term
 * and each partial sum is rounded outward, so a sum of k terms is off by at most k roundings of its partial
 * sums.
 */
import { addInto, addProductInto, type Bounds, scaleInto } from "./arithmetic.ts";

/**
 * out = A·B, A with `rows` × `inner` entries and B with `inner` × `columns`; out must be neither. A vector is
 * a matrix of one column.
 */
export function matrixMultiplyInto(
	out: Float64Array,
	a: Bounds,
	b: Bounds,
	rows: number,
	inner: number,
	columns: number,
): void {
	for (let r = 0; r < rows; r++) {
		for (let c = 0; c < columns; c++) {
			const o = 2 * (r * columns + c);
			out[o] = 0;
			out[o + 1] = 0;
			for (let k = 0; k < inner; k++)
				addProductInto(out, o, a, 2 * (r * inner + k), b, 2 * (k * columns + c));
		}
	}
}

const term = new Float64Array(2);
/** out = A·B for a matrix A of finite numbers, entry (r, k) at r·inner + k. */
export function numberMatrixMultiplyInto(
	out: Float64Array,
	a: ArrayLike<number>,
	b: Bounds,
	rows: number,
	inner: number,
	columns: number,
): void {
	for (let r = 0; r < rows; r++) {
		for (let c = 0; c < columns; c++) {
			const o = 2 * (r * columns + c);
			out[o] = 0;
			out[o + 1] = 0;
			for (let k = 0; k < inner; k++) {
				scaleInto(term, 0, b, 2 * (k * columns + c), a[r * inner + k]);
				addInto(out, o, out, o, term, 0);
			}
		}
	}
}
