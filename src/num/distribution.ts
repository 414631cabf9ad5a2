/**
 * One-dimensional laws: density, draws, and the coordinate in which they are sampled. That coordinate z has no bounds
 * (log x of a positive quantity, log((x - lo)/(hi - x)) of a bounded one), so that normal proposals fit it.
 *
 * Parameters mean what they mean in Stan. Gamma draws: Marsaglia, Tsang, "A simple method for generating gamma
 * variables", ACM TOMS 26, 2000.
 */
import { exp, log } from "./elementary/number.ts";
import { logGamma } from "./log-gamma.ts";
import type { Stream } from "./random.ts";
import { squared } from "./whole-power.ts";

export interface Distribution {
	readonly lo: number;
	readonly hi: number;
	/** Log density at x; -Infinity outside. */
	logDensity(x: number): number;
	/** A draw in the sampled coordinate; the index alone decides. */
	draw(random: Stream, index: number): number;
	/** The sampled coordinate of x, and back. */
	toSampled(x: number): number;
	fromSampled(z: number): number;
	/** Log density of z itself: that of x plus log |dx/dz|. */
	logDensitySampled(z: number): number;
}

export const distributionFamilies = [
	"normal",
	"lognormal",
	"uniform",
	"halfnormal",
	"gamma",
	"beta",
] as const;
export type DistributionFamily = (typeof distributionFamilies)[number];

const halfLogTwoPi = 0.9189385332046728;

export function distribution(family: DistributionFamily, a: number, b = Number.NaN): Distribution {
	switch (family) {
		case "normal":
			return linear(
				(x) => -0.5 * squared((x - a) / b) - log(b) - halfLogTwoPi,
				(random, index) => a + b * random.normal(index),
			);
		case "lognormal":
			return positive(
				(z) => -0.5 * squared((z - a) / b) - log(b) - halfLogTwoPi,
				(random, index) => a + b * random.normal(index),
			);
		case "halfnormal":
			return positive(
				(z) => log(2) - 0.5 * squared(exp(z) / a) - log(a) - halfLogTwoPi + z,
				(random, index) => log(a * Math.abs(random.normal(index))),
			);
		case "gamma":
			return positive(
				(z) => a * log(b) - logGamma(a) + a * z - b * exp(z),
				(random, index) => logGammaDraw(a, random, index) - log(b),
			);
		case "uniform":
			return bounded(
				a,
				b,
				() => -log(b - a),
				(random, index) => {
					const u = random.uniform(index);
					return log(u) - log(1 - u);
				},
			);
		case "beta": {
			const constant = logGamma(a + b) - logGamma(a) - logGamma(b);
			return bounded(
				0,
				1,
				(x) => constant + (a - 1) * log(x) + (b - 1) * log(1 - x),
				(random, index) => logGammaDraw(a, random, 2 * index) - logGammaDraw(b, random, 2 * index + 1),
				// Near an end x rounds to it; the product with the Jacobian stays finite.
				(z) => constant - a * logOnePlusExp(-z) - b * logOnePlusExp(z),
			);
		}
	}
}

function linear(
	logDensity: (x: number) => number,
	draw: (random: Stream, index: number) => number,
): Distribution {
	const same = (x: number): number => x;
	return {
		lo: Number.NEGATIVE_INFINITY,
		hi: Number.POSITIVE_INFINITY,
		logDensity,
		draw,
		toSampled: same,
		fromSampled: same,
		logDensitySampled: logDensity,
	};
}

/** `ofLog`: log density of z = log x. */
function positive(
	ofLog: (z: number) => number,
	draw: (random: Stream, index: number) => number,
): Distribution {
	return {
		lo: 0,
		hi: Number.POSITIVE_INFINITY,
		logDensity: (x) => (x > 0 ? ofLog(log(x)) - log(x) : Number.NEGATIVE_INFINITY),
		draw,
		toSampled: log,
		fromSampled: exp,
		logDensitySampled: ofLog,
	};
}

function bounded(
	lo: number,
	hi: number,
	inside: (x: number) => number,
	draw: (random: Stream, index: number) => number,
	sampled?: (z: number) => number,
): Distribution {
	const width = hi - lo;
	const fromSampled = (z: number): number => lo + width / (1 + exp(-z));
	return {
		lo,
		hi,
		logDensity: (x) => (x >= lo && x <= hi ? inside(x) : Number.NEGATIVE_INFINITY),
		draw,
		toSampled: (x) => log(x - lo) - log(hi - x),
		fromSampled,
		logDensitySampled:
			sampled ?? ((z) => inside(fromSampled(z)) + log(width) - logOnePlusExp(-z) - logOnePlusExp(z)),
	};
}

function logOnePlusExp(z: number): number {
	return z > 0 ? z + log(1 + exp(-z)) : log(1 + exp(z));
}

/** Trials that one draw may take; each is accepted with probability above 0.95. */
const trials = 64;

/** The logarithm of a draw from gamma(shape, 1): small shapes would underflow. */
function logGammaDraw(shape: number, random: Stream, index: number): number {
	const boost = shape < 1;
	const d = (boost ? shape + 1 : shape) - 1 / 3;
	const c = 1 / Math.sqrt(9 * d);
	let result = log(d);
	for (let trial = 0; trial < trials - 1; trial++) {
		const at = index * 2 * trials + 2 * trial;
		const x = random.normal(at);
		const v = 1 + c * x;
		if (!(v > 0)) continue;
		const cube = v * v * v;
		if (log(random.uniform(at + 1)) < 0.5 * x * x + d * (1 - cube + log(cube))) {
			result = log(d) + log(cube);
			break;
		}
	}
	return boost ? result + log(random.uniform(index * 2 * trials + 2 * trials - 1)) / shape : result;
}
