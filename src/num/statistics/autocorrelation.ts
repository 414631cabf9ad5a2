/** Sample autocorrelation of a series, for lags 0 to `lags`; the mean is removed. */
export function autocorrelation(series: Float64Array, lags: number): Float64Array {
	const n = series.length;
	let mean = 0;
	for (const value of series) mean += value / n;
	const centred = series.map((value) => value - mean);
	const result = new Float64Array(Math.min(lags, n - 1) + 1);
	let variance = 0;
	for (const value of centred) variance += value * value;
	for (let lag = 0; lag < result.length; lag++) {
		let sum = 0;
		for (let i = 0; i + lag < n; i++) sum += centred[i] * centred[i + lag];
		result[lag] = variance > 0 ? sum / variance : lag === 0 ? 1 : 0;
	}
	return result;
}
