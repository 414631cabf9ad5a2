import { entryOf } from "../entry.ts";
import { guaranteed as method } from "./guaranteed.ts";

export { type Inverted, type InvertOptions, invert } from "./library/invert.ts";
export { type Reached, type ReachOptions, reach } from "./library/reach.ts";
export { type StateBounds, Tube, type TubePiece } from "./library/tube.ts";
export type { GuaranteedSummary } from "./summary.ts";

/** Every value of the unknowns that is consistent with the data, enclosed with proof; or proof that there is none. */
export const guaranteed = entryOf(method);
