import { entryOf } from "../entry.ts";
import { kriging as method } from "./kriging.ts";

export type { KrigingSummary } from "./summary.ts";

/** The unknown functions of the model, learned as random processes with their errors. */
export const kriging = entryOf(method);
