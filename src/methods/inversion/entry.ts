import { entryOf } from "../entry.ts";
import { inversion as method } from "./inversion.ts";

export type { InversionSummary } from "./summary.ts";

/** Which of the proposed terms are in the equations, with their weights. */
export const inversion = entryOf(method);
