/** The figures by which a fit is held against others and against published ones. */
import { log } from "../../num/elementary/number.ts";
import { squared } from "../../num/whole-power.ts";
import type { Ends } from "./compared.ts";
import type { Observations } from "./observations.ts";
import { isBetween, numbers, sampleTerm } from "./sample-terms.ts";

export interface Goodness {
	/** Of the samples as they were measured, at the estimate. */
	readonly logLikelihood: number;
	/** Sum of the squared errors, each in units of its spread, whatever their law, as PEtab has it. A χ² only where they are normal. */
	readonly chi2: number;
	/** Samples less what was found from them, spreads included. */
	readonly degrees: number;
	readonly aic: number;
	readonly bic: number;
}

/** `spread`: of each sample; `nFound`: how many numbers were found from the samples. */
export function goodnessOf(
	{ groups, values, nObservations }: Observations,
	predicted: Float64Array,
	spread: Float64Array,
	nFound: number,
): Goodness {
	let logLikelihood = 0;
	let chi2 = 0;
	for (const group of groups) {
		const { law, from, to } = group;
		for (let i = from; i < to; i++) {
			const k = i - from;
			if (law.isCount || isBetween(group, k)) {
				const unit = law.isCount ? Math.sqrt(law.variance(predicted[i], spread[i])) : spread[i];
				const off = isBetween(group, k) ? outside(group.within!, k, predicted[i]) : values[i] - predicted[i];
				chi2 += squared(off / unit);
				logLikelihood += sampleTerm(group, k)(predicted[i], spread[i]);
				continue;
			}
			const e = (values[i] - predicted[i]) / spread[i];
			chi2 += e * e;
			logLikelihood += law.logDensity(numbers, e * e) - log(spread[i]) + law.scale.logSlope(values[i]);
		}
	}
	return {
		logLikelihood,
		chi2,
		degrees: nObservations - nFound,
		aic: 2 * nFound - 2 * logLikelihood,
		bic: nFound * log(nObservations) - 2 * logLikelihood,
	};
}

/** How far a value lies outside of what a sample surely is. */
function outside({ lo, hi }: Ends, k: number, value: number): number {
	return Math.max(lo[k] - value, value - hi[k], 0);
}
