/** Weights of the observations: from the declared noise, or from the residuals where the model leaves it open. */

import { negligibleError } from "../../../estimate/forward/integration.ts";
import { isTooLarge, isTooSmall } from "../../../estimate/judge/size.ts";
import { CommonSpreads } from "../../../estimate/observe/common-spreads.ts";
import type { Observations, OutputGroup } from "../../../estimate/observe/observations.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import { spreadOf } from "../forward/smooth-states.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";

export interface RowNoise {
	/** Standard deviation of each observation. */
	readonly sd: Float64Array;
	/** A common scale: the geometric mean of all sd. Rows are weighted by scale / sd. */
	readonly scale: number;
	/** Every sd is declared by the model. */
	readonly declared: boolean;
	/** Some output has no noise beyond rounding: its sd is a floor. */
	readonly floored: boolean;
	/** Variance of the weighted residuals that what is declared makes at least, over that of all sd; 0 where nothing is. */
	readonly least: number;
}

/** Data that are known no better than to so many parts of their spread count as free of noise. */
const floor = 1e-6;

/** The same before anything is fitted: a guess that is far too small would make one output count for everything. */
const firstFloor = 1e-2;

/** Before anything is fitted: the spread of the output itself stands for a noise that is unknown, times `guess`. */
export function firstNoise(
	observations: Observations,
	guess: (group: number) => number | undefined,
): RowNoise {
	const sd = new Float64Array(observations.nObservations);
	let floored = false;
	observations.groups.forEach(({ spread: declared, observed, from, to }, g) => {
		if (declared.kind === "known") {
			sd.set(declared.sd, from);
			return;
		}
		const spread = spreadOf(observed);
		const guessed = guess(g) ?? 0.1 * spread;
		if (!(guessed > floor * spread)) floored = true;
		sd.fill(Math.max(guessed || 0, firstFloor * spread), from, to);
	});
	return noiseFrom(observations, sd, floored);
}

/** After a fit: outputs of unknown noise get the size of their residuals; a noise that varies is evaluated. */
export function fittedNoise(observations: Observations, { value, spread }: WeightEvaluation): RowNoise {
	const sd = new Float64Array(observations.nObservations);
	let floored = false;
	const common = CommonSpreads.of(observations, 0);
	common.fill(sd, value);
	for (const { parts } of common.keys) {
		const least = floor * Math.max(...parts.map(({ group }) => spreadOf(group.observed)));
		for (const { group } of parts)
			if (!(sd[group.from] > least)) {
				floored = true;
				sd.fill(least, group.from, group.to);
			}
	}
	for (const { spread: declared, from, to } of observations.groups) {
		if (declared.kind === "known") sd.set(declared.sd, from);
		if (declared.kind === "simulated")
			for (let i = from; i < to; i++) sd[i] = Math.max(Math.abs(spread![i]), Number.MIN_VALUE);
	}
	return noiseFrom(observations, sd, floored);
}

/** The error of the integration in each group of observations: root mean square of what finer steps change, there and in gaps. */
export function integrationErrors(
	{ groups }: Observations,
	coarse: Float64Array,
	fine: Float64Array,
	inGaps: (group: OutputGroup) => number,
): number[] {
	return groups.map((group) => {
		const { from, to } = group;
		let sum = squared(inGaps(group));
		for (let i = from; i < to; i++) sum += squared(coarse[i] - fine[i]) / (to - from);
		return Math.sqrt(sum);
	});
}

/** Noise that is not declared is never smaller than what hides the error of the integration: else that would look like terms. */
export function aboveErrors(
	observations: Observations,
	noise: RowNoise,
	errors: readonly number[],
): RowNoise {
	const sd = noise.sd.slice();
	let floored = noise.floored;
	observations.groups.forEach(({ spread, from, to }, g) => {
		const least = errors[g] / negligibleError;
		if (spread.kind !== "common" || !(sd[from] < least)) return;
		floored = true;
		sd.fill(least, from, to);
	});
	return noiseFrom(observations, sd, floored);
}

export function rowWeights({ sd, scale }: RowNoise): Float64Array {
	return sd.map((each) => scale / each);
}

/**
 * Variance of the weighted residuals that selection counts with: as the residuals show it where they are larger than declared,
 * otherwise as declared. Smaller residuals than that do not make terms surer: the integration and rounding set their size.
 */
export function residualVariance(noise: RowNoise, sse: number, degrees: number): number {
	const seen = sse / Math.max(degrees, 1);
	const expected = squared(noise.scale);
	if (noise.floored) return Math.max(seen, expected);
	const agrees = !isTooLarge(sse / expected, degrees) && !isTooSmall(sse / expected, degrees);
	return noise.declared && agrees ? expected : Math.max(seen, noise.least * expected, Number.MIN_VALUE);
}

/** Whether residuals are no larger than a declared noise makes them. */
export function agreesWithDeclared(noise: RowNoise, sse: number, degrees: number): boolean {
	return noise.declared && !isTooLarge(sse / squared(noise.scale), degrees);
}

/** Standard deviations with their common scale. */
export function noiseFrom({ groups }: Observations, sd: Float64Array, floored: boolean): RowNoise {
	let sum = 0;
	for (const each of sd) sum += log(each);
	// Equal sd must weigh exactly 1.
	const equal = sd.every((each) => each === sd[0]);
	return {
		sd,
		scale: equal ? sd[0] : exp(sum / sd.length),
		declared: groups.every(({ spread }) => spread.kind === "known"),
		floored,
		least: groups.every(({ spread }) => spread.kind === "common") ? 0 : 1,
	};
}
