/**
 * A periodic record as a smooth function: a Fourier series whose period is estimated with it, with as many harmonics as
 * the samples support (Akaike's criterion), and the covariance of both. Rounding the period to the sampling grid would
 * cost up to hundreds of per cent in the parameters.
 */
import { InputError } from "../../errors.ts";
import { log } from "../../num/elementary/number.ts";
import { fitHarmonics, type HarmonicFit, seriesAt } from "../../num/harmonic-fit.ts";
import { fewestPeriods, guessPeriod } from "./period.ts";

export interface PeriodicRecord {
	readonly series: HarmonicFit;
	/** Variance of the noise. */
	readonly variance: number;
	readonly period: number;
	readonly periodSd: number;
	/** How many periods it is long. */
	readonly cycles: number;
	/** Between what the series leaves of neighbouring samples; 0 where that is rounding. */
	readonly correlation: number;
}

/** A drift over the record of more than so many of its standard deviations, and of this share of the amplitude. */
const trendSd = 6;
const trendShare = 0.01;

export function periodicRecord(
	t: Float64Array,
	y: Float64Array,
	where: string,
	options: { readonly harmonics?: number; readonly period?: number } = {},
): PeriodicRecord {
	const guess = options.period ?? guessPeriod(t, y, where);
	let best = seriesOf(t, y, guess, options.harmonics);
	const span = t[t.length - 1] - t[0];
	// A period that is really two or three of the guess shows in what the series leaves.
	if (options.period === undefined)
		for (const multiple of [2, 3]) {
			if (span < fewestPeriods * multiple * guess || !best || best.rss < 1e-7 * sizeOf(y)) continue;
			const probe = seriesOf(t, y, multiple * guess, multiple * best.harmonics);
			if (!probe || !(criterion(t.length, probe) < criterion(t.length, best) - 40)) continue;
			if (!(best.rss - probe.rss > 1e-7 * sizeOf(y))) continue;
			best = seriesOf(t, y, multiple * guess, options.harmonics && multiple * options.harmonics) ?? best;
		}
	else if (best) best = dividedOf(t, y, best, options.harmonics);
	if (!best)
		throw new InputError(
			where,
			`looks periodic (about ${Number(guess.toPrecision(3))}), but its samples do not determine a Fourier series`,
			options.period === undefined
				? "More samples a period are needed."
				: "More samples a period are needed, or a better value of  periodic: { period }.",
		);
	const period = (2 * Math.PI) / best.omega;
	if (!(span >= 0.98 * fewestPeriods * period))
		throw new InputError(
			where,
			`is ${(span / period).toFixed(2)} periods long (a period of ${Number(period.toPrecision(4))}), and at least one and a half are needed`,
			"Choose more rows, or use  method: fit.",
		);
	const degrees = Math.max(t.length - 2 * best.harmonics - 2, 1);
	const variance = best.rss / degrees;
	refuseTrend(t, y, best, variance, where);
	refuseNoise(y, best, where, options.period !== undefined);
	const correlation = correlationOf(t, y, best);
	if (options.harmonics === undefined) refuseModulated(y, best, correlation, where);
	const last = best.c.length;
	const omegaSd = Math.sqrt(variance * best.inverse[last * (last + 1) + last]);
	return {
		series: best,
		variance,
		period,
		periodSd: (omegaSd / best.omega) * period,
		cycles: span / period,
		correlation,
	};
}

/** Series of more and more harmonics until more no longer help. */
function seriesOf(
	t: Float64Array,
	y: Float64Array,
	guess: number,
	harmonics: number | undefined,
): HarmonicFit | undefined {
	const origin = t[0];
	let fit: HarmonicFit | undefined;
	// A guess of the period is good over a few periods only: the window grows as the period gets better.
	const few = Math.max(2, Math.min(3, harmonics ?? 3));
	let omega = (2 * Math.PI) / guess;
	for (let window = 2.5 * guess; ; window *= 3) {
		const count = t.findIndex((time) => time > origin + window);
		const end = count < 0 ? t.length : Math.max(count, Math.min(t.length, 4 * few + 4));
		fit = fitHarmonics(t.subarray(0, end), y.subarray(0, end), few, { omega, origin }) ?? fit;
		if (!fit || Math.abs(fit.omega * guess - 2 * Math.PI) > 0.2 * 2 * Math.PI) return undefined;
		({ omega } = fit);
		if (end === t.length) break;
	}
	if (harmonics !== undefined) return fitHarmonics(t, y, harmonics, { omega, origin, c: fit.c }) ?? undefined;
	const most = Math.floor(0.3 * t.length);
	let best = fit;
	let last = fit;
	let worse = 0;
	for (let K = 5; K <= most && worse < 2; K = Math.ceil(K * 1.3)) {
		const next = fitHarmonics(t, y, K, { omega: last.omega, origin, c: last.c });
		if (!next) break;
		// Below this a fall that is slow is of what made the record, solver or rounding, not of the model.
		const floored = next.rss < 1e-16 * sizeOf(y) && next.rss > 0.5 * last.rss;
		last = next;
		if (criterion(t.length, next) < criterion(t.length, best)) {
			best = next;
			worse = 0;
		} else worse++;
		if (floored || isExact(y, next)) break;
	}
	return best;
}

/** The series of the true period where the one that was given is two or three of it: most harmonics are nothing but noise then. */
function dividedOf(
	t: Float64Array,
	y: Float64Array,
	series: HarmonicFit,
	harmonics: number | undefined,
): HarmonicFit {
	for (const part of [3, 2]) {
		let between = 0;
		let count = 0;
		for (let k = 1; k <= series.harmonics; k++) {
			if (k % part === 0) continue;
			between += series.c[2 * k - 1] ** 2 + series.c[2 * k] ** 2;
			count += 2;
		}
		// A coefficient has a variance of 2 / n times that of the noise.
		const noise = (2 * count * series.rss) / t.length ** 2;
		if (series.harmonics < part || !(between < 3 * noise + 1e-24 * sizeOf(y))) continue;
		const guess = (2 * Math.PI) / series.omega / part;
		const divided = seriesOf(t, y, guess, harmonics && Math.max(1, Math.round(harmonics / part)));
		if (divided) return divided;
	}
	return series;
}

/** Akaike's criterion, corrected for few samples. */
function criterion(n: number, { rss, harmonics }: HarmonicFit): number {
	const k = 2 * harmonics + 3;
	if (!(n > k + 1)) return Number.POSITIVE_INFINITY;
	return n * log(Math.max(rss / n, 1e-300)) + 2 * k + (2 * k * (k + 1)) / (n - k - 1);
}

/** Whether the series leaves nothing but rounding. */
function isExact(y: Float64Array, { rss }: HarmonicFit): boolean {
	return rss < 1e-26 * sizeOf(y);
}

function sizeOf(y: Float64Array): number {
	let size = 0;
	for (const value of y) size += value * value;
	return size;
}

function refuseTrend(
	t: Float64Array,
	y: Float64Array,
	series: HarmonicFit,
	variance: number,
	where: string,
): void {
	const centre = (t[0] + t[t.length - 1]) / 2;
	let slope = 0;
	let size = 0;
	for (let i = 0; i < t.length; i++) {
		slope += (t[i] - centre) * (y[i] - seriesAt(series.c, series.omega * (t[i] - series.origin)));
		size += (t[i] - centre) ** 2;
	}
	slope /= size;
	const drift = slope * (t[t.length - 1] - t[0]);
	const amplitude = Math.max(...y) - Math.min(...y);
	if (Math.abs(slope) > trendSd * Math.sqrt(variance / size) && Math.abs(drift) > trendShare * amplitude)
		throw new InputError(
			where,
			`drifts by ${drift.toPrecision(2)} over the record, ${((100 * Math.abs(drift)) / amplitude).toPrecision(2)} % of its range: it has a trend`,
			"Write  detrend: linear  in the data section if the trend is none of the model's, or choose rows without it.",
		);
}

function refuseNoise(y: Float64Array, series: HarmonicFit, where: string, given: boolean): void {
	const variance = aboutMean(y);
	if (series.rss > 0.5 * variance)
		throw new InputError(
			where,
			`is periodic only in part: ${((100 * series.rss) / variance).toFixed(0)} % of its variance does not repeat with the period`,
			given
				? "The value of  periodic: { period }  may be wrong: leave it out, and the period is looked for."
				: "If it starts with a transient, choose later rows; if it is not periodic, use  method: fit.",
		);
}

/** Of neighbours among what is left. */
function correlationOf(t: Float64Array, y: Float64Array, series: HarmonicFit): number {
	if (!(series.rss > 1e-14 * sizeOf(y))) return 0;
	let last = 0;
	let shared = 0;
	for (let i = 0; i < t.length; i++) {
		const left = y[i] - seriesAt(series.c, series.omega * (t[i] - series.origin));
		shared += last * left;
		last = left;
	}
	return shared / series.rss;
}

/** Damped, modulated, or of several periods: much is left, and it is smooth. */
function refuseModulated(y: Float64Array, series: HarmonicFit, correlation: number, where: string): void {
	const share = series.rss / aboutMean(y);
	if (!(share > 0.01 && correlation > 0.6)) return;
	throw new InputError(
		where,
		`does not repeat itself: a period of ${Number(((2 * Math.PI) / series.omega).toPrecision(3))} leaves ${(100 * Math.sqrt(share)).toFixed(0)} % of its size, and not as noise. It is damped or modulated, or has several periods`,
		"If it starts with a transient, choose later rows; if it is not periodic, use  method: fit.",
	);
}

/** Sum of squares about the mean. */
function aboutMean(y: Float64Array): number {
	const mean = y.reduce((a, b) => a + b, 0) / y.length;
	return y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
