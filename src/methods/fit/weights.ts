/** Standard deviation of each observation: as declared, or as the residuals show it. */

import { squared } from "../../num/whole-power.ts";
import type { Evaluation } from "../common/forward.ts";
import type { Observations } from "../common/observations.ts";

/** Before anything is fitted: declared spreads; for the others the spread of the output itself, so that outputs weigh alike. */
export function firstWeights(observations: Observations): Float64Array {
	const sd = new Float64Array(observations.nObservations);
	for (const { noise, observed, from, to } of observations.groups)
		sd.fill(noise.kind === "known" ? noise.sd : deviation(observed), from, to);
	return sd;
}

/**
 * After a fit: outputs whose spread is unknown get the size of their residuals (groups that share a spread parameter
 * share it), a varying spread is evaluated at the fit.
 */
export function fittedWeights(observations: Observations, fitted: Evaluation): Float64Array {
	const sd = new Float64Array(observations.nObservations);
	for (const { noise, measure, from, to } of observations.groups) {
		if (noise.kind === "known") sd.fill(noise.sd, from, to);
		else if (noise.kind === "varying")
			for (let i = from; i < to; i++) sd[i] = Math.max(Math.abs(fitted.spread![i]), Number.MIN_VALUE);
		else {
			const key = noise.param ?? measure.name;
			const alike = observations.groups.filter(
				(group) => group.noise.kind === "unknown" && (group.noise.param ?? group.measure.name) === key,
			);
			sd.fill(rootMeanSquare(observations, fitted, alike), from, to);
		}
	}
	return sd;
}

/** Whether weights can change at all: one output of unknown spread is the same fit at any weight. */
export function weightsMatter({ groups }: Observations): boolean {
	const keys = new Set(
		groups.map(({ noise, measure }) =>
			noise.kind === "unknown" ? (noise.param ?? measure.name) : noise.kind,
		),
	);
	return keys.has("varying") || (keys.size > 1 && groups.some(({ noise }) => noise.kind === "unknown"));
}

function rootMeanSquare(
	observations: Observations,
	{ value }: Evaluation,
	groups: readonly { readonly from: number; readonly to: number }[],
): number {
	let sum = 0;
	let count = 0;
	for (const { from, to } of groups)
		for (let i = from; i < to; i++) {
			sum += squared(observations.values[i] - value[i]);
			count++;
		}
	// A perfect fit would make the weight infinite: one part in 10^12 of the data is as small as rounding lets it be.
	const size = Math.max(...groups.map(({ from, to }) => deviation(observations.values.subarray(from, to))));
	return Math.max(Math.sqrt(sum / count), 1e-12 * size);
}

function deviation(values: Float64Array): number {
	let mean = 0;
	for (const value of values) mean += value / values.length;
	let sum = 0;
	for (const value of values) sum += squared(value - mean);
	return Math.sqrt(sum / values.length) || Math.abs(mean) || 1;
}
