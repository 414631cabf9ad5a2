/**
 * Whether terms are to be chosen once more with finer steps. Explicit steps that are too long for the true equations blow up there, and
 * the search then finds others that they hold: sets of terms that fit as well, beside sets that blew up, are the sign of it, and so are terms that would
 * not be found again, before they are doubted. That the answer's own steps suit it says nothing; that they hold rates 10 times as fast does: then
 * nothing near it blew up for their sake.
 */
import { mostSubsteps } from "./descent/settling.ts";
import { mostSteps, stepsHolding } from "./forward/rates-along.ts";
import type { InversionRun } from "./inversion-run.ts";
import { rivalWithin } from "./selection/judged.ts";

/** How much finer. */
export const finerBy = 8;
/** Terms that are chosen in fewer cases under repeated noise are not sure. */
export const sureShare = 0.8;

export function wantsFinerSteps(run: InversionRun): boolean {
	const { options, work, selection, final, stability, starts } = run;
	if (options.substeps !== "auto" || options.select !== "evidence" || work.isLarge) return false;
	if (!final || !selection || isFinest(run)) return false;
	const holding = stepsHolding(work, final.point);
	if (work.smooth && holding < mostSteps && holding <= starts.substeps) return false;
	const isUnsure = (u: number): boolean => stability.counts[u] < sureShare * stability.of;
	if (work.terms(final.active).some(isUnsure)) return true;
	return blownUp(run).length > 0 && selection.rivals(rivalWithin).length > 0;
}

function isFinest({ starts }: InversionRun): boolean {
	return finerBy * starts.substeps > mostSubsteps;
}

function blownUp({ selection, starts }: InversionRun): readonly { readonly sse: number }[] {
	const sets = [...selection!.judged.values(), ...starts.supports];
	return sets.filter(({ sse }) => !(sse < Number.POSITIVE_INFINITY));
}

/**
 * How many sets of terms blew up where that says nothing against them: beside an answer whose own rates are as fast as steps are made for, with steps that
 * cannot be made finer any more. The true ones may be among them; 0 where steps hold what there is.
 */
export function beyondSteps(run: InversionRun): number {
	const { options, work, final, selection } = run;
	if (options.substeps !== "auto" || work.isLarge || !work.smooth || !final || !selection) return 0;
	return isFinest(run) && stepsHolding(work, final.point) >= mostSteps ? blownUp(run).length : 0;
}
