/** What the residuals of an answer are like, for the judge. */
import { type Dependence, dependences } from "../../../estimate/judge/independence.ts";
import { type ResidualSeries, seriesOf } from "../../../estimate/judge/series.ts";
import type { InversionRun } from "../inversion-run.ts";

/** Residuals that make standard errors so many times too small may be what a missing term does: of no term at all, that is no finding. */
const missingFrom = 1.6;

export function residualSeries({ work, final, starts }: InversionRun): ResidualSeries[] {
	const { observations, experiments } = work.setting;
	const { residual, jacobian, active } = final!;
	return seriesOf(observations.groups, residual, experiments, {
		unit: starts.noise.scale,
		jacobian: jacobian ? { of: jacobian, nUnknowns: active.length } : "unknown",
	});
}

export function dependentResiduals(run: InversionRun): Dependence[] {
	// Data without noise leave only errors of the integration.
	return run.starts.noise.floored ? [] : dependences(residualSeries(run), run.final!.active.length);
}

/** Whether what is left over may well be what a missing term does. */
export function missesTerms(found: readonly Dependence[]): boolean {
	return found.some(({ factor }) => factor > missingFrom);
}
