import { inversion as method } from "../methods/inversion/inversion.ts";
import { entryOf } from "./method-entry.ts";
import type { InversionSummary } from "./summaries.ts";

export type { InversionSummary } from "./summaries.ts";

/** Which of the proposed terms are in the equations, with their weights. */
export const inversion = entryOf<InversionSummary, typeof method.options>(method);
