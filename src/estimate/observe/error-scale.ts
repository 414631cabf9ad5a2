/**
 * How large the errors of the samples are taken to be: as the residuals show it, as declared where the residuals are too
 * few to show it, and never below what rounding and integration leave uncertain.
 */
import { normalQuantile975, studentQuantile975 } from "../../num/statistics/quantile.ts";
import { squared } from "../../num/whole-power.ts";
import type { Observations } from "./observations.ts";
import { isPlain } from "./sample-terms.ts";

/** Rounding, as a share of the signal: of the data, and of a simulation of many steps. */
export const rounding = 1e-12;
/** Below so many degrees of freedom the residuals alone say too little of the noise. */
const fewDegrees = 5;

export interface ErrorScale {
	/** Variance of a sample, in units of its weight's sd²; undefined when nothing tells it. */
	readonly noise: number | undefined;
	/** The same for standard errors and profiles: not below `floor`. */
	readonly variance: number;
	/** Whether the standard errors are those that rounding and integration error leave, not those of noise. */
	readonly atFloor: boolean;
	/** Whether they have the size that was declared, since too little else tells it. */
	readonly byDeclaration: boolean;
	/** 0.975 quantile of an estimate's error over its standard error. */
	readonly quantile: number;
}

export function errorScale(
	observations: Observations,
	sd: Float64Array,
	nUnknowns: number,
	/** Sum of the squared residuals, each as its law counts it. */
	squares: number,
	/** Sum of squares of the integration error, where it is not negligible. */
	integration: number,
): ErrorScale {
	let signal = 0;
	for (let i = 0; i < sd.length; i++) signal += squared(observations.values[i] / sd[i]);
	// Such an error is no noise: it may point where the estimate moves most, and more samples do not average it out.
	const floor = squared(rounding) * (signal || sd.length) + integration;
	const degrees = observations.nObservations - nUnknowns;
	const seen = degrees > 0 ? squares / degrees : 0;
	const declared = observations.groups.every(({ spread }) => spread.kind !== "common");
	// Counts have no size but the one that their law gives them.
	const isWhole = observations.groups.some((group) => !isPlain(group));
	const byDeclaration = isWhole || (declared && degrees < fewDegrees && seen <= 1);
	const noise = byDeclaration ? 1 : degrees > 0 ? seen : undefined;
	const atFloor = !((noise ?? 0) > floor);
	return {
		noise,
		variance: atFloor ? floor : noise!,
		atFloor,
		byDeclaration,
		quantile: byDeclaration || degrees < 1 ? normalQuantile975 : studentQuantile975(degrees),
	};
}
