import { kriging as method } from "../methods/kriging/kriging.ts";
import { entryOf } from "./method-entry.ts";
import type { KrigingSummary } from "./summaries.ts";

export type { KrigingSummary } from "./summaries.ts";

/** The unknown functions of the model, learned as random processes with their errors. */
export const kriging = entryOf<KrigingSummary, typeof method.options>(method);
