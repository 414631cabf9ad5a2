/**
 * Sample autocorrelation of a series, for lags 0 to `lags`; the mean is removed, and pairs with a hole (no finite number) are left
 * out. NaN where nothing varies.
 */
export function autocorrelation(series: Float64Array, lags: number): Float64Array {
	const n = series.length;
	let count = 0;
	for (const value of series) if (Number.isFinite(value)) count++;
	let mean = 0;
	for (const value of series) if (Number.isFinite(value)) mean += value / count;
	const centred = series.map((value) => (Number.isFinite(value) ? value - mean : 0));
	const result = new Float64Array(Math.min(lags, Math.max(0, n - 1)) + 1);
	let variance = 0;
	for (const value of centred) variance += value * value;
	for (let lag = 0; lag < result.length; lag++) {
		let sum = 0;
		for (let i = 0; i + lag < n; i++) sum += centred[i] * centred[i + lag];
		result[lag] = variance > 0 ? sum / variance : Number.NaN;
	}
	return result;
}
