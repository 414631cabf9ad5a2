/**
 * Laws of counts, given their mean and, where there is one, their size: a negative binomial count of mean m and size k
 * has the variance m + m²/k, and for k without end it is a Poisson count. A mean of 0 allows for no count but 0; one below
 * 0 for none at all (NaN).
 */

import { log } from "../../num/elementary/number.ts";
import { logOnePlus, logRising, risingSlope } from "../../num/statistics/digamma.ts";
import { gammaTail } from "../../num/statistics/incomplete-gamma.ts";
import { logGamma } from "../../num/statistics/log-gamma.ts";
import { betaMass, gammaMass } from "../../num/statistics/tail-mass.ts";
import { type CountLaw, countQuantile } from "./law.ts";
import { asItIs } from "./noise-scales.ts";

/** Log mass at a mean that is not positive. */
function withoutMean(y: number, mean: number): number {
	if (mean === 0) return y === 0 ? 0 : Number.NEGATIVE_INFINITY;
	return Number.NaN;
}

export const poissonCounts: CountLaw = {
	isCount: true,
	isNormal: false,
	scale: asItIs,
	logMass: (y, mean) =>
		mean > 0 ? (y > 0 ? y * log(mean) : 0) - mean - logGamma(y + 1) : withoutMean(y, mean),
	below: (y, mean) => (y < 0 ? 0 : mean > 0 ? gammaTail(y + 1, mean) : 1),
	above: (y, mean) => (y < 0 ? 1 : gammaMass(y + 1, mean)),
	score: (y, mean) => ({ value: mean > 0 ? y / mean - 1 : 0, logSpread: 0 }),
	information: (mean) => (mean > 0 ? 1 / mean : 0),
	variance: (mean) => mean,
	draw: (random, index, mean) => countQuantile(poissonCounts, random.uniform(index), mean, 1),
};

export const negbinomialCounts: CountLaw = {
	isCount: true,
	isNormal: false,
	scale: asItIs,
	logMass(y, mean, size) {
		if (!(mean > 0)) return withoutMean(y, mean);
		if (!(size > 0)) return Number.NaN;
		const rising = logRising(size, y) - logGamma(y + 1);
		return rising + (y > 0 ? y * log(mean / (size + mean)) : 0) - size * logOnePlus(mean / size);
	},
	below: (y, mean, size) => (y < 0 ? 0 : mean > 0 ? betaMass(size, y + 1, size / (size + mean)) : 1),
	above: (y, mean, size) => (y < 0 ? 1 : mean > 0 ? betaMass(y + 1, size, mean / (size + mean)) : 0),
	score: (y, mean, size) =>
		mean > 0
			? {
					value: ((y - mean) * size) / (mean * (size + mean)),
					logSpread:
						size * (risingSlope(size, y) - logOnePlus(mean / size)) + (size * (mean - y)) / (size + mean),
				}
			: { value: 0, logSpread: 0 },
	information: (mean, size) => (mean > 0 ? size / (mean * (size + mean)) : 0),
	variance: (mean, size) => mean + (mean * mean) / size,
	draw: (random, index, mean, size) => countQuantile(negbinomialCounts, random.uniform(index), mean, size),
};
