/**
 * A periodic record as a smooth function: a Fourier series whose period is estimated with it, with as many harmonics as
 * the samples support, and the covariance of both. Rounding the period to the sampling grid would cost up to hundreds of
 * per cent in the parameters.
 */
import { InputError } from "../../../errors.ts";
import { fitHarmonics, type HarmonicFit } from "../../../num/harmonic-fit.ts";
import { squared } from "../../../num/whole-power.ts";
import { type Departure, departureOf } from "./departures.ts";
import { fewestPeriods, guessPeriod } from "./period.ts";
import { criterion, isDetermined, type Noise, residualsOf, withNoise } from "./record-noise.ts";
import { refuseDeparture, refuseModulated, refuseNoise } from "./record-refusals.ts";
import { transientOf } from "./transient.ts";

export interface PeriodicRecord {
	/** Its inverse, times the variance, is the covariance under the noise as it is. */
	readonly series: HarmonicFit;
	readonly noise: Noise;
	/** Variance of the noise. */
	readonly variance: number;
	readonly period: number;
	readonly periodSd: number;
	/** How many periods it is long. */
	readonly cycles: number;
	/** What is not quite periodic about it, though too small to refuse it. */
	readonly departure: Departure | undefined;
	/** It has no noise: what the series leaves is rounding. */
	readonly exact: boolean;
}

/** A period of several of the guess has to be better by so much: odds of e²⁰. */
const earned = 40;

/** No noise puts so many times what is left between the harmonics. */
const beyondNoise = 2000;

interface Candidate {
	readonly fit: HarmonicFit;
	readonly rest: Float64Array;
	readonly criterion: number;
}

export function periodicRecord(
	t: Float64Array,
	y: Float64Array,
	where: string,
	options: {
		readonly harmonics?: number;
		readonly period?: number;
		/** The period of what drives it: the record's own is this, or two or three of it. */
		readonly driven?: number;
		/** A slow change is no reason to refuse it. */
		readonly mayDrift?: boolean;
	} = {},
): PeriodicRecord {
	const guess = options.period ?? options.driven ?? guessPeriod(t, y, where);
	const found =
		options.driven === undefined
			? wholePeriod(t, y, guess, options)
			: drivenPeriod(t, y, options.driven, options);
	if (!found)
		throw new InputError(
			where,
			`looks periodic (about ${Number(guess.toPrecision(3))}), but its samples do not determine a Fourier series`,
			options.period === undefined
				? "More samples a period are needed."
				: "More samples a period are needed, or a better value of  periodic: { period }.",
		);
	const { fit, rest } = found;
	const period = (2 * Math.PI) / fit.omega;
	const span = t[t.length - 1] - t[0];
	if (!(span >= 0.98 * fewestPeriods * period))
		throw new InputError(
			where,
			`is ${(span / period).toFixed(2)} periods long (a period of ${Number(period.toPrecision(4))}), and at least one and a half are needed`,
			"Choose more rows, or use  method: fit.",
		);
	refuseNoise(y, fit, where, options.period !== undefined);
	const cycles = span / period;
	const exact = fit.rss < 1e-14 * sizeOf(y);
	const { departure: slow, noise } = departureOf(t, rest, fit, cycles, exact);
	const departure = (exact ? undefined : transientOf(t, y, fit, rest)) ?? slow;
	if (departure && !options.mayDrift) refuseDeparture(departure, where);
	if (options.harmonics === undefined && !options.mayDrift) refuseModulated(y, rest, fit, where);
	const series = withNoise(t, fit, noise);
	const last = fit.c.length;
	const omegaSd = Math.sqrt(noise.variance * series.inverse[last * (last + 1) + last]);
	return {
		series,
		noise,
		variance: noise.variance,
		period,
		periodSd: (omegaSd / fit.omega) * period,
		cycles,
		departure,
		exact,
	};
}

/** Series of the drive's period and of two or three of it, as long as that is earned. ω is known. */
function drivenPeriod(
	t: Float64Array,
	y: Float64Array,
	driven: number,
	{ harmonics, period }: { readonly harmonics?: number; readonly period?: number },
): Candidate | undefined {
	const given = period === undefined ? undefined : Math.max(1, Math.round(period / driven));
	const span = t[t.length - 1] - t[0];
	let best: Candidate | undefined;
	for (const multiple of given === undefined ? [1, 2, 3] : [given]) {
		const own = multiple * driven;
		if (best && (span < fewestPeriods * own || best.fit.rss < 1e-7 * sizeOf(y))) continue;
		const next = seriesOf(t, y, own, harmonics, true);
		if (next && (!best || next.criterion < best.criterion - earned)) best = next;
	}
	return best && { ...best, fit: withKnownPeriod(best.fit) };
}

/** No error of ω, and none that comes from it. */
export function withKnownPeriod(fit: HarmonicFit): HarmonicFit {
	const last = fit.c.length;
	const inverse = fit.inverse.slice();
	for (let i = 0; i <= last; i++) inverse[last * (last + 1) + i] = inverse[i * (last + 1) + last] = 0;
	return { ...fit, inverse };
}

/** The series of the shortest period that explains the record: a half or a third of the guess, the guess, or two or three of it. */
function wholePeriod(
	t: Float64Array,
	y: Float64Array,
	guess: number,
	{ harmonics, period }: { readonly harmonics?: number; readonly period?: number },
): Candidate | undefined {
	let best = seriesOf(t, y, guess, harmonics);
	if (!best) return undefined;
	const nothing = 1e-7 * sizeOf(y);
	const dt = (t[t.length - 1] - t[0]) / t.length;
	for (let part = 3; part > 1; part--) {
		const own = (2 * Math.PI) / best.fit.omega / part;
		if (
			best.fit.harmonics < part ||
			own < 4 * dt ||
			between(best.fit, part) * t.length > beyondNoise * best.fit.rss
		)
			continue;
		const divided = seriesOf(t, y, own, harmonics && Math.max(1, Math.round(harmonics / part)));
		if (!divided || !(divided.criterion < best.criterion + earned)) continue;
		best = divided;
		part = 4;
	}
	// A period that is really two or three of the guess shows in what the series leaves.
	if (period !== undefined) return best;
	const own = (2 * Math.PI) / best.fit.omega;
	for (const multiple of [2, 3]) {
		if (t[t.length - 1] - t[0] < fewestPeriods * multiple * own || best.fit.rss < nothing) continue;
		const probe = seriesOf(t, y, multiple * own, multiple * best.fit.harmonics);
		if (!probe || !(probe.criterion < best.criterion - earned)) continue;
		if (!(best.fit.rss - probe.fit.rss > nothing)) continue;
		best = seriesOf(t, y, multiple * own, harmonics && multiple * harmonics) ?? best;
	}
	return best;
}

/** Twice the mean square of the harmonics that a period of one part does not have. */
function between({ c, harmonics }: HarmonicFit, part: number): number {
	let sum = 0;
	for (let k = 1; k <= harmonics; k++) if (k % part !== 0) sum += squared(c[2 * k - 1]) + squared(c[2 * k]);
	return sum;
}

/** Series of more and more harmonics until more no longer help. */
function seriesOf(
	t: Float64Array,
	y: Float64Array,
	guess: number,
	harmonics: number | undefined,
	fixedPeriod = false,
): Candidate | undefined {
	const how = { fixedPeriod };
	const origin = t[0];
	let fit: HarmonicFit | undefined;
	// A guess of the period is good over a few periods only: the window grows as the period gets better.
	const few = Math.max(2, Math.min(3, harmonics ?? 3));
	let omega = (2 * Math.PI) / guess;
	for (let window = fixedPeriod ? Number.POSITIVE_INFINITY : 2.5 * guess; ; window *= 3) {
		const count = t.findIndex((time) => time > origin + window);
		const end = count < 0 ? t.length : Math.max(count, Math.min(t.length, 4 * few + 4));
		fit = fitHarmonics(t.subarray(0, end), y.subarray(0, end), few, { omega, origin }, how) ?? fit;
		if (!fit || Math.abs(fit.omega * guess - 2 * Math.PI) > 0.2 * 2 * Math.PI) return undefined;
		({ omega } = fit);
		if (end === t.length) break;
	}
	const candidate = (own: HarmonicFit): Candidate => {
		const rest = residualsOf(t, y, own);
		return { fit: own, rest, criterion: criterion(rest, own.harmonics, true) };
	};
	if (harmonics !== undefined) {
		const fixed = fitHarmonics(t, y, harmonics, { omega, origin, c: fit.c }, how);
		return fixed && candidate(fixed);
	}
	const most = Math.floor(0.3 * t.length);
	let best = candidate(fit);
	let last = fit;
	// The search goes on while independent noise would ask for more: what is left of a series too short is not noise.
	let least = criterion(best.rest, fit.harmonics, false);
	let worse = 0;
	for (let K = 5; K <= most && worse < 2; K = Math.ceil(K * 1.3)) {
		const next = fitHarmonics(t, y, K, { omega: last.omega, origin, c: last.c }, how);
		if (!next || !isDetermined(next, t.length)) break;
		// Below this a fall that is slow is of what made the record, solver or rounding, not of the model.
		const floored = next.rss < 1e-16 * sizeOf(y) && next.rss > 0.5 * last.rss;
		last = next;
		const own = candidate(next);
		if (own.criterion < best.criterion) best = own;
		const plain = criterion(own.rest, K, false);
		worse = plain < least ? 0 : worse + 1;
		least = Math.min(least, plain);
		if (floored || isExact(y, next)) break;
	}
	return best;
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
