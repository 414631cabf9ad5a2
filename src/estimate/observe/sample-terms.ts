/**
 * Samples that are not plain numbers with an even error: counts, and values of which only the ends are known. What they
 * say of the model's value and spread, as a log-likelihood with its slopes, and as residuals that can be judged like others.
 *
 * Reference: Dunn, Smyth, "Randomized quantile residuals", J. Comput. Graph. Stat. 5, 1996.
 */
import { log } from "../../num/elementary/number.ts";
import { stream } from "../../num/random.ts";
import { families } from "../law/families.ts";
import { type Arithmetic, quantile, type SampleLaw } from "../law/law.ts";

export const numbers: Arithmetic<number> = {
	constant: (value) => value,
	add: (a, b) => a + b,
	mul: (a, b) => a * b,
	div: (a, b) => a / b,
	log,
	sqrt: Math.sqrt,
};

/** Samples of one output in one record. */
export interface SampleSet {
	readonly law: SampleLaw;
	/** As they are compared. */
	readonly observed: Float64Array;
}

/** Whether each sample is a number whose error is even about the model's value. */
export function isPlain({ law }: SampleSet): boolean {
	return !law.isCount;
}

/** Log-likelihood of sample k, on the scale on which it is compared, by value and spread. */
export function sampleTerm(
	{ law, observed }: SampleSet,
	k: number,
): (value: number, spread: number) => number {
	const y = observed[k];
	if (law.isCount) return (value, spread) => law.logMass(y, value, spread);
	return (value, spread) => {
		const e = (y - value) / spread;
		return law.logDensity(numbers, e * e) - log(spread);
	};
}

/** What a climber of the likelihood needs of one sample. */
export interface SampleSlopes {
	/** By the value and by the logarithm of the spread. */
	readonly value: number;
	readonly logSpread: number;
	/** Information on the value. That on the spread is the mean square of its slopes. */
	readonly information: number;
}

export function sampleSlopes(
	{ law, observed }: SampleSet,
	k: number,
	value: number,
	spread: number,
): SampleSlopes {
	if (law.isCount)
		return { ...law.score(observed[k], value, spread), information: law.information(value, spread) };
	throw new RangeError("a plain sample has rows of its own");
}

const standardNormal = families.normal.number!(0, 1);
/** Beyond what a mass can tell, all are as rare. */
const least = 1e-300;

/**
 * Residuals as rare as the samples are, on the scale of a standard normal law. A sample that is known by a set of values has one
 * drawn from what the set may hold, the same at every call.
 */
export function normalScores(
	{ law, observed }: SampleSet,
	value: ArrayLike<number>,
	spread: ArrayLike<number>,
	/** Which draws. */
	purpose: string,
): Float64Array {
	const random = stream(0, `residuals of ${purpose}`);
	return observed.map((y, k) => {
		if (!law.isCount) return law.normalScore((y - value[k]) / spread[k]);
		const below = law.below(y - 1, value[k], spread[k]);
		const above = law.above(y, value[k], spread[k]);
		return scoreBetween(below, above, random.uniform(k));
	});
}

/** A normal variable with `below` of its mass below and `above` above, and in between where `share` says. */
function scoreBetween(below: number, above: number, share: number): number {
	const between = Math.max(0, 1 - below - above);
	const lower = below + share * between;
	const upper = above + (1 - share) * between;
	return lower < upper
		? quantile(standardNormal, Math.max(lower, least))
		: -quantile(standardNormal, Math.max(upper, least));
}
