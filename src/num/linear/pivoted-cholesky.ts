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

/** A symmetric matrix of which only the diagonal and some columns are ever computed. */
export interface ByColumns {
	readonly diagonal: Float64Array;
	column(j: number): Float64Array;
}

/** In pieces of one column; negative rests on the diagonal (rounding) count as zero. */
export function* pivotedCholesky(a: ByColumns, tolerance = 1e-10): Generator<void, LowRank> {
	const n = a.diagonal.length;
	const diagonal = a.diagonal.map((value) => Math.max(value, 0));
	const trace = diagonal.reduce((sum, value) => sum + value, 0);
	const columns: Float64Array[] = [];
	const pivots: number[] = [];
	let left = trace;
	while (columns.length < n && left > tolerance * trace) {
		let pivot = 0;
		for (let i = 1; i < n; i++) if (diagonal[i] > diagonal[pivot]) pivot = i;
		if (!(diagonal[pivot] > 0)) break;
		const root = Math.sqrt(diagonal[pivot]);
		const column = a.column(pivot);
		takeOff(column, columns, pivot);
		left = 0;
		for (let i = 0; i < n; i++) {
			column[i] /= root;
			diagonal[i] = i === pivot ? 0 : Math.max(diagonal[i] - column[i] * column[i], 0);
			left += diagonal[i];
		}
		columns.push(column);
		pivots.push(pivot);
		yield;
	}
	const rank = columns.length;
	const factor = new Float64Array(n * rank);
	columns.forEach((column, c) => {
		for (let i = 0; i < n; i++) factor[i * rank + c] = column[i];
	});
	return { factor, rank, pivots, left };
}

/** What the columns so far explain of the pivot's column is taken off it. */
function takeOff(column: Float64Array, columns: readonly Float64Array[], pivot: number): void {
	const n = column.length;
	let k = 0;
	// Four columns at once, taken off in their order: each number is fetched and put back a quarter as often.
	for (; k + 3 < columns.length; k += 4) {
		const [c0, c1, c2, c3] = [columns[k], columns[k + 1], columns[k + 2], columns[k + 3]];
		const [s0, s1, s2, s3] = [c0[pivot], c1[pivot], c2[pivot], c3[pivot]];
		for (let i = 0; i < n; i++) column[i] = column[i] - c0[i] * s0 - c1[i] * s1 - c2[i] * s2 - c3[i] * s3;
	}
	for (; k < columns.length; k++) {
		const earlier = columns[k];
		const share = earlier[pivot];
		for (let i = 0; i < n; i++) column[i] -= earlier[i] * share;
	}
}
