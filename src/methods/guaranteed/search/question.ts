/** What a search is about: the same all the while. */
import type { OptionValues } from "../../options.ts";
import type { Problem } from "../../problem.ts";
import type { Effort } from "../flow/effort.ts";
import type { guaranteedOptions } from "../options.ts";
import type { GuaranteedSystem } from "../system.ts";
import type { GuaranteedUnknown } from "../unknowns.ts";

export type GuaranteedOptions = OptionValues<typeof guaranteedOptions>;

export interface Question {
	readonly problem: Problem;
	readonly options: GuaranteedOptions;
	readonly system: GuaranteedSystem;
	readonly unknowns: readonly GuaranteedUnknown[];
	/** The box of all declared sets. */
	readonly prior: Float64Array;
	readonly effort: Effort;
	/** Nothing was measured. */
	readonly isFree: boolean;
	/** Nor does any state move: what is assumed is all there is, and to follow a box costs no more than to sort it. */
	readonly isStatic: boolean;
}
