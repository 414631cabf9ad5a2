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

export function wantsFinerSteps({
	options,
	work,
	selection,
	final,
	stability,
	starts,
}: InversionRun): boolean {
	if (options.substeps !== "auto" || options.select !== "evidence" || work.isLarge) return false;
	if (!final || !selection || finerBy * starts.substeps > mostSubsteps) return false;
	const holding = stepsHolding(work, final.point);
	if (work.smooth && holding < mostSteps && holding <= starts.substeps) return false;
	const isUnsure = (u: number): boolean => stability.counts[u] < sureShare * stability.of;
	if (work.terms(final.active).some(isUnsure)) return true;
	const sets = [...selection.judged.values(), ...starts.supports];
	return (
		sets.some(({ sse }) => !(sse < Number.POSITIVE_INFINITY)) && selection.rivals(rivalWithin).length > 0
	);
}
