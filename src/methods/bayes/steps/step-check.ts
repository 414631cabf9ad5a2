/** Would shorter steps move a posterior that was found, and how short must they be? */
import type { Experiment } from "../../../data/experiment.ts";
import { stepsForError } from "../../../estimate/forward/integration.ts";
import { log } from "../../../num/elementary/number.ts";
import { logSumExp } from "../../../num/statistics/log-weights.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { coarseStep, mostSubsteps, stepsFor } from "../likelihood/step-choice.ts";
import { type Draws, orderOf, spreadOfChange, wholeEffect, withPartAdded, withSteps } from "./step-effect.ts";
import { fewestSteps, negligibleEffect } from "./step-pilot.ts";

export interface StepCheck {
	/** What steps half as long would add to the log evidence. */
	readonly shift: number | undefined;
	/** How far ever shorter steps would move estimates, at most, in their own standard deviations. */
	readonly effect: number;
	/** Steps a sample that would do, where those that were taken do not. */
	readonly enough: number | undefined;
}

/** What steps half as long do to the likelihood, over the posterior; `hidden`: odds of what only they would show of it. */
export async function checkSteps(
	likelihood: Likelihood,
	{ theta, n }: Draws,
	hidden: number,
	isSmooth: boolean,
): Promise<StepCheck> {
	const { substeps } = likelihood.settings;
	const finer = withSteps(likelihood, { substeps: 2 * substeps });
	const [own, other] = [await likelihood.logLikelihoods(theta, n), await finer.logLikelihoods(theta, n)];
	const shift = logSumExp(other.map((value, b) => value - own[b])) - log(n);
	const order = orderOf(likelihood, isSmooth);
	// Copies of a few particles tell no spread: there all that shorter steps change counts.
	const isCloud = new Set(own).size > n / 4;
	const spread = withPartAdded(spreadOfChange(own, other), hidden);
	const effect = wholeEffect(isCloud ? spread : Math.max(spread, Math.abs(shift) || 0), order);
	return {
		shift: Number.isFinite(shift) ? shift : undefined,
		effect,
		enough: stepsForError(substeps, effect, 0.3, order),
	};
}

/** Steps without an error of their own to begin again with. `hides`: part of the posterior was cut off, and more may lie behind it. */
export async function finerSteps(
	likelihood: Likelihood,
	draws: Draws,
	effect: number,
	hides: boolean,
	isSmooth: boolean,
): Promise<number | undefined> {
	if (!(hides || effect > 2 * negligibleEffect)) return undefined;
	const { substeps: own } = likelihood.settings;
	const { substeps } = await fewestSteps(likelihood, draws, isSmooth, mostSubsteps);
	const half = hides ? 2 * own : 0;
	const wanted = Math.min(Math.max(substeps ?? half, half), mostSubsteps);
	return wanted > own ? wanted : undefined;
}

/** The same of a filter, whose steps follow the fastest rate; `rateStep`: that rate times the step. */
export function stepsForRate(
	rate: number,
	rateStep: number,
	train: readonly Experiment[],
): number | undefined {
	const wanted = stepsFor(rate, train);
	return rateStep > coarseStep && wanted <= mostSubsteps ? wanted : undefined;
}
