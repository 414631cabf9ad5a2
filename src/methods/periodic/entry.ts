import { entryOf } from "../entry.ts";
import { periodic as method } from "./periodic.ts";

export type { PeriodicSummary } from "./summary.ts";

/** Parameters, hidden states and period from a periodic record of one state or more. */
export const periodic = entryOf(method);
