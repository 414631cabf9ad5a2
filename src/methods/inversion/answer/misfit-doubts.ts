/** Doubts about how the chosen terms and the data go together: larger residuals than declared, residuals that are not noise. */

import { dependenceDoubt } from "../../../estimate/judge/independence.ts";
import { sizeDoubts, strangeSizes } from "../../../estimate/judge/size.ts";
import { doubt } from "../../../estimate/judge/words.ts";
import type { Doubt } from "../../../estimate/result.ts";
import { squared } from "../../../num/whole-power.ts";
import type { InversionRun } from "../inversion-run.ts";
import type { Finding } from "../selection/finding.ts";
import { dependentResiduals, isGrave, residualSeries } from "./residuals.ts";

export function misfit(run: InversionRun, finding: Finding): Doubt[] {
	const { final, starts, work } = run;
	const { values } = work.setting.observations;
	let signal = 0;
	for (let i = 0; i < values.length; i++)
		signal += squared((values[i] * starts.noise.scale) / starts.noise.sd[i]);
	return [
		...sizeDoubts(strangeSizes(residualSeries(run), final!.active.length), {
			larger: "Terms and standard errors here go by the residuals.",
			smaller:
				"Terms and standard errors here go by what is declared: if the samples are better than that, weaker terms could be seen.",
		}),
		...(final!.sse > 0.25 * signal && finding === "terms"
			? doubt(
					"poor-fit",
					"The chosen terms leave most of the data unexplained",
					"The optimum that was found may be a wrong one, or the right terms are not among the candidates. Give a start under  set:, or propose other terms.",
					true,
				)
			: []),
	];
}

/** What the terms miss shows in residuals that go on from sample to sample, whatever the size of the noise. */
export function systematicResiduals(run: InversionRun): Doubt[] {
	const found = dependentResiduals(run);
	return dependenceDoubt(found, { grave: isGrave(found) });
}
