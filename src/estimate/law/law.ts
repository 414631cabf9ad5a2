/**
 * What a distribution is to the rest of the house: the law of a number, or the law of a measurement's error. Every
 * family is one entry of `families.ts`; nobody else asks for its name.
 */
import type { Stream } from "../../num/random.ts";
import type { NormalMixture } from "./normal-mixture.ts";

/** The law of one number, with the coordinate in which it is sampled: all of the real line. */
export interface Law {
	/** Where it has mass; the ends of an infinite or half-infinite range are not part of it. */
	readonly lo: number;
	readonly hi: number;
	/** Where to start from when nothing else is known, and what that is: `median`, `mean`, `middle`. */
	readonly centre: number;
	readonly centreIs: string;
	/** Log density at x; -Infinity outside. */
	logDensity(x: number): number;
	/** Probability of what lies below x. */
	mass(x: number): number;
	/** A draw in the sampled coordinate; the index alone decides. */
	draw(random: Stream, index: number): number;
	/** The sampled coordinate of x, and back. */
	toSampled(x: number): number;
	fromSampled(z: number): number;
	/** Log density of z itself: that of x plus log |dx/dz|. */
	logDensitySampled(z: number): number;
	/** It says no more than its bounds do: where they lie decades apart, starts are spread over all of them. */
	readonly isFlat?: boolean;
}

/** The arithmetic that a density is written in once, for numbers and for generated code. */
export interface Arithmetic<V> {
	constant(value: number): V;
	add(a: V, b: V): V;
	mul(a: V, b: V): V;
	div(a: V, b: V): V;
	log(a: V): V;
	sqrt(a: V): V;
}

/**
 * The law of a measurement's error, even about 0. `square` is that of the error in units of the spread, on the scale on
 * which value and spread are meant.
 */
export interface NoiseLaw {
	readonly isCount?: undefined;
	/** A `lognormal` measurement is compared by its logarithm. */
	readonly scale: NoiseScale;
	/** Log density of an error of unit spread. */
	logDensity<V>(o: Arithmetic<V>, square: V): V;
	/** -2 d logDensity / d square: how much an error counts, beside the same one under a normal law. */
	weight<V>(o: Arithmetic<V>, square: V): V;
	/** Fisher information of one sample of unit spread on its value, and on the logarithm of its spread. */
	readonly information: { readonly value: number; readonly logSpread: number };
	/** Logarithm of the probability of an error below e, in units of the spread; to its last digits far out, too. */
	logMass(e: number): number;
	/** The error of a normal law that is as rare, in units of the spread: what is judged. */
	normalScore(e: number): number;
	/** Its density has a corner at 0: an error that is smaller than this counts as if it were so large. */
	readonly corner?: number;
	/** Whether the spread that fits best is the root mean square of the errors. */
	readonly isNormal: boolean;
	/** As normal errors of a random variance; where it is none, filters take its errors roughly, and say so. */
	mixture(): NormalMixture | undefined;
	/** Width of the interval that holds this share of the errors, over that of normal ones of the same spread. */
	widthOf(share: number): number;
	/** An error of unit spread. */
	draw(random: Stream, index: number): number;
}

/** The law of a count whose mean the model says; `size` is the spread's place among its arguments, where it has one. */
export interface CountLaw {
	readonly isCount: true;
	readonly isNormal: false;
	readonly scale: NoiseScale;
	logMass(y: number, mean: number, size: number): number;
	/** Probability of y or less, and of more; each to its own last digits. */
	below(y: number, mean: number, size: number): number;
	above(y: number, mean: number, size: number): number;
	/** Slopes of the log mass by the mean and by the logarithm of the size. */
	score(y: number, mean: number, size: number): { readonly value: number; readonly logSpread: number };
	/** Fisher information of one count on the mean; that on the size is apart from it. */
	information(mean: number, size: number): number;
	variance(mean: number, size: number): number;
	draw(random: Stream, index: number, mean: number, size: number): number;
}

/** What a sample obeys, beside what the model says of it. */
export type SampleLaw = NoiseLaw | CountLaw;

/** The least count that is not exceeded with the probability p. */
export function countQuantile(law: CountLaw, p: number, mean: number, size: number): number {
	return leastCount((y) => law.below(y, mean, size) >= p, mean, Math.sqrt(law.variance(mean, size)));
}

/** The least y ≥ 0 for which `isEnough`, looked for around `middle`. */
export function leastCount(isEnough: (y: number) => boolean, middle: number, width: number): number {
	if (!(middle >= 0 && middle < 1e15)) return Number.NaN;
	let step = Math.max(1, Math.ceil(width));
	let hi = Math.floor(middle);
	while (!isEnough(hi) && step < 1e15) {
		hi += step;
		step *= 2;
	}
	step = Math.max(1, Math.ceil(width));
	let lo = Math.max(-1, hi - step);
	while (lo >= 0 && isEnough(lo)) {
		hi = lo;
		step *= 2;
		lo = Math.max(-1, lo - step);
	}
	while (hi - lo > 1) {
		const y = Math.floor((lo + hi) / 2);
		if (isEnough(y)) hi = y;
		else lo = y;
	}
	return hi;
}

/** How a sample and the model's value of it are compared. */
export interface NoiseScale {
	readonly isLog: boolean;
	/** From what an instrument shows to what is compared, and back. */
	toCompared(y: number): number;
	fromCompared(c: number): number;
	/** log |dc/dy| at a compared value: what makes a density of c one of y. */
	logSlope(c: number): number;
}

/**
 * Where a law has all its mass but `p` at either end. Where the density rises towards an end of the support, that end
 * belongs to it.
 */
export function bulk(law: Law, p: number): { readonly lo: number; readonly hi: number } {
	const end = (at: (share: number) => number, support: number): number =>
		Number.isFinite(support) && law.logDensity(at(p / 32)) >= law.logDensity(at(32 * p)) ? support : at(p);
	return {
		lo: end((share) => quantile(law, share), law.lo),
		hi: end((share) => quantile(law, 1 - share), law.hi),
	};
}

/** The value below which a law has the mass p, by halving in the sampled coordinate. */
export function quantile(law: Law, p: number): number {
	if (!(p > 0)) return law.lo;
	if (!(p < 1)) return law.hi;
	const below = (z: number): boolean => law.mass(law.fromSampled(z)) < p;
	let width = 1;
	const middle = law.toSampled(law.centre);
	while (!below(middle - width) && width < 1e300) width *= 2;
	let lo = middle - width;
	width = 1;
	while (below(middle + width) && width < 1e300) width *= 2;
	let hi = middle + width;
	for (let i = 0; i < 200; i++) {
		const z = lo + (hi - lo) / 2;
		if (z <= lo || z >= hi) break;
		if (below(z)) lo = z;
		else hi = z;
	}
	return law.fromSampled(hi);
}
