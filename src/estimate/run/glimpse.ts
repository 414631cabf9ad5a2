/** What is to be seen of a run before it has an answer: the same shape for all methods, so that who watches knows none of them. */
import type { Figure } from "../figure.ts";

/** Numbers that change from step to step, one for each search under way. Who watches remembers them: a line each. */
export interface Levels {
	readonly name: string;
	readonly title: string;
	readonly yLabel: string;
	/** The least is the best; one that is not finite is not drawn. */
	readonly values: readonly number[];
}

/** Costs next to nothing to ask for, and changes nothing of the run. */
export interface Glimpse {
	/** Where the run stands. */
	readonly figures: readonly Figure[];
	/** How it came there: drawn while there is no figure. */
	readonly levels?: Levels;
}

/** Of a method that has its answer so far at all times, or nothing to show without it. */
export const nothingSeen: Glimpse = { figures: [] };
