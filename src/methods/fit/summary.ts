/** What fit says in summary.json. */

import type { Goodness } from "../../estimate/observe/goodness.ts";
import type { ParameterSummary } from "../../estimate/parameter-summary.ts";
import type { IndividualsSummary } from "../../estimate/population/tables.ts";

/** With the figures by which it is held against other fits, where a start could be simulated. */
export type FitSummary = Partial<Goodness> & {
	readonly parameters: Readonly<Record<string, ParameterSummary>>;
	readonly iterations: number;
	readonly starts: { readonly tried: number; readonly agree: number };
	/** From here on absent where no start could be simulated. */
	readonly evaluations?: number;
	/** How the model was integrated, in words, and its error in standard deviations of the noise. */
	readonly integration?: string;
	readonly integrationError?: number;
	/** By output: size of the residuals, and what the model declares. */
	readonly noise?: Readonly<Record<string, { readonly seen: number; readonly declared?: number }>>;
	/** Standard errors that hold for residuals of any size and correlation. */
	readonly robustSd?: Readonly<Record<string, number>>;
	/** Where parameters differ from record to record: how far, and each record's own. */
	readonly population?: IndividualsSummary["population"];
	readonly individuals?: IndividualsSummary["individuals"];
	/** Seconds. */
	readonly timing?: { readonly search: number; readonly profile: number };
};
