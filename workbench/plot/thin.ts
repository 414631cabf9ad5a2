/**
 * A long record as few points: each bucket of samples gives its lowest and its highest value of each column, in the order
 * in which they come. What is drawn looks the same.
 */
export interface Thinned {
	readonly x: Float64Array;
	readonly columns: readonly Float64Array[];
}

/** Samples from `from` below `to`, at most two for each of `nBuckets`. */
export function thin(
	x: Float64Array,
	columns: readonly Float64Array[],
	from: number,
	to: number,
	nBuckets: number,
): Thinned {
	const n = to - from;
	if (n <= 2 * nBuckets)
		return { x: x.slice(from, to), columns: columns.map((values) => values.slice(from, to)) };
	const out = new Float64Array(2 * nBuckets);
	const thinned = columns.map(() => new Float64Array(2 * nBuckets));
	for (let bucket = 0; bucket < nBuckets; bucket++) {
		const start = from + Math.floor((bucket * n) / nBuckets);
		const end = from + Math.floor(((bucket + 1) * n) / nBuckets);
		out[2 * bucket] = x[start];
		out[2 * bucket + 1] = x[(start + end) >> 1];
		for (let c = 0; c < columns.length; c++) {
			const values = columns[c];
			let low = -1;
			let high = -1;
			let least = Infinity;
			let most = -Infinity;
			for (let i = start; i < end; i++) {
				const value = values[i];
				if (value < least) {
					least = value;
					low = i;
				}
				if (value > most) {
					most = value;
					high = i;
				}
			}
			const none = low < 0;
			thinned[c][2 * bucket] = none ? Number.NaN : low < high ? least : most;
			thinned[c][2 * bucket + 1] = none ? Number.NaN : low < high ? most : least;
		}
	}
	return { x: out, columns: thinned };
}

/** First index at or after a time; times rise. */
export function indexAt(x: Float64Array, time: number): number {
	let lo = 0;
	let hi = x.length;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (x[middle] < time) lo = middle + 1;
		else hi = middle;
	}
	return lo;
}
