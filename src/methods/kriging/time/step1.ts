/** Step 1 for all records: hyperparameters of each track, then states and derivatives with their joint errors. */
import { InputError } from "../../../errors.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Criterion } from "../field/likelihood.ts";
import { type Radial, radialFor } from "../field/radial.ts";
import type { Layout } from "../layout.ts";
import { type KrigingRecord, noiseBounds, type TrackRecord } from "../records.ts";
import { BandedSmoother } from "./banded-smoother.ts";
import type { SmoothedRecord, SmoothedTrack } from "./smoothed-record.ts";
import type { Instant, Samples } from "./smoother.ts";
import { type AnySmoother, smootherFor } from "./smoother-choice.ts";
import { StateSpaceSmoother } from "./state-space.ts";
import { estimateTimeHyper, type TimeFit } from "./time-hyper.ts";

export interface Step1Options {
	readonly covariance: string;
	readonly mean: number;
	readonly criterion: Criterion;
}

/** Longest stretch from which hyperparameters are found at once, and how many stretches of a long record count. */
const stretchLength = 200;
const mostStretches = 4;

export function trackRadial({ tracks }: Layout, track: number, { covariance }: Step1Options): Radial {
	return radialFor(covariance, tracks[track].components.length);
}

/** `noiseFrom`: a fit whose noise is in the samples already; without it, open noise is estimated. */
export function* fitTrack(
	layout: Layout,
	records: readonly KrigingRecord[],
	track: number,
	options: Step1Options,
	noiseFrom?: TimeFit,
): Generator<void, TimeFit> {
	const { name } = layout.tracks[track];
	const nMean = options.mean + 1;
	for (const { tracks, experiment } of records)
		if (!(tracks[track].t.length > nMean + 1))
			throw new InputError(
				`${experiment.name}: state ${name}`,
				`has ${tracks[track].t.length} samples, and its mean in time alone has ${nMean} unknown${nMean > 1 ? "s" : ""}`,
				"Give more samples.",
			);
	return yield* estimateTimeHyper({
		stretches: records.flatMap(({ tracks }) => stretchesOf(tracks[track])),
		radial: trackRadial(layout, track, options),
		criterion: options.criterion,
		meanDegree: options.mean,
		noise: noiseFrom ? undefined : noiseBounds(layout, layout.tracks[track]),
	});
}

/** Samples with the noise as it was estimated. */
export function withNoise<T extends Samples>(samples: T, { noiseFactor }: TimeFit): T {
	if (noiseFactor === 1) return samples;
	return { ...samples, variance: samples.variance.map((v) => v * squared(noiseFactor)) };
}

export function smoothers(
	layout: Layout,
	{ tracks }: KrigingRecord,
	fits: readonly TimeFit[],
	options: Step1Options,
): AnySmoother[] {
	return tracks.map((samples, track) => {
		const radial = trackRadial(layout, track, options);
		const smoother = smootherFor(withNoise(samples, fits[track]), radial, fits[track], options.mean);
		if (!(smoother instanceof StateSpaceSmoother) && !smoother.isDefinite)
			throw new InputError(
				`state ${layout.tracks[track].name}`,
				"has samples so close together, or so exact, that the equations of kriging are singular",
				"Declare the noise of the measurement, or use fewer samples.",
			);
		return smoother;
	});
}

/** States and all derivatives that the model needs, at the times of the record's grid. */
export function smoothRecord(
	layout: Layout,
	record: KrigingRecord,
	smoothers: readonly AnySmoother[],
): SmoothedRecord {
	const { grid } = record;
	const n = grid.length;
	const tracks = smoothers.map((smoother, track): SmoothedTrack => {
		const nOrders = layout.tracks[track].components.length + 1;
		if (smoother instanceof StateSpaceSmoother) {
			// The grid of a long record is so wide that errors at different times hardly know one another.
			const { mean, covariance } = smoother.local(grid, nOrders);
			const local = (q: number, i: number, r: number): number => covariance[(i * nOrders + q) * nOrders + r];
			return {
				mean,
				variance: mean.map((_, at) => local(Math.floor(at / n), at % n, Math.floor(at / n))),
				covariance: (q, i, r, j) => (i === j ? local(q, i, r) : 0),
			};
		}
		const instants: Instant[] = [];
		for (let order = 0; order < nOrders; order++) for (const t of grid) instants.push({ t, order });
		if (smoother instanceof BandedSmoother) {
			const { mean, variance } = smoother.posterior(instants);
			// Errors of a state and of its slope at one time hardly know one another inside a record.
			return { mean, variance, covariance: (q, i, r, j) => (i === j && q === r ? variance[q * n + i] : 0) };
		}
		const { mean, variance, covariance } = smoother.posterior(instants, true);
		const size = instants.length;
		return { mean, variance, covariance: (q, i, r, j) => covariance![(q * n + i) * size + r * n + j] };
	});
	return { record, tracks };
}

/** Parts of a long record, spread evenly over it. */
function stretchesOf(samples: TrackRecord): Samples[] {
	const n = samples.t.length;
	if (n <= 2 * stretchLength) return [samples];
	const count = Math.min(mostStretches, Math.floor(n / stretchLength));
	return Array.from({ length: count }, (_, k) => {
		const from = Math.round((k * (n - stretchLength)) / (count - 1));
		const part = { from, to: from + stretchLength };
		return {
			t: samples.t.subarray(part.from, part.to),
			order: Array.from(samples.order).slice(part.from, part.to),
			y: samples.y.subarray(part.from, part.to),
			variance: samples.variance.subarray(part.from, part.to),
		};
	});
}
