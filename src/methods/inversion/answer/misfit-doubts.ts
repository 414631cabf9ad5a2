/** Doubts about how the chosen terms and the data go together: larger residuals than declared, residuals that are not noise. */

import { dependenceDoubt } from "../../../estimate/judge/independence.ts";
import { poorFitDoubt } from "../../../estimate/judge/poor-fit.ts";
import { sizeDoubts, strangeSizes } from "../../../estimate/judge/size.ts";
import { stretchDoubt } from "../../../estimate/judge/stretch.ts";
import type { Doubt, Prediction, Remark } from "../../../estimate/result.ts";
import type { InversionRun } from "../inversion-run.ts";
import type { Finding } from "../selection/finding.ts";
import { dependentResiduals, residualSeries } from "./residuals.ts";

export function misfit(run: InversionRun, finding: Finding, predictions: readonly Prediction[]): Remark[] {
	const series = residualSeries(run);
	return [
		...sizeDoubts(strangeSizes(series, run.final!.active.length), {
			larger: "Terms and standard errors here go by the residuals.",
			smaller:
				"Terms and standard errors here go by what is declared: if the samples are better than that, weaker terms could be seen.",
		}),
		...(finding === "terms"
			? poorFitDoubt(
					predictions,
					series,
					run.final!.active.length,
					"The optimum that was found may be a wrong one, or the right terms are not among the candidates. Give a start under  set:, or propose other terms.",
				)
			: []),
	];
}

/** What the terms miss shows in residuals that go on from sample to sample or are larger for a while, whatever the size of the noise. */
export function systematicResiduals(run: InversionRun): Doubt[] {
	// Data without noise leave only errors of the integration.
	const uneven = run.starts.noise.floored
		? []
		: stretchDoubt(residualSeries(run), run.final!.active.length, "propose other terms");
	return [...dependenceDoubt(dependentResiduals(run)), ...uneven];
}
