import { bayes as method } from "../methods/bayes/bayes.ts";
import { entryOf } from "./method-entry.ts";
import type { BayesSummary } from "./summaries.ts";

export type { BayesSummary } from "./summaries.ts";

/** The posterior of the parameters, with the noise of the measurement and the error of the integration in it. */
export const bayes = entryOf<BayesSummary, typeof method.options>(method);
