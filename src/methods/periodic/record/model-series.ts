/**
 * The Fourier series that is adjusted. The one that smooths the record best ends where harmonics sink into the noise; but
 * the model's own solution goes on, and to cut it there would bias the answer by a part of its error. So the series is
 * made as long as the model's ŷ needs, and the covariance says how little of the rest is known.
 */
import { fitHarmonics, type HarmonicFit } from "../../../num/harmonic-fit.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Represent } from "../adjustment/linearization.ts";
import { basisOn, projectOn } from "../adjustment/record-derivatives.ts";
import { type PeriodicRecord, withKnownPeriod } from "./record.ts";
import { isDetermined, withNoise } from "./record-noise.ts";

/** Harmonics beyond this are taken as exact: only a record that is nearly so has more. */
export const mostAdjusted = 100;
/** What is cut off may be this share of the variance of one coefficient. */
const share = 0.01;

/** `represent`: on a grid that holds twice the harmonics of `series`. */
export function modelSeries(
	t: Float64Array,
	y: Float64Array,
	{ series, noise, periodSd }: Pick<PeriodicRecord, "series" | "noise" | "periodSd">,
	represent: Represent,
	lambda: Float64Array,
): HarmonicFit {
	const { harmonics: K, omega, origin, c } = series;
	const most = Math.min(2 * K, mostAdjusted, Math.floor(0.3 * t.length));
	const representation = represent(c, omega);
	const evaluation = representation.evaluate(lambda, false);
	if (!evaluation || most <= K) return series;
	const own = projectOn(basisOn(representation.grid, most), evaluation.y);
	const last = series.c.length - 1;
	const known = noise.variance * series.inverse[last * (last + 2) + last];
	let tail = 0;
	let needed = most;
	for (; needed > K; needed--) {
		tail += squared(own[2 * needed - 1]) + squared(own[2 * needed]);
		if (tail > share * known) break;
	}
	if (needed === K) return series;
	const fixedPeriod = periodSd === 0;
	const longer = fitHarmonics(t, y, needed, { omega, origin, c }, { fixedPeriod });
	if (!longer || !isDetermined(longer, t.length)) return series;
	return withNoise(t, fixedPeriod ? withKnownPeriod(longer) : longer, noise);
}
