/**
 * The likelihood of the chosen terms: with the noise that fits best beside them. Terms are chosen with a noise that was settled beside all
 * candidates, which is no more than near to it.
 */
import { likelihoodAt } from "../../../estimate/observe/optimum.ts";
import type { InversionRun } from "../inversion-run.ts";

export function foundLikelihood({ work, final }: InversionRun): ReturnType<typeof likelihoodAt> {
	return likelihoodAt(work.setting.observations, final!.active.length, final!);
}
