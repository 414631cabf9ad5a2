/** Sets of terms as a selection judges them, and what it keeps of its way. */
import { exp } from "../../../num/elementary/number.ts";
import type { Descent, DescentState } from "../descent/descent.ts";
import type { Support } from "../descent/start-results.ts";
import type { AsyncSlices } from "../slices.ts";
import type { Exchange } from "./exchanges.ts";
import type { Multiple } from "./multiples.ts";

/** Other sets of terms whose evidence is no further behind are rivals: odds of 1 to 20, so that the truth is rarely beyond them. */
export const rivalWithin = 6;
/** Chance from which on a set of terms is as sure as the intervals of its weights are, and needs no doubt of its own. */
export const sureFrom = 0.95;

export const keyOf = (active: readonly number[]): string => active.join();

/** A set of terms with its fit. */
export interface Judged {
	readonly active: readonly number[];
	readonly point: readonly number[];
	readonly sse: number;
	readonly iterations: number;
	/** Its errors are through a triangle, instead of singular values. */
	readonly quick: boolean;
	/** Weight over standard error of each active unknown, without sign; null where there is no standard error. */
	readonly t: readonly (number | null)[];
	/** The same of each of its terms, as `Terms.among` lists them: root mean square of what a term has in the records. */
	readonly sizes: readonly (number | null)[];
	/** Minus twice the log evidence, and BIC: smaller is better. */
	readonly evidence: number;
	readonly bic: number;
	/** As the problem linearised nearby says: the sum of squares is simulated, errors and evidence are about so. */
	readonly byLinear?: true;
}

type Sets = Pick<TermSelection, "chosen" | "rivals">;

/** How likely a set is beside the chosen one: the evidence is minus twice a logarithm. */
const oddsOf = ({ chosen }: Sets, { evidence }: Judged): number => exp((chosen.evidence - evidence) / 2);

/** Chance of the chosen set among all that were tried: many that are far behind count as one that is near. */
export function chanceOf(sets: Sets): number {
	return 1 / sets.rivals(Number.POSITIVE_INFINITY).reduce((sum, each) => sum + oddsOf(sets, each), 1);
}

/** Other sets that are named beside the chosen one, best first: all near it, and as many more as it takes until together they are as sure as an interval. */
export function namedRivals(sets: Sets): Judged[] {
	const chance = chanceOf(sets);
	let held = chance;
	return sets.rivals(Number.POSITIVE_INFINITY).filter((each) => {
		const isNamed = each.evidence - sets.chosen.evidence <= rivalWithin || held < sureFrom;
		held += chance * oddsOf(sets, each);
		return isNamed;
	});
}

export interface PathStep {
	/** Key of the set that is left. */
	readonly key: string;
	/** The term that was taken out to get here, and how large it was in standard errors. */
	readonly dropped: number | null;
	readonly t: number | null;
	/** The term that would have been next, where it was almost as small. */
	readonly tie: { readonly term: number; readonly t: number } | null;
	/** Of the set that is left. */
	readonly terms: number;
	readonly sse: number;
	readonly bic: number;
	readonly evidence: number | null;
}

/** What the answer is made from, however terms were chosen. */
export interface TermSelection {
	readonly path: readonly PathStep[];
	readonly judged: ReadonlyMap<string, Judged>;
	readonly stage: "eliminate" | "improve" | "done";
	readonly iterations: number;
	readonly variance: number;
	readonly chosen: Judged;
	/** Among very many terms: candidates that move no sample, whatever their weights. */
	readonly idle?: readonly number[];
	/** Among very many terms: chosen ones that another candidate could stand for. */
	readonly exchanges?: readonly Exchange[];
	begin(full: Descent, supports: readonly Support[]): Promise<void>;
	/** One unit of work. */
	step(): Promise<void> | AsyncSlices<void>;
	/** Other sets that are almost as well supported, best first. */
	rivals(within: number): Judged[];
	save(): SelectionState;
	restore(state: SelectionState, supports: readonly Support[]): void;
}

export interface Proposal {
	readonly active: readonly number[];
	readonly point: readonly number[];
	/** The set from which it was proposed, and how much worse it looks there; null where that says little. */
	readonly from: string;
	readonly behind: number | null;
}

export interface SelectionState {
	readonly judged: readonly Judged[];
	readonly path: readonly PathStep[];
	readonly stage: "eliminate" | "improve" | "done";
	readonly queue: readonly Proposal[];
	readonly explored: readonly string[];
	readonly iterations: number;
	/** The best set when rivals were last combined. */
	readonly combinedAt?: string;
	/** Laws with an equation multiplied that are still to be tried; none where it was not come to. */
	readonly multiples?: readonly Multiple[];
	/** Where the problem was linearised last. */
	readonly linear?: { readonly active: readonly number[]; readonly point: readonly number[] };
	/** Among very many terms: those that move no sample or could be others, and the fit that runs. */
	readonly idle?: readonly number[];
	readonly exchanges?: readonly Exchange[];
	readonly refit?: { readonly active: readonly number[]; readonly descent: DescentState };
}
