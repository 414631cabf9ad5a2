import { entryOf } from "../entry.ts";
import { fit as method } from "./fit.ts";

export type { FitSummary } from "./summary.ts";

/** The most likely parameters, how sure each is, and what to doubt. */
export const fit = entryOf(method);
