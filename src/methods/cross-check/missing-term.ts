/**
 * A model that does not explain its data: which single change of one equation would? Every candidate is fitted together with
 * the parameters.
 */

import type { Result } from "../../estimate/result.ts";
import { printModel } from "../../model/print/model.ts";
import { log } from "../../num/elementary/number.ts";
import { type Candidate, freedomOf } from "./candidate-terms.ts";
import { type Explained, explainedBy } from "./misfit-test.ts";

export interface FoundTerm {
	readonly state: string;
	readonly top: string;
	/** With its numbers, without its weight. */
	readonly term: string;
	readonly weight?: number;
	/** The term that it stands for; added to the others where there is none. */
	readonly replaces?: string;
	/** The sum of squares without it and with it, over the declared variance, and the number of samples. */
	readonly before: number;
	readonly after: number;
	readonly count: number;
	/** Other changes that the record cannot tell from it: `0.64*x1^2 in x1' (20.2)`. */
	readonly nearly: readonly string[];
	/** The model with the term in it. */
	readonly text: string;
}

export interface Trial {
	readonly candidate: Candidate;
	readonly result: Result;
}

interface Scored extends Trial {
	readonly after: number;
	/** The sum of squares and what its numbers cost. */
	readonly score: number;
}

/** A difference in BIC that is not worth mentioning: within it, a term that is there and changes comes before a new one. */
const inPlace = 2;
/** Prices of a number within which another change is as good. */
const nearlyAsGood = 3;

/** The change that explains most, if it explains the larger part of what was left over and more than chance would. */
export function bestTerm(before: Explained, trials: readonly Trial[]): FoundTerm | undefined {
	// The price of a number in BIC.
	const price = log(before.count);
	// What could not be fitted leaves no residuals, which is no explanation.
	const scored = trials
		.filter(({ result }) => result.answered)
		.map((trial): Scored => {
			const after = explainedBy(trial.result).squares;
			const bonus = trial.candidate.replaces ? inPlace : 0;
			return { ...trial, after, score: after + freedomOf(trial.candidate) * price - bonus };
		})
		.filter(({ after }) => Number.isFinite(after))
		.sort((a, b) => a.score - b.score);
	const [best] = scored;
	if (!best) return undefined;
	const gain = before.squares - best.score;
	// Ten times the price, because many terms were tried.
	if (!(gain > 10 * price && gain > before.squares / 2)) return undefined;
	const { state, top, weight, replaces, model } = best.candidate;
	return {
		state,
		top,
		term: withNumbers(best),
		...(weight ? { weight: estimateOf(best, weight) } : {}),
		...(replaces ? { replaces } : {}),
		before: before.squares,
		after: best.after,
		count: before.count,
		nearly: scored
			.slice(1)
			.filter(({ score }) => score < best.score + nearlyAsGood * price)
			.slice(0, 5)
			.map((each) => `${changeText(each)} in ${each.candidate.top} (${each.after.toPrecision(3)})`),
		text: printModel(model),
	};
}

/** `-p1*x1/(1 + 1.2*x1)`: the term with the number that was found for `v`. */
function withNumbers(trial: Trial): string {
	const { term, other } = trial.candidate;
	return other
		? term.replace(new RegExp(`\\b${other}\\*`), `${Number(estimateOf(trial, other).toPrecision(3))}*`)
		: term;
}

function changeText(trial: Trial): string {
	const { weight, replaces } = trial.candidate;
	if (replaces) return `${withNumbers(trial)} for ${replaces}`;
	return `${Number(estimateOf(trial, weight!).toPrecision(3))}*${withNumbers(trial)}`;
}

function estimateOf({ result }: Trial, wanted: string): number {
	return result.parameters.find(({ name }) => name === wanted)?.estimate ?? Number.NaN;
}
