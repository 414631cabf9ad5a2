/**
 * Samples that are not plain numbers with an even error: counts, and values of which only the ends are known. What they
 * say of the model's value and spread, as a log-likelihood with its slopes, and as residuals that can be judged like others.
 *
 * Reference: Dunn, Smyth, "Randomized quantile residuals", J. Comput. Graph. Stat. 5, 1996.
 */
import { exp, log } from "../../num/elementary/number.ts";
import { stream } from "../../num/random.ts";
import { squared } from "../../num/whole-power.ts";
import { families } from "../law/families.ts";
import { type Arithmetic, type NoiseLaw, quantile, type SampleLaw } from "../law/law.ts";
import type { Ends } from "./compared.ts";

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
	/** Where some are only known to lie between ends. */
	readonly within?: Ends;
}

/** Whether each sample is a number whose error is even about the model's value. */
export function isPlain({ law, within }: SampleSet): boolean {
	return !law.isCount && !within;
}

/** Whether sample k is only known to lie between ends. */
export function isBetween({ within }: Pick<SampleSet, "within">, k: number): boolean {
	return within !== undefined && within.lo[k] < within.hi[k];
}

/** Log-likelihood of sample k, on the scale on which it is compared, by value and spread. */
export function sampleTerm(set: SampleSet, k: number): (value: number, spread: number) => number {
	const { law, observed, within } = set;
	const y = observed[k];
	if (isBetween(set, k)) return betweenTerm(law, within!.lo[k], within!.hi[k]);
	if (law.isCount) return (value, spread) => law.logMass(y, value, spread);
	return (value, spread) => {
		const e = (y - value) / spread;
		return law.logDensity(numbers, e * e) - log(spread);
	};
}

/** Log probability of what lies between two ends. */
function betweenTerm(law: SampleLaw, lo: number, hi: number): (value: number, spread: number) => number {
	if (law.isCount)
		return (value, spread) => {
			if (!(value >= 0 && spread > 0)) return Number.NaN;
			return log(
				lo === Number.NEGATIVE_INFINITY
					? law.below(Math.ceil(hi) - 1, value, spread)
					: law.above(Math.floor(lo), value, spread),
			);
		};
	return (value, spread) =>
		spread > 0 ? logBetween(law, (lo - value) / spread, (hi - value) / spread) : Number.NaN;
}

/** Narrower than this in units of the spread, a density times a width is as good. */
const narrow = 1e-5;

/** Of an even law: the logarithm of the mass from a to b. */
function logBetween(law: NoiseLaw, a: number, b: number): number {
	if (a === Number.NEGATIVE_INFINITY) return law.logMass(b);
	if (b === Number.POSITIVE_INFINITY) return law.logMass(-a);
	if (b - a < narrow) return law.logDensity(numbers, squared((a + b) / 2)) + log(b - a);
	// Both on the side where masses are small numbers.
	const [near, far] = a + b > 0 ? [law.logMass(-a), law.logMass(-b)] : [law.logMass(b), law.logMass(a)];
	return near + log(-expLessOne(far - near));
}

/** exp(x) - 1 for x ≤ 0. */
function expLessOne(x: number): number {
	return x > -1e-5 ? x + (x * x) / 2 : exp(x) - 1;
}

/** What a climber of the likelihood needs of one sample. */
export interface SampleSlopes {
	/** By the value and by the logarithm of the spread. */
	readonly value: number;
	readonly logSpread: number;
	/** Information on the value, and on the logarithm of the spread; where that has no short form, the mean square of the slopes. */
	readonly information: number;
	readonly spreadInformation?: number;
	/** A limit speaks of its distance z in spreads alone: value and spread have one row together. */
	readonly distance?: { readonly z: number; readonly slope: number; readonly information: number };
}

export function sampleSlopes(set: SampleSet, k: number, value: number, spread: number): SampleSlopes {
	const { law, observed, within } = set;
	if (isBetween(set, k)) return slopesBetween(law, within!.lo[k], within!.hi[k], value, spread);
	if (law.isCount)
		return { ...law.score(observed[k], value, spread), information: law.information(value, spread) };
	const e = (observed[k] - value) / spread;
	const counted = law.weight(numbers, e * e) * e;
	return {
		value: counted / spread,
		logSpread: counted * e - 1,
		information: law.information.value / (spread * spread),
		spreadInformation: law.information.logSpread,
	};
}

/** Least information of a limit beside the square of its slope: far tails of some laws are not concave. */
const leastShare = 1e-3;

function slopesBetween(law: SampleLaw, lo: number, hi: number, value: number, spread: number): SampleSlopes {
	if (law.isCount) return slopesByDifferences(betweenTerm(law, lo, hi), value, spread);
	const [a, b] = [(lo - value) / spread, (hi - value) / spread];
	const isBelow = lo === Number.NEGATIVE_INFINITY;
	if (isBelow || hi === Number.POSITIVE_INFINITY) {
		// The law is even: above is below, seen from the other side.
		const z = isBelow ? b : -a;
		const rate = exp(law.logDensity(numbers, z * z) - law.logMass(z));
		const curvature = rate * (rate + law.weight(numbers, z * z) * z);
		const information = Math.max(curvature, leastShare * rate * rate, Number.MIN_VALUE);
		const slope = isBelow ? rate : -rate;
		return {
			value: -slope / spread,
			logSpread: -slope * (isBelow ? z : -z),
			information: 0,
			distance: { z: isBelow ? z : -z, slope, information },
		};
	}
	const total = logBetween(law, a, b);
	const [fa, fb] = [a, b].map((z) => exp(law.logDensity(numbers, z * z) - total));
	// A rounded sample tells less than one that is known, by the variance of what was rounded off.
	const share = 1 / (1 + squared(b - a) / 12);
	return {
		value: (fa - fb) / spread,
		logSpread: a * fa - b * fb,
		information: (law.information.value * share) / (spread * spread),
		spreadInformation: law.information.logSpread * share * share,
	};
}

function slopesByDifferences(
	term: (value: number, spread: number) => number,
	value: number,
	spread: number,
): SampleSlopes {
	const h = 1e-5;
	const slope = (at: (factor: number) => number): number => (at(1 + h) - at(1 - h)) / (2 * h);
	const byValue = value > 0 ? slope((factor) => term(value * factor, spread)) / value : 0;
	return {
		value: byValue,
		logSpread: slope((factor) => term(value, spread * factor)),
		information: byValue * byValue,
	};
}

const standardNormal = families.normal.number!(0, 1);
/** Beyond what a mass can tell, all are as rare. */
const least = 1e-300;

/**
 * Residuals as rare as the samples are, on the scale of a standard normal law. A sample that is known by a set of values has one
 * drawn from what the set may hold, the same at every call.
 */
export function normalScores(
	set: SampleSet,
	value: ArrayLike<number>,
	spread: ArrayLike<number>,
	/** Which draws. */
	purpose: string,
): Float64Array {
	const { law, observed, within } = set;
	const random = stream(0, `residuals of ${purpose}`);
	return observed.map((y, k) => {
		if (!law.isCount && !isBetween(set, k)) return law.normalScore((y - value[k]) / spread[k]);
		const [lo, hi] = isBetween(set, k) ? [within!.lo[k], within!.hi[k]] : [y, y];
		if (law.isCount) {
			const isLimit = lo < hi;
			const below =
				lo === Number.NEGATIVE_INFINITY
					? 0
					: law.below(isLimit ? Math.floor(lo) : lo - 1, value[k], spread[k]);
			const above =
				hi === Number.POSITIVE_INFINITY
					? 0
					: law.above(isLimit ? Math.ceil(hi) - 1 : hi, value[k], spread[k]);
			return scoreBetween(below, above, random.uniform(k));
		}
		const [a, b] = [lo, hi].map((end) => (end - value[k]) / spread[k]);
		return scoreBetween(exp(law.logMass(a)), exp(law.logMass(-b)), random.uniform(k));
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
