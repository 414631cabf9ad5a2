import { choleskyInto } from "../../num/linear/cholesky.ts";

/** The lower triangle L of L Lᵀ. */
export type Cholesky = Float64Array;

/** `undefined` where the matrix is not definite. The matrix is kept. */
export function factored(matrix: Float64Array, n: number): Cholesky | undefined {
	const factor = matrix.slice();
	return choleskyInto(factor, n) ? factor : undefined;
}
