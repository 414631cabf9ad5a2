import { entryOf } from "../entry.ts";
import { bayes as method } from "./bayes.ts";

export type { BayesSummary } from "./summary.ts";

/** The posterior of the parameters, with the noise of the measurement and the error of the integration in it. */
export const bayes = entryOf(method);
