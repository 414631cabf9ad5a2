/**
 * Systematic resampling: n places on an even comb with one random offset. A particle of weight w gets n·w children,
 * rounded up or down.
 */
export function systematicResample(weights: Float64Array, u: number, count = weights.length): Int32Array {
	const parents = new Int32Array(count);
	let last = weights.length - 1;
	while (last > 0 && !(weights[last] > 0)) last--;
	let total = 0;
	for (const weight of weights) total += weight;
	let i = 0;
	let reached = weights[0];
	for (let k = 0; k < count; k++) {
		const tooth = ((k + u) / count) * total;
		while (reached < tooth && i < last) reached += weights[++i];
		parents[k] = i;
	}
	return parents;
}
