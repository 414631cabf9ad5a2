import { fit as method } from "../methods/fit/fit.ts";
import { entryOf } from "./method-entry.ts";
import type { FitSummary } from "./summaries.ts";

export type { FitSummary } from "./summaries.ts";

/** The parameters that fit best in least squares, how sure each is, and what to doubt. */
export const fit = entryOf<FitSummary, typeof method.options>(method);
