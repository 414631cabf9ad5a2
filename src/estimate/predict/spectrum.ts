/**
 * How strong each frequency is in a series, as a share of what independent noise of the same size would have there: Welch's mean
 * of the periodograms of overlapping stretches, each tapered.
 *
 * Reference: Welch, "The use of fast Fourier transform for the estimation of power spectra", IEEE Trans. Audio Electroacoust. 15,
 * 1967. Frequencies are few, so that each is summed by Goertzel's recurrence.
 */
import { cos } from "../../num/elementary/number.ts";
import { squared } from "../../num/whole-power.ts";

export interface Spectrum {
	/** Cycles for each sample, from above 0 to a half. */
	readonly frequency: Float64Array;
	/** 1 where it is that of independent noise. */
	readonly power: Float64Array;
	/** Stretches that were taken together, as if none overlapped another. */
	readonly stretches: number;
}

const longest = 128;
/** Stretches beyond which more tell nothing that is seen. */
const mostStretches = 400;

/** Undefined where samples are missing or too few. */
export function spectrumOf(values: Float64Array): Spectrum | undefined {
	const n = values.length;
	const length = Math.min(longest, 2 * Math.floor(n / 6));
	if (length < 8) return undefined;
	let mean = 0;
	for (const value of values) mean += value / n;
	let variance = 0;
	for (const value of values) variance += squared(value - mean) / n;
	if (!(variance > 0 && variance < Infinity)) return undefined;
	// Hann's taper, and the power that it leaves.
	const taper = Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * cos((2 * Math.PI * (i + 0.5)) / length));
	const passed = taper.reduce((sum, weight) => sum + squared(weight), 0);
	const half = length / 2;
	const count = Math.min(mostStretches, Math.floor((n - length) / half) + 1);
	const stride = count > 1 ? (n - length) / (count - 1) : 0;
	const power = new Float64Array(half);
	for (let s = 0; s < count; s++) {
		const from = Math.floor(s * stride);
		for (let k = 1; k <= half; k++) {
			const twice = 2 * cos((2 * Math.PI * k) / length);
			let before = 0;
			let last = 0;
			for (let i = 0; i < length; i++) {
				const next = (values[from + i] - mean) * taper[i] + twice * last - before;
				before = last;
				last = next;
			}
			power[k - 1] += (squared(last) + squared(before) - twice * last * before) / (passed * variance * count);
		}
	}
	const frequency = Float64Array.from({ length: half }, (_, k) => (k + 1) / length);
	return { frequency, power, stretches: Math.min(count, n / length) };
}
