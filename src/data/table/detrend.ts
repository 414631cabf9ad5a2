/** Taking a mean or a straight line off a column, and remembering what was taken. */
import type { Detrend } from "../record.ts";

/** What was taken off at time t: `mean + slope (t - about)`. */
export interface Trend {
	mean: number;
	slope: number;
	/** The mean of the times. */
	about: number;
}

/** The mean, or the line of least squares, of the values where `missing` is not 1. */
export function trendOf(
	times: Float64Array,
	values: Float64Array,
	missing: Uint8Array | undefined,
	detrend: Exclude<Detrend, "none">,
): Trend {
	let n = 0;
	let sum = 0;
	let sumTimes = 0;
	for (let i = 0; i < values.length; i++) {
		if (missing?.[i] === 1) continue;
		n++;
		sum += values[i];
		sumTimes += times[i];
	}
	const mean = n > 0 ? sum / n : 0;
	const about = n > 0 ? sumTimes / n : 0;
	if (detrend === "mean") return { mean, slope: 0, about };
	let cross = 0;
	let square = 0;
	for (let i = 0; i < values.length; i++) {
		if (missing?.[i] === 1) continue;
		const dt = times[i] - about;
		cross += dt * (values[i] - mean);
		square += dt * dt;
	}
	return { mean, slope: square > 0 ? cross / square : 0, about };
}

export function trendAt(trend: Trend, t: number): number {
	return trend.mean + trend.slope * (t - trend.about);
}

/** A copy of `values` without the trend. */
export function withoutTrend(times: Float64Array, values: Float64Array, trend: Trend): Float64Array {
	const out = new Float64Array(values.length);
	for (let i = 0; i < out.length; i++) out[i] = values[i] - trendAt(trend, times[i]);
	return out;
}
