/** What bayes says in summary.json. */
import type { Goodness } from "../../estimate/observe/goodness.ts";
import type { IndividualsSummary } from "../../estimate/population/tables.ts";
import type { LeaveOneOut, PredictiveChecks } from "./answer/diagnostics.ts";
import type { FilterSettings } from "./likelihood/likelihood.ts";

/** With the figures of the most likely draw, where the model has a trajectory of its own. */
export type BayesSummary = Partial<Goodness> & {
	readonly parameters: Readonly<Record<string, BayesParameter>>;
	/** In all runs together. */
	readonly particles: number;
	readonly runs: readonly {
		readonly logEvidence?: number;
		readonly outcome: string;
		readonly divergedShareOfPrior: number;
	}[];
	/** From here on absent where every particle diverged. */
	readonly logEvidence?: number;
	/** Holds the log evidence 90 times in a hundred; absent where one run alone tells it. */
	readonly logEvidenceInterval?: { readonly lo: number; readonly hi: number; readonly level: number };
	/** Where parameters differ from record to record: how far, and each record's own. */
	readonly population?: IndividualsSummary["population"];
	readonly individuals?: IndividualsSummary["individuals"];
	/** What steps half as long would add to it, where they were tried. */
	readonly stepShift?: number;
	/** Particles that independent draws would be as good as; how samples that were left out are foretold; whether replicated
	 * records look like the measured one. */
	readonly ess?: number;
	readonly loo?: LeaveOneOut;
	readonly predictiveChecks?: PredictiveChecks;
	/** Of the first run. */
	readonly rejuvenations?: readonly Rejuvenation[];
	/** How it was integrated; `stepEffect`: how far shorter steps would move estimates, at most, in their standard deviations. */
	readonly filter?: FilterSettings & { readonly rateTimesStep: number; readonly stepEffect: number };
	readonly train?: { readonly rmseOver: Readonly<Record<string, OverParticles>> };
	readonly test?: { readonly rmseOver: Readonly<Record<string, OverParticles>> };
};

interface BayesParameter {
	readonly mean: number;
	readonly sd: number;
	readonly q05: number;
	readonly q50: number;
	readonly q95: number;
	/** Agreement of independent runs, 1 at best; absent with one run. */
	readonly rHat?: number;
}

export interface Rejuvenation {
	/** Samples that were taken in. */
	readonly sample: number;
	readonly ess: number;
	readonly acceptance: number;
	/** In tempering: the power that these samples had, on the way to a cheaper likelihood or over from it. */
	readonly lambda?: number;
	readonly bridge?: boolean;
}

export interface OverParticles {
	readonly mean: number;
	readonly min: number;
	readonly max: number;
}
