/**
 * A positive semidefinite matrix as a product of few columns, A ≈ L Lᵀ, by Cholesky with diagonal pivoting: it stops
 * when what is left of the trace is negligible. For covariances of smooth processes the rank is far below n.
 *
 * Reference: Harbrecht, Peters, Schneider, "On the low-rank approximation by the pivoted Cholesky decomposition", 2012.
 */

export interface LowRank {
	/** Row-major n × rank. */
	readonly factor: Float64Array;
	readonly rank: number;
	/** Rows that were chosen, in their order: there the factor is lower triangular. */
	readonly pivots: readonly number[];
	/** Trace of A - L Lᵀ, at most `tolerance` times the trace of A. */
	readonly left: number;
}

/** `a` is row-major n × n; negative rests on the diagonal (rounding) count as zero. */
export function pivotedCholesky(a: Float64Array, n: number, tolerance = 1e-10): LowRank {
	const diagonal = Float64Array.from({ length: n }, (_, i) => Math.max(a[i * n + i], 0));
	const trace = diagonal.reduce((sum, value) => sum + value, 0);
	const columns: Float64Array[] = [];
	const pivots: number[] = [];
	let left = trace;
	while (columns.length < n && left > tolerance * trace) {
		let pivot = 0;
		for (let i = 1; i < n; i++) if (diagonal[i] > diagonal[pivot]) pivot = i;
		if (!(diagonal[pivot] > 0)) break;
		const root = Math.sqrt(diagonal[pivot]);
		const column = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			let value = a[i * n + pivot];
			for (const earlier of columns) value -= earlier[i] * earlier[pivot];
			column[i] = value / root;
		}
		left = 0;
		for (let i = 0; i < n; i++) {
			diagonal[i] = i === pivot ? 0 : Math.max(diagonal[i] - column[i] * column[i], 0);
			left += diagonal[i];
		}
		columns.push(column);
		pivots.push(pivot);
	}
	const rank = columns.length;
	const factor = new Float64Array(n * rank);
	columns.forEach((column, c) => {
		for (let i = 0; i < n; i++) factor[i * rank + c] = column[i];
	});
	return { factor, rank, pivots, left };
}
