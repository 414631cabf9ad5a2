import { periodic as method } from "../methods/periodic/periodic.ts";
import { entryOf } from "./method-entry.ts";
import type { PeriodicSummary } from "./summaries.ts";

export type { PeriodicSummary } from "./summaries.ts";

/** Parameters, hidden states and period from a periodic record of one state. */
export const periodic = entryOf<PeriodicSummary, typeof method.options>(method);
