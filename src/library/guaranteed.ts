import { guaranteed as method } from "../methods/guaranteed/guaranteed.ts";
import { entryOf } from "./method-entry.ts";
import type { GuaranteedSummary } from "./summaries.ts";

export type { GuaranteedSummary } from "./summaries.ts";

/** Every value of the unknowns that is consistent with the data, enclosed with proof; or proof that there is none. */
export const guaranteed = entryOf<GuaranteedSummary, typeof method.options>(method);
