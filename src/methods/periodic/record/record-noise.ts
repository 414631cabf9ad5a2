/**
 * What a Fourier series leaves of a record, taken as noise: independent from sample to sample, or forgotten at a rate (a
 * first-order autoregression in time, at any sampling). Least squares loses nothing against the likelihood here, as the
 * regressors are periodic (Grenander, "On the estimation of regression coefficients in the case of an autocorrelated
 * disturbance", Ann. Math. Stat. 25, 1954); but its covariance is another, and so is what a harmonic has to earn.
 */

import { cos, exp, log, sin } from "../../../num/elementary/number.ts";
import { type HarmonicFit, seriesAt } from "../../../num/harmonic-fit.ts";
import { product } from "../../../num/linear/dense.ts";

export interface Noise {
	readonly variance: number;
	/** Degrees of freedom that the variance was found with. */
	readonly degrees: number;
	/** Between neighbouring samples, at their mean distance; 0 where none is seen, or all is rounding. */
	readonly correlation: number;
}

/** A correlation counts from so many of its standard deviations on. */
const seen = 3;
const largestCorrelation = 0.999;

export function residualsOf(t: Float64Array, y: Float64Array, series: HarmonicFit): Float64Array {
	return y.map((value, i) => value - seriesAt(series.c, series.omega * (t[i] - series.origin)));
}

/** Correlation of neighbours as it is, without regard to what the series has taken with it. */
export function neighbourCorrelation(rest: Float64Array): number {
	let shared = 0;
	let size = rest[0] * rest[0];
	for (let i = 1; i < rest.length; i++) {
		shared += rest[i] * rest[i - 1];
		size += rest[i] * rest[i];
	}
	return size > 0 ? shared / size : 0;
}

/**
 * Akaike's criterion, corrected for few samples, under noise that is forgotten at the rate it shows. A harmonic that only
 * follows slow noise does not earn its place.
 */
export function criterion(rest: Float64Array, harmonics: number, correlated: boolean): number {
	const n = rest.length;
	const k = 2 * harmonics + 3;
	if (!(n > k + 1)) return Number.POSITIVE_INFINITY;
	const rss = rest.reduce((sum, value) => sum + value * value, 0);
	const r = correlated ? Math.max(0, neighbourCorrelation(rest)) : 0;
	return n * log(Math.max((rss * (1 - r * r)) / n, 1e-300)) + 2 * k + (2 * k * (k + 1)) / (n - k - 1);
}

/**
 * Variance and correlation of the noise from what is left. Regressors took the noise at their frequencies with them: its
 * share of the noise's spectrum is put back. `taken`: the frequency of each regressor.
 */
export function noiseOf(
	t: Float64Array,
	rest: Float64Array,
	taken: readonly number[],
	exact: boolean,
): Noise {
	const n = rest.length;
	const rss = rest.reduce((sum, value) => sum + value * value, 0);
	const left = Math.max(n - taken.length, 1);
	const independent = { variance: rss / left, degrees: left, correlation: 0 };
	const first = neighbourCorrelation(rest);
	if (exact || !(first > seen / Math.sqrt(n))) return independent;
	const step = (t[n - 1] - t[0]) / (n - 1);
	const cosines = taken.map((omega) => cos(omega * step));
	/** How much of a variance of 1 the regressors take, and of its product of neighbours. */
	const lossOf = (r: number): { power: number; along: number } => {
		let power = 0;
		let along = 0;
		for (const c of cosines) {
			const density = (1 - r * r) / (1 + r * r - 2 * r * c);
			power += density;
			along += density * c;
		}
		return { power, along };
	};
	// The least correlation that would leave what is seen; with too few samples none does, and the largest that comes near is taken.
	let best = { r: first, excess: Number.NEGATIVE_INFINITY };
	for (let r = first; r <= largestCorrelation && best.excess < 0; r += 0.002) {
		const { power, along } = lossOf(r);
		const excess = power < 0.9 * n ? (n * r - along) / (n - power) - first : Number.NEGATIVE_INFINITY;
		if (excess > best.excess) best = { r, excess };
	}
	const degrees = Math.max(n - lossOf(best.r).power, 0.1 * n);
	return { variance: rss / degrees, degrees, correlation: best.r };
}

/** How much larger the variance of a coefficient may be than with samples all over the period. */
const largestInflation = 100;

/** Whether the samples tell all harmonics apart: where they fall on the same few phases of every period they do not. */
export function isDetermined({ inverse, c }: HarmonicFit, nSamples: number): boolean {
	const size = c.length + 1;
	for (let m = 0; m < c.length; m++)
		if (!(inverse[m * (size + 1)] * nSamples < 2 * largestInflation)) return false;
	return true;
}

/** Frequencies of the regressors of a series. */
export function frequenciesOf({ harmonics, omega }: HarmonicFit): number[] {
	return Array.from({ length: 2 * harmonics + 2 }, (_, m) =>
		m === 2 * harmonics + 1 ? omega : Math.ceil(m / 2) * omega,
	);
}

/** exp(-Δ/τ) for the distance of each sample from the one before. */
export function forgetting(t: Float64Array, { correlation }: Noise): Float64Array {
	const n = t.length;
	const rate = correlation > 0 ? (log(correlation) * (n - 1)) / (t[n - 1] - t[0]) : Number.NEGATIVE_INFINITY;
	return t.map((time, i) => (i === 0 || correlation === 0 ? 0 : exp(rate * (time - t[i - 1]))));
}

/** Σ_ij C_ij a_i b_j for columns a, b, where C is the correlation of the noise: all pairs of `columns`. */
export function correlatedProducts(columns: readonly Float64Array[], r: Float64Array): Float64Array {
	const q = columns.length;
	const out = new Float64Array(q * q);
	const memory = new Float64Array(q);
	for (let i = 0; i < r.length; i++)
		for (let a = 0; a < q; a++) {
			const before = r[i] * memory[a];
			const own = columns[a][i];
			for (let b = 0; b < q; b++) {
				const other = columns[b][i];
				out[a * q + b] += before * other;
				out[b * q + a] += before * other;
				out[a * q + b] += own * other;
			}
			memory[a] = before + own;
		}
	return out;
}

/** The regressors of a series at one instant: constant, cosine and sine of each harmonic, derivative by ω. */
export function seriesRowInto(
	row: Float64Array,
	{ harmonics, omega, origin, c }: HarmonicFit,
	time: number,
): void {
	const phi = omega * (time - origin);
	const [c1, s1] = [cos(phi), sin(phi)];
	let re = 1;
	let im = 0;
	let slope = 0;
	row[0] = 1;
	for (let k = 1; k <= harmonics; k++) {
		[re, im] = [re * c1 - im * s1, re * s1 + im * c1];
		row[2 * k - 1] = re;
		row[2 * k] = im;
		slope += k * (c[2 * k] * re - c[2 * k - 1] * im);
	}
	row[2 * harmonics + 1] = slope * (time - origin);
}

/** The fit with the covariance that belongs to correlated noise in the place of its inverse. */
export function withNoise(t: Float64Array, fit: HarmonicFit, noise: Noise): HarmonicFit {
	if (noise.correlation === 0) return fit;
	const size = 2 * fit.harmonics + 2;
	const r = forgetting(t, noise);
	const row = new Float64Array(size);
	const memory = new Float64Array(size);
	const middle = new Float64Array(size * size);
	for (let i = 0; i < t.length; i++) {
		seriesRowInto(row, fit, t[i]);
		for (let a = 0; a < size; a++) {
			memory[a] *= r[i];
			const own = row[a] + 2 * memory[a];
			const at = a * size;
			for (let b = 0; b < size; b++) middle[at + b] += own * row[b];
		}
		for (let a = 0; a < size; a++) memory[a] += row[a];
	}
	for (let a = 0; a < size; a++)
		for (let b = 0; b < a; b++) {
			const mean = (middle[a * size + b] + middle[b * size + a]) / 2;
			middle[a * size + b] = mean;
			middle[b * size + a] = mean;
		}
	const outer = product(fit.inverse, middle, size, size, size);
	return { ...fit, inverse: product(outer, fit.inverse, size, size, size) };
}
