/**
 * Fourier series of a period that is itself unknown, in least squares to samples at any times:
 *
 *     y(t) = c_0 + Σ_k c_{2k-1} cos kφ + c_{2k} sin kφ,   φ = ω (t - origin),
 *
 * by Gauss–Newton on (c, ω). Products of harmonics are harmonics, so all normal equations come from 2K sums over the
 * samples: the cost is O(nK + K³) whatever the sampling.
 *
 * Reference: Quinn, Hannan, The Estimation and Tracking of Frequency, Cambridge 2001, chapter 5.
 */

import { cos, sin } from "./elementary/number.ts";
import { choleskyInto, choleskyInverse, choleskySolveInto } from "./linear/cholesky.ts";
import { squared } from "./whole-power.ts";

export interface HarmonicFit {
	readonly harmonics: number;
	readonly origin: number;
	readonly omega: number;
	/** 2K + 1 coefficients: constant, then cosine and sine of each harmonic. */
	readonly c: Float64Array;
	/** Sum of squared residuals. */
	readonly rss: number;
	/** Inverse of the normal matrix of (c, ω), (2K + 2) × (2K + 2): times the noise variance it is their covariance. */
	readonly inverse: Float64Array;
	readonly converged: boolean;
}

/** Cosine and sine of 0, φ, 2φ … into `out` in pairs. */
export function harmonicsInto(out: Float64Array, phi: number, count: number): void {
	const c = cos(phi);
	const s = sin(phi);
	out[0] = 1;
	out[1] = 0;
	for (let k = 1; k <= count; k++) {
		const re = out[2 * k - 2];
		const im = out[2 * k - 1];
		out[2 * k] = re * c - im * s;
		out[2 * k + 1] = re * s + im * c;
	}
}

/** The series at phase φ. */
export function seriesAt(c: Float64Array, phi: number): number {
	// Clenshaw's recurrence, from the highest harmonic down.
	const twice = 2 * cos(phi);
	let a1 = 0;
	let a2 = 0;
	let b1 = 0;
	let b2 = 0;
	for (let k = (c.length - 1) / 2; k >= 1; k--) {
		const a = c[2 * k - 1] + twice * a1 - a2;
		const b = c[2 * k] + twice * b1 - b2;
		a2 = a1;
		a1 = a;
		b2 = b1;
		b1 = b;
	}
	return c[0] + a1 * (twice / 2) - a2 + b1 * sin(phi);
}

/** Coefficients of the derivative by the phase. */
export function seriesDerivative(c: Float64Array): Float64Array {
	const d = new Float64Array(c.length);
	for (let k = 1; 2 * k < c.length; k++) {
		d[2 * k - 1] = k * c[2 * k];
		d[2 * k] = -k * c[2 * k - 1];
	}
	return d;
}

/** Undefined when the samples do not determine that many harmonics. */
export function fitHarmonics(
	t: Float64Array,
	y: Float64Array,
	harmonics: number,
	start: { readonly omega: number; readonly origin: number; readonly c?: Float64Array },
	{ maxIterations = 12, fixedPeriod = false } = {},
): HarmonicFit | undefined {
	const size = 2 * harmonics + 1;
	const c = new Float64Array(size);
	if (start.c) c.set(start.c.subarray(0, size));
	let { omega } = start;
	let normal: Float64Array = new Float64Array(0);
	let rss = Number.POSITIVE_INFINITY;
	let converged = false;
	for (let iteration = 0; iteration < maxIterations; iteration++) {
		const sums = accumulate(t, y, c, omega, start.origin);
		normal = normalMatrix(sums, harmonics, fixedPeriod || (iteration === 0 && !start.c));
		const step = sums.right.slice();
		if (fixedPeriod || (iteration === 0 && !start.c)) step[size] = 0;
		if (!choleskyInto(normal, size + 1)) return undefined;
		choleskySolveInto(step, normal, size + 1);
		for (let i = 0; i < size; i++) c[i] += step[i];
		omega += step[size];
		if (!(omega > 0)) return undefined;
		const fall = rss - sums.rss;
		rss = sums.rss;
		converged =
			iteration > 1 &&
			Math.abs(step[size]) <= 1e-14 * omega + 1e-3 * Math.sqrt(rss * choleskyCorner(normal, size));
		if (converged && fall <= 1e-9 * rss) break;
	}
	rss = residualSum(t, y, c, omega, start.origin);
	return {
		harmonics,
		origin: start.origin,
		omega,
		c,
		rss,
		inverse: choleskyInverse(normal, size + 1),
		converged,
	};
}

interface Sums {
	/** Σ cos mφ and Σ sin mφ in pairs, m = 0 … 2K. */
	readonly waves: Float64Array;
	/** Products of the derivative by ω with each basis function, then with itself. */
	readonly slopes: Float64Array;
	/** Products of the residual with each basis function, then with the derivative by ω. */
	readonly right: Float64Array;
	readonly rss: number;
}

function accumulate(t: Float64Array, y: Float64Array, c: Float64Array, omega: number, origin: number): Sums {
	const K = (c.length - 1) / 2;
	const waves = new Float64Array(4 * K + 2);
	const slopes = new Float64Array(2 * K + 2);
	const right = new Float64Array(2 * K + 2);
	const h = new Float64Array(4 * K + 2);
	let rss = 0;
	for (let i = 0; i < t.length; i++) {
		const time = t[i] - origin;
		harmonicsInto(h, omega * time, 2 * K);
		let value = c[0];
		let slope = 0;
		for (let k = 1; k <= K; k++) {
			const a = c[2 * k - 1];
			const b = c[2 * k];
			value += a * h[2 * k] + b * h[2 * k + 1];
			slope += k * (b * h[2 * k] - a * h[2 * k + 1]);
		}
		slope *= time;
		const r = y[i] - value;
		rss += r * r;
		for (let m = 0; m < h.length; m++) waves[m] += h[m];
		right[0] += r;
		slopes[0] += slope;
		for (let m = 1; m <= 2 * K; m++) {
			right[m] += r * h[m + 1];
			slopes[m] += slope * h[m + 1];
		}
		right[2 * K + 1] += r * slope;
		slopes[2 * K + 1] += slope * slope;
	}
	return { waves, slopes, right, rss };
}

/** cos j cos k = (cos(j-k) + cos(j+k))/2 and its like. */
function normalMatrix({ waves, slopes }: Sums, K: number, fixedPeriod: boolean): Float64Array {
	const size = 2 * K + 2;
	const a = new Float64Array(size * size);
	const C = (m: number): number => waves[2 * m];
	const S = (m: number): number => (m < 0 ? -waves[-2 * m + 1] : waves[2 * m + 1]);
	a[0] = C(0);
	for (let j = 1; j <= K; j++) {
		a[(2 * j - 1) * size] = C(j);
		a[2 * j * size] = S(j);
		for (let k = 1; k <= j; k++) {
			const rowC = (2 * j - 1) * size;
			const rowS = 2 * j * size;
			a[rowC + 2 * k - 1] = (C(j - k) + C(j + k)) / 2;
			a[rowC + 2 * k] = (S(j + k) - S(j - k)) / 2;
			a[rowS + 2 * k - 1] = (S(j + k) + S(j - k)) / 2;
			a[rowS + 2 * k] = (C(j - k) - C(j + k)) / 2;
		}
	}
	const last = (size - 1) * size;
	for (let m = 0; m < size; m++) a[last + m] = fixedPeriod ? (m === size - 1 ? 1 : 0) : slopes[m];
	return a;
}

/** The last diagonal element of the inverse, from the factor. */
function choleskyCorner(l: Float64Array, last: number): number {
	const diagonal = l[last * (last + 1) + last];
	return 1 / (diagonal * diagonal) / Math.max(last, 1);
}

function residualSum(
	t: Float64Array,
	y: Float64Array,
	c: Float64Array,
	omega: number,
	origin: number,
): number {
	let rss = 0;
	for (let i = 0; i < t.length; i++) rss += squared(y[i] - seriesAt(c, omega * (t[i] - origin)));
	return rss;
}
