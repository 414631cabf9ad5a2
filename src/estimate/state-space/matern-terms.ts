/**
 * The Matérn process of smoothness ν = p + 1/2 as a linear stochastic equation, (d/dτ + 1)^(p+1) u = w in the time
 * τ = λ t, λ = √(2ν)/length, with unit variance. Its transition and noise over any step are known exactly:
 *
 *   A(τ) = exp(-τ) × polynomials in τ,   Q(τ) = Σ c_m I_m(τ),   I_m = ∫₀^τ s^m exp(-2s) ds
 *
 * Reference: Hartikainen, Särkkä, "Kalman filtering and smoothing solutions to temporal Gaussian process regression
 * models", 2010.
 */

import { pow2 } from "../../num/elementary/primitives.ts";
import { identity, product } from "../../num/linear/dense.ts";
import { squared } from "../../num/whole-power.ts";
import { factorial } from "./integrated-wiener.ts";

/** Coefficients by rising powers. */
type Polynomial = readonly number[];

/** A(τ) exp(τ), (p + 1)²: the companion matrix plus 1 is nilpotent, so its exponential ends. */
export function maternTransition(p: number): Polynomial[][] {
	const n = p + 1;
	const N = nilpotent(n);
	let power = identity(n);
	const entries: number[][][] = Array.from({ length: n }, () => Array.from({ length: n }, () => []));
	for (let k = 0; k < n; k++) {
		for (const [at, value] of power.entries()) entries[Math.floor(at / n)][at % n].push(value / factorial(k));
		power = product(power, N, n, n, n);
	}
	return entries;
}

/** c_m of Q(τ) = Σ c_m I_m(τ), (p + 1)². */
export function maternNoise(p: number): Polynomial[][] {
	const response = maternTransition(p).map((row) => row[p]);
	// ∫₀^∞ (s^p/p!)² exp(-2s) ds: with this density of w the variance of u is 1.
	const density = (squared(factorial(p)) * pow2(2 * p + 1)) / factorial(2 * p);
	return response.map((a) =>
		response.map((b) => {
			const product = new Array<number>(2 * p + 1).fill(0);
			for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) product[i + j] += density * x * y;
			return product;
		}),
	);
}

/** Covariance of u, u'/λ, … at any instant: Q(∞). */
export function maternStationary(p: number): number[][] {
	return maternNoise(p).map((row) =>
		row.map((terms) => terms.reduce((sum, c, m) => sum + (c * factorial(m)) / pow2(m + 1), 0)),
	);
}

/** F + 1 for F, the companion matrix of (s + 1)^d. */
export function nilpotent(d: number): Float64Array {
	const n = identity(d);
	let binomial = 1;
	for (let j = 0; j < d; j++) {
		n[(d - 1) * d + j] -= binomial;
		binomial = (binomial * (d - j)) / (j + 1);
	}
	for (let i = 0; i + 1 < d; i++) n[i * d + i + 1] = 1;
	return n;
}
