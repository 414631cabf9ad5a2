/**
 * Weighted sums of the stage vectors of a method, which stand as rows of n in one buffer: the inner loop of every step.
 */
export interface WeightedSum {
	/** Where the rows with a weight other than zero begin. */
	readonly offsets: Int32Array;
	readonly weights: Float64Array;
}

export function weightedSum(row: readonly number[], n: number): WeightedSum {
	const rows = row.flatMap((weight, j) => (weight === 0 ? [] : [j]));
	return { offsets: Int32Array.from(rows, (j) => j * n), weights: Float64Array.from(rows, (j) => row[j]) };
}

/** out = scale * sum_j weights[j] rows[j] */
export function sumInto(
	out: Float64Array,
	{ offsets, weights }: WeightedSum,
	rows: Float64Array,
	scale: number,
	n: number,
): void {
	const count = weights.length;
	for (let i = 0; i < n; i++) {
		let sum = 0;
		for (let j = 0; j < count; j++) sum += weights[j] * rows[offsets[j] + i];
		out[i] = scale * sum;
	}
}

/** out = x + scale * sum_j weights[j] rows[j] */
export function sumFromInto(
	out: Float64Array,
	x: Float64Array,
	{ offsets, weights }: WeightedSum,
	rows: Float64Array,
	scale: number,
	n: number,
): void {
	const count = weights.length;
	for (let i = 0; i < n; i++) {
		let sum = 0;
		for (let j = 0; j < count; j++) sum += weights[j] * rows[offsets[j] + i];
		out[i] = x[i] + scale * sum;
	}
}
