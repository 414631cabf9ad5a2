/**
 * Householder's triangulation of a matrix over a diagonal one, in place, that knows where the zeros are: column k of the upper
 * part ends at row `reach[k]`, which rises, and of the lower part only the first k + 1 rows are filled when its turn comes.
 */
export function triangulateDampedInto(
	upper: Float64Array,
	rows: number,
	reach: ArrayLike<number>,
	/** k × k, column by column: the diagonal, else 0. */
	lower: Float64Array,
	right: Float64Array,
	lowerRight: Float64Array,
	n: number,
): void {
	for (let k = 0; k < n; k++) {
		const own = k * rows;
		const low = k * n;
		const end = reach[k];
		let squares = 0;
		for (let i = k; i <= end; i++) squares += upper[own + i] * upper[own + i];
		for (let i = 0; i <= k; i++) squares += lower[low + i] * lower[low + i];
		const norm = Math.sqrt(squares);
		if (norm === 0) continue;
		const alpha = upper[own + k] > 0 ? -norm : norm;
		const beta = -alpha * (upper[own + k] - alpha);
		upper[own + k] -= alpha;
		for (let j = k + 1; j < n; j++) reflect(upper, j * rows, own, k, end, lower, j * n, low, beta);
		let product = 0;
		for (let i = k; i <= end; i++) product += upper[own + i] * right[i];
		for (let i = 0; i <= k; i++) product += lower[low + i] * lowerRight[i];
		const share = product / beta;
		for (let i = k; i <= end; i++) right[i] -= share * upper[own + i];
		for (let i = 0; i <= k; i++) lowerRight[i] -= share * lower[low + i];
		upper[own + k] = alpha;
	}
}

function reflect(
	upper: Float64Array,
	other: number,
	own: number,
	k: number,
	end: number,
	lower: Float64Array,
	otherLow: number,
	low: number,
	beta: number,
): void {
	let product = 0;
	for (let i = k; i <= end; i++) product += upper[own + i] * upper[other + i];
	for (let i = 0; i <= k; i++) product += lower[low + i] * lower[otherLow + i];
	const share = product / beta;
	for (let i = k; i <= end; i++) upper[other + i] -= share * upper[own + i];
	for (let i = 0; i <= k; i++) lower[otherLow + i] -= share * lower[low + i];
}
