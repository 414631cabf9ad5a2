/**
 * The table of distributions. A new family is one entry here and its line in the language's vocabulary: `number` is its
 * law as prior knowledge of a number, `noise` as the error of a measurement (its arguments are those that are neither the
 * value nor the spread), `counts` as that of a measurement that is a count.
 *
 * References: Marsaglia, Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000; Lange, Little, Taylor,
 * "Robust statistical modeling using the t distribution", JASA 84, 1989 (information of Student's law).
 */
import { exp, log } from "../../num/elementary/number.ts";
import type { Stream } from "../../num/random.ts";
import { logGamma } from "../../num/statistics/log-gamma.ts";
import { halfLogTwoPi } from "../../num/statistics/normal-density.ts";
import { normalQuantile75 } from "../../num/statistics/quantile.ts";
import { betaMass, gammaMass, normalMass, studentMass } from "../../num/statistics/tail-mass.ts";
import { squared } from "../../num/whole-power.ts";
import { negbinomialCounts, poissonCounts } from "./counts.ts";
import { type CountLaw, type Law, type NoiseLaw, quantile } from "./law.ts";
import { asItIs, byLogarithm } from "./noise-scales.ts";
import { laplaceMixture, studentMixture } from "./normal-mixture.ts";
import { logOnePlusExp, onTheLine, positive, supported } from "./supports.ts";

interface Family {
	number?(...args: readonly number[]): Law;
	noise?(...shape: readonly number[]): NoiseLaw;
	/** As the law of counts. */
	counts?: CountLaw;
}

export const families: Readonly<Record<string, Family>> = {
	normal: {
		number: (mean, sd) =>
			onTheLine({
				centre: mean,
				centreIs: "mean",
				logDensity: (x) => -0.5 * squared((x - mean) / sd) - log(sd) - halfLogTwoPi,
				mass: (x) => normalMass((x - mean) / sd),
				draw: (random, index) => mean + sd * random.normal(index),
			}),
		noise: () => normalNoise,
	},
	lognormal: {
		number: (mu, sigma) =>
			positive({
				centre: exp(mu),
				centreIs: "median",
				ofLog: (z) => -0.5 * squared((z - mu) / sigma) - log(sigma) - halfLogTwoPi,
				mass: (x) => normalMass((log(x) - mu) / sigma),
				draw: (random, index) => mu + sigma * random.normal(index),
			}),
		noise: () => lognormalNoise,
	},
	student: {
		number: (df, middle, s) => {
			const constant = studentConstant(df) - log(s);
			return onTheLine({
				centre: middle,
				centreIs: "median",
				logDensity: (x) => constant - 0.5 * (df + 1) * log(1 + squared((x - middle) / s) / df),
				mass: (x) => studentMass(df, (x - middle) / s),
				draw: (random, index) => middle + s * studentDraw(df, random, index),
			});
		},
		noise: (df) => ({
			scale: asItIs,
			logDensity: (o, square) =>
				o.add(
					o.constant(studentConstant(df)),
					o.mul(o.constant(-0.5 * (df + 1)), o.log(o.add(o.constant(1), o.mul(o.constant(1 / df), square)))),
				),
			weight: (o, square) => o.div(o.constant(df + 1), o.add(o.constant(df), square)),
			information: { value: (df + 1) / (df + 3), logSpread: (2 * df) / (df + 3) },
			isNormal: false,
			mixture: () => studentMixture(df),
			widthOf: (share) => {
				const end = (1 + share) / 2;
				return (
					quantile(families.student.number!(df, 0, 1), end) / quantile(families.normal.number!(0, 1), end)
				);
			},
			logMass: (e) => log(studentMass(df, e)),
			normalScore: (e) => {
				const below = studentMass(df, -Math.abs(e));
				// Beyond what a mass can tell, all are as rare.
				return Math.sign(e) * -quantile(families.normal.number!(0, 1), Math.max(below, 1e-300));
			},
			draw: (random, index) => studentDraw(df, random, index),
		}),
	},
	halfnormal: {
		number: (sd) =>
			positive({
				centre: normalQuantile75 * sd,
				centreIs: "median",
				ofLog: (z) => log(2) - 0.5 * squared(exp(z) / sd) - log(sd) - halfLogTwoPi + z,
				mass: (x) => (x > 0 ? 2 * normalMass(x / sd) - 1 : 0),
				draw: (random, index) => log(sd * Math.abs(random.normal(index))),
			}),
	},
	poisson: { counts: poissonCounts },
	negbinomial: { counts: negbinomialCounts },
	cauchy: { number: (middle, s) => families.student.number!(1, middle, s) },
	laplace: {
		number: (mean, s) =>
			onTheLine({
				centre: mean,
				centreIs: "mean",
				logDensity: (x) => -Math.abs(x - mean) / s - log(2 * s),
				mass: (x) => laplaceMass((x - mean) / s),
				draw: (random, index) => mean + s * laplaceDraw(random, index),
			}),
		noise: () => laplaceNoise,
	},
	loglaplace: {
		number: (mu, s) =>
			positive({
				centre: exp(mu),
				centreIs: "median",
				ofLog: (z) => -Math.abs(z - mu) / s - log(2 * s),
				mass: (x) => (x > 0 ? laplaceMass((log(x) - mu) / s) : 0),
				draw: (random, index) => mu + s * laplaceDraw(random, index),
			}),
		noise: () => ({ ...laplaceNoise, scale: byLogarithm }),
	},
	gamma: {
		number: (shape, rate) =>
			positive({
				centre: shape / rate,
				centreIs: "mean",
				ofLog: (z) => shape * log(rate) - logGamma(shape) + shape * z - rate * exp(z),
				mass: (x) => gammaMass(shape, rate * x),
				draw: (random, index) => logGammaDraw(shape, random, index) - log(rate),
			}),
	},
	chisquare: { number: (df) => families.gamma.number!(df / 2, 0.5) },
	exponential: { number: (rate) => weibull(1, 1 / rate) },
	rayleigh: { number: (s) => weibull(2, Math.SQRT2 * s) },
	weibull: { number: weibull },
	uniform: {
		number: (lo, hi) =>
			supported(
				{ lo, hi },
				{
					centre: (lo + hi) / 2,
					centreIs: "middle",
					isFlat: true,
					inside: () => -log(hi - lo),
					mass: (x) => Math.min(Math.max((x - lo) / (hi - lo), 0), 1),
					draw: logitDraw,
				},
			),
	},
	loguniform: {
		number: (lo, hi) => {
			const decades = log(hi) - log(lo);
			const shareAt = (x: number): number => (log(x) - log(lo)) / decades;
			return {
				lo,
				hi,
				centre: Math.sqrt(lo) * Math.sqrt(hi),
				centreIs: "median",
				isFlat: true,
				logDensity: (x) => (x >= lo && x <= hi ? -log(x) - log(decades) : Number.NEGATIVE_INFINITY),
				mass: (x) => (x > lo ? Math.min(shareAt(x), 1) : 0),
				draw: logitDraw,
				toSampled: (x) => log(shareAt(x)) - log(1 - shareAt(x)),
				fromSampled: (z) => Math.min(Math.max(lo * exp(decades / (1 + exp(-z))), lo), hi),
				logDensitySampled: (z) => -logOnePlusExp(-z) - logOnePlusExp(z),
			};
		},
	},
	beta: {
		number: (a, b) => {
			const constant = logGamma(a + b) - logGamma(a) - logGamma(b);
			return supported(
				{ lo: 0, hi: 1 },
				{
					centre: a / (a + b),
					centreIs: "mean",
					inside: (x) => constant + (a - 1) * log(x) + (b - 1) * log(1 - x),
					mass: (x) => betaMass(a, b, x),
					draw: (random, index) =>
						logGammaDraw(a, random, 2 * index) - logGammaDraw(b, random, 2 * index + 1),
					// Near an end x rounds to it; the product with the Jacobian stays finite.
					sampled: (z) => constant - a * logOnePlusExp(-z) - b * logOnePlusExp(z),
				},
			);
		},
	},
};

const normalNoise: NoiseLaw = {
	scale: asItIs,
	logDensity: (o, square) => o.add(o.constant(-halfLogTwoPi), o.mul(o.constant(-0.5), square)),
	weight: (o) => o.constant(1),
	information: { value: 1, logSpread: 2 },
	isNormal: true,
	mixture: () => [{ variance: 1, chance: 1 }],
	widthOf: () => 1,
	logMass: logNormalMass,
	normalScore: (e) => e,
	draw: (random, index) => random.normal(index),
};

const lognormalNoise: NoiseLaw = { ...normalNoise, scale: byLogarithm };

/** An error this small counts as this large: the density has a corner at 0. */
const corner = 1e-6;

const laplaceNoise: NoiseLaw = {
	scale: asItIs,
	corner,
	logDensity: (o, square) => o.add(o.constant(-log(2)), o.mul(o.constant(-1), o.sqrt(square))),
	weight: (o, square) => o.div(o.constant(1), o.sqrt(o.add(square, o.constant(corner * corner)))),
	information: { value: 1, logSpread: 1 },
	isNormal: false,
	mixture: laplaceMixture,
	widthOf: (share) => {
		const end = (1 + share) / 2;
		return quantile(families.laplace.number!(0, 1), end) / quantile(families.normal.number!(0, 1), end);
	},
	logMass: (e) => (e < 0 ? e - log(2) : log(laplaceMass(e))),
	normalScore: (e) => Math.sign(e) * -quantile(families.normal.number!(0, 1), laplaceMass(-Math.abs(e))),
	draw: laplaceDraw,
};

/** Its coordinate is the logit between the bounds, flat there. */
function logitDraw(random: Stream, index: number): number {
	const u = random.uniform(index);
	return log(u) - log(1 - u);
}

/** Below here the mass itself is too small a number. */
const farOut = -30;

/** Abramowitz, Stegun, 26.2.12. */
function logNormalMass(e: number): number {
	if (e > farOut) return log(normalMass(e));
	const square = 1 / (e * e);
	const series = 1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square)));
	return -0.5 * e * e - halfLogTwoPi - log(-e) + log(series);
}

function laplaceMass(e: number): number {
	return e < 0 ? 0.5 * exp(e) : 1 - 0.5 * exp(-e);
}

function laplaceDraw(random: Stream, index: number): number {
	const u = random.uniform(index);
	return u < 0.5 ? log(2 * u) : -log(2 * (1 - u));
}

/** Of which (x/s)^shape is exponential. */
function weibull(shape: number, s: number): Law {
	const raised = (z: number): number => shape * (z - log(s));
	return positive({
		centre: s * exp(log(log(2)) / shape),
		centreIs: "median",
		ofLog: (z) => log(shape) + raised(z) - exp(raised(z)),
		mass: (x) => (x > 0 ? gammaMass(1, exp(raised(log(x)))) : 0),
		draw: (random, index) => log(s) + log(-log(random.uniform(index))) / shape,
	});
}

function studentConstant(df: number): number {
	return logGamma((df + 1) / 2) - logGamma(df / 2) - 0.5 * log(df * Math.PI);
}

/** Numbers of a stream that one draw from a gamma law may take; each trial is accepted with probability above 0.95. */
const trials = 64;

function studentDraw(df: number, random: Stream, index: number): number {
	// 2 gamma(df/2) is chi-squared; the last place of the draw's share of the stream is free.
	const logChi = logGammaDraw(df / 2, random, index) + log(2);
	return random.normal(index * 2 * trials + 2 * trials - 2) * exp(0.5 * (log(df) - logChi));
}

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
