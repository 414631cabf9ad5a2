/** What an inversion came to: terms, or a reason why there are none. */

import { squared } from "../../../num/whole-power.ts";
import { dependentResiduals, missesTerms } from "../answer/residuals.ts";
import { termSize } from "../descent/fitted-model.ts";
import { couldBeChance } from "../evidence/chance.ts";
import type { InversionRun } from "../inversion-run.ts";

/**
 * `terms`: some are there. `noneNeeded`: what the model always has explains the data. `misfit`: no set fits. `nothing`: the data
 * show nothing but noise.
 */
export type Finding = "terms" | "noneNeeded" | "misfit" | "nothing";

/** Share of the data's variance that may be left unexplained. */
const explainedBelow = 0.25;

export function findingOf(run: InversionRun): Finding {
	const { work, final, emptySse } = run;
	if (work.selectable.length === 0 || !couldBeNothing(run)) return "terms";
	if (missesTerms(dependentResiduals(run))) return "misfit";
	const isExplained = emptySse <= explainedBelow * variation(run);
	return isExplained && work.terms(final!.active).length === 0 ? "noneNeeded" : "nothing";
}

/** Whether the data need any term at all. */
function couldBeNothing(run: InversionRun): boolean {
	const { work, final, variance, degrees, emptySse } = run;
	const terms = work.terms(final!.active);
	const kept = terms.length;
	const candidates = work.selectable.length;
	const weights = terms.reduce((sum, term) => sum + work.sets.membersOf(term).length, 0);
	if (couldBeChance({ empty: emptySse, sse: final!.sse, variance, degrees, kept, weights, candidates }))
		return true;
	// Weights that stand for one another are unsure one by one, yet together they may explain nearly everything.
	if (kept > 0 && final!.sse <= explainedBelow * emptySse) return false;
	// A weight that the data leave open has no standard error, and is another doubt.
	return terms.every((term) => {
		const size = termSize(final!, work.sets.membersOf(term), variance);
		return size !== null && size < 2;
	});
}

/** Weighted sum of squares of the samples about the mean of their output in their experiment. */
function variation({ work, starts }: InversionRun): number {
	const { sd, scale } = starts.noise;
	let sum = 0;
	for (const { observed, from } of work.setting.observations.groups) {
		const mean = observed.reduce((total, value) => total + value / observed.length, 0);
		observed.forEach((value, k) => {
			sum += squared(((value - mean) * scale) / sd[from + k]);
		});
	}
	return sum;
}
