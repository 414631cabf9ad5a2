/**
 * Laws of errors as normal ones of a random variance V: of each V a filter of normal laws knows what a sample says.
 *
 * Reference: Andrews, Mallows, "Scale mixtures of normal distributions", J. R. Stat. Soc. B 36, 1974. The integral over log V is
 * a plain sum: of such integrands its error falls faster than any power of the spacing.
 */
import { exp, log } from "../../num/elementary/number.ts";

/** Variances over the squared spread, the largest first, and their chances. */
export type NormalMixture = readonly { readonly variance: number; readonly chance: number }[];

/** Squared errors up to this, over their variance, are held to the last digits. */
export const farOut = 1e4;
/** What is left out of the sums at both ends, as a logarithm. */
const least = 14;
const spacing = 0.6;

/** V has an exponential law of mean 2: log density log V - V/2 of log V. A corner is made of ever smaller V. */
export function laplaceMixture(): NormalMixture {
	return mixture(-least, log(2 * Math.sqrt(farOut)) + 1, spacing, (u) => u - exp(u) / 2);
}

/** 1/V has a gamma law of shape and rate df/2; of one sample with a squared error q, of (df + 1)/2 and (df + q)/2. */
export function studentMixture(df: number): NormalMixture {
	const shape = (df + 1) / 2;
	const fine = Math.min(spacing, 1.2 / Math.sqrt(shape));
	const lo = -log((2 * (shape + 7 * Math.sqrt(shape) + 10)) / df);
	const hi = log((df + farOut) / (df + 1)) + least / shape;
	return mixture(lo, hi, fine, (u) => (-df * (u + exp(-u))) / 2);
}

/** `logDensity` of log V, up to a constant. */
function mixture(lo: number, hi: number, step: number, logDensity: (u: number) => number): NormalMixture {
	const n = Math.ceil((hi - lo) / step);
	const nodes = Array.from({ length: n + 1 }, (_, k) => hi - (k * (hi - lo)) / n);
	const logs = nodes.map(logDensity);
	const most = Math.max(...logs);
	const sum = logs.reduce((total, each) => total + exp(each - most), 0);
	return nodes.map((u, k) => ({ variance: exp(u), chance: exp(logs[k] - most) / sum }));
}
