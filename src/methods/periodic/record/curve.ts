/**
 * The record as a function of the phase: its Fourier series, or a quintic through neighbouring samples of one period
 * (for exact records with spikes that a series resolves only with very many harmonics). The quintic takes one period from
 * where y changes least, so that what does not quite close there does the least harm, and refines the period by
 * comparing the record with itself one period later.
 */
import { seriesAt } from "../../../num/harmonic-fit.ts";
import { localPolynomial } from "../../../num/local-polynomial.ts";
import type { PeriodicRecord } from "./record.ts";

export interface Curve {
	/** At a phase of 0 to 2π from the first sample. */
	at(phi: number): number;
	readonly omega: number;
}

export function fourierCurve({ series }: PeriodicRecord): Curve {
	return { at: (phi) => seriesAt(series.c, phi), omega: series.omega };
}

export function quinticCurve(t: Float64Array, y: Float64Array, record: PeriodicRecord): Curve {
	const polynomial = localPolynomial(t, y);
	const period = refinedPeriod(t, y, record.period);
	const end = t[t.length - 1];
	let from = t[0];
	let least = Number.POSITIVE_INFINITY;
	for (const time of t) {
		if (time + period > end) break;
		const slope = Math.abs(polynomial.withSlope(time).slope);
		if (slope < least) [from, least] = [time, slope];
	}
	const omega = (2 * Math.PI) / period;
	return {
		omega,
		at(phi) {
			let time = t[0] + phi / omega;
			time -= period * Math.floor((time - from) / period);
			return polynomial.at(time);
		},
	};
}

/** The shift that brings the record onto itself, by Gauss–Newton. */
function refinedPeriod(t: Float64Array, y: Float64Array, guess: number): number {
	const polynomial = localPolynomial(t, y);
	const end = t[t.length - 1];
	let period = guess;
	for (let iteration = 0; iteration < 8; iteration++) {
		let along = 0;
		let size = 0;
		for (let i = 0; i < t.length && t[i] + period <= end; i++) {
			const { value, slope } = polynomial.withSlope(t[i] + period);
			along += slope * (y[i] - value);
			size += slope * slope;
		}
		if (!(size > 0)) return guess;
		period += along / size;
	}
	return Math.abs(period - guess) < 0.05 * guess ? period : guess;
}
