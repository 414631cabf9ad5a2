/**
 * Errors that are not normal, in a filter of normal laws. Student's and Laplace's are normal ones of a random variance V: of each V the
 * filter knows what a sample says, and what all of them say together is collapsed to mean and variance again. So the density of
 * each sample is exact, given a normal law of the state before it, and so are the two moments that it leaves.
 *
 * Reference: Andrews, Mallows, "Scale mixtures of normal distributions", J. R. Stat. Soc. B 36, 1974. The integral over log V is
 * a plain sum: of such integrands its error falls faster than any power of the spacing.
 */
import type { Builder, Value } from "../../../../lower/builder.ts";
import { constantValue } from "../../../../model/constant.ts";
import type { Measure } from "../../../../model/model.ts";
import { exp, log } from "../../../../num/elementary/number.ts";

/** Variances over the squared spread, the largest first, and their chances. */
export type ErrorMixture = readonly { readonly variance: number; readonly chance: number }[];

/** Squared errors up to this, over their variance, are held to the last digits. */
export const farOut = 1e4;
/** What is left out of the sums at both ends, as a logarithm. */
const least = 14;
const spacing = 0.6;

/** Undefined where the law is none of these. */
export function errorMixture({ family, shape = [] }: Measure): ErrorMixture | undefined {
	if (family === "student") return studentMixture(constantValue(shape[0]));
	// V has an exponential law of mean 2: log density log V - V/2 of log V. A corner is made of ever smaller V.
	if (family === "laplace" || family === "loglaplace")
		return mixture(-least, log(2 * Math.sqrt(farOut)) + 1, spacing, (u) => u - exp(u) / 2);
	return undefined;
}

/** 1/V has a gamma law of shape and rate df/2; of one sample with a squared error q, of (df + 1)/2 and (df + q)/2. */
function studentMixture(df: number): ErrorMixture {
	const shape = (df + 1) / 2;
	const fine = Math.min(spacing, 1.2 / Math.sqrt(shape));
	const lo = -log((2 * (shape + 7 * Math.sqrt(shape) + 10)) / df);
	const hi = log((df + farOut) / (df + 1)) + least / shape;
	return mixture(lo, hi, fine, (u) => (-df * (u + exp(-u))) / 2);
}

/** `logDensity` of log V, up to a constant. */
function mixture(lo: number, hi: number, step: number, logDensity: (u: number) => number): ErrorMixture {
	const n = Math.ceil((hi - lo) / step);
	const nodes = Array.from({ length: n + 1 }, (_, k) => hi - (k * (hi - lo)) / n);
	const logs = nodes.map(logDensity);
	const most = Math.max(...logs);
	const sum = logs.reduce((total, each) => total + exp(each - most), 0);
	return nodes.map((u, k) => ({ variance: exp(u), chance: exp(logs[k] - most) / sum }));
}

/** What a sample says: the normal one that says the same of the state, by its innovation and its variance R; and its log density. */
export interface NormalLike {
	readonly innovation: Value;
	readonly R: Value;
	readonly logDensity: Value;
	/** The variance with which the innovation as it is moves the state as far. */
	readonly asItIs: Value;
}

/** `ahead`: the variance of the expected value. With p the density of the innovation e: -p'/p = e j and -(log p)'' = D. */
export function normalLike(
	b: Builder,
	errors: ErrorMixture,
	innovation: Value,
	ahead: Value,
	R: Value,
	mayWiden: boolean,
): NormalLike {
	const [half, zero] = [b.constant(0.5), b.constant(0)];
	const square = b.mul(innovation, innovation);
	const inverses = errors.map(({ variance }) =>
		b.div(b.constant(1), b.add(ahead, b.mul(R, b.constant(variance)))),
	);
	// The largest variance makes the smallest exponent: no sum is 0.
	const smallest = b.mul(half, b.mul(square, inverses[0]));
	let [sum, first, second] = [zero, zero, zero];
	for (const [k, { chance }] of errors.entries()) {
		const J = inverses[k];
		const power = b.call("exp", b.sub(smallest, b.mul(half, b.mul(square, J))));
		const share = b.mul(b.mul(b.constant(chance), b.sqrt(J)), power);
		sum = b.add(sum, share);
		first = b.add(first, b.mul(share, J));
		second = b.add(second, b.mul(share, b.mul(J, J)));
	}
	const j = b.div(first, sum);
	const curvature = b.sub(j, b.mul(square, b.sub(b.div(second, sum), b.mul(j, j))));
	// An error that may be large or not may leave less known of the state than before: a variance that is negative says so. Roots know none.
	const tiny = b.mul(b.constant(1e-6), j);
	const D = b.select(b.lt(mayWiden ? b.abs(curvature) : curvature, tiny), tiny, curvature);
	return {
		innovation: b.div(b.mul(innovation, j), D),
		R: b.sub(b.div(b.constant(1), D), ahead),
		asItIs: b.sub(b.div(b.constant(1), j), ahead),
		logDensity: b.sub(b.sub(b.call("log", sum), smallest), b.constant(0.5 * log(2 * Math.PI))),
	};
}
