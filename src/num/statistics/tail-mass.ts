/**
 * Probabilities below a value: the regularised incomplete gamma and beta functions, and the normal law by the former.
 * Series where they converge fast, continued fractions elsewhere (Lentz's recurrence); relative error below 1e-12.
 *
 * Reference: Abramowitz, Stegun, Handbook of Mathematical Functions, 6.5.29, 6.5.31, 26.5.8.
 */
import { exp, log } from "../elementary/number.ts";
import { logGamma } from "./log-gamma.ts";

const tiny = 1e-300;
const enough = 1e-16;
const mostTerms = 10_000;

/** Below x, of the gamma law of this shape and unit rate. */
export function gammaMass(shape: number, x: number): number {
	if (!(x > 0)) return 0;
	if (x === Number.POSITIVE_INFINITY) return 1;
	const front = exp(shape * log(x) - x - logGamma(shape));
	if (x >= shape + 1) return 1 - front * gammaFraction(shape, x);
	let term = 1 / shape;
	let sum = term;
	for (let n = 1; n < mostTerms && term > enough * sum; n++) sum += term *= x / (shape + n);
	return front * sum;
}

/** Below x, of the beta law. */
export function betaMass(a: number, b: number, x: number): number {
	if (!(x > 0)) return 0;
	if (x >= 1) return 1;
	const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x));
	// The fraction converges fast below the mean only; above it the other tail is asked for.
	return x < (a + 1) / (a + b + 2)
		? (front * betaFraction(a, b, x)) / a
		: 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** Below z, of the standard normal law; relative accuracy in the lower tail, too. */
export function normalMass(z: number): number {
	const half = (z * z) / 2;
	if (z >= 0) return 0.5 + 0.5 * gammaMass(0.5, half);
	return half < 1.5
		? 0.5 - 0.5 * gammaMass(0.5, half)
		: 0.5 * exp(0.5 * log(half) - half - logGamma(0.5)) * gammaFraction(0.5, half);
}

/** Below t, of Student's law. */
export function studentMass(degrees: number, t: number): number {
	const tail = 0.5 * betaMass(degrees / 2, 0.5, degrees / (degrees + t * t));
	return t < 0 ? tail : 1 - tail;
}

function gammaFraction(shape: number, x: number): number {
	return lentz(
		(n) => (n === 0 ? 1 : -n * (n - shape)),
		(n) => x + 2 * n + 1 - shape,
	);
}

function betaFraction(a: number, b: number, x: number): number {
	return lentz(
		(n) => {
			if (n === 0) return 1;
			const m = n >> 1;
			return n % 2 === 0
				? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
				: (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
		},
		() => 1,
	);
}

/** a₀/(b₀ + a₁/(b₁ + …)). */
function lentz(a: (n: number) => number, b: (n: number) => number): number {
	let value = tiny;
	let c = tiny;
	let d = 0;
	for (let n = 0; n < mostTerms; n++) {
		d = 1 / (b(n) + a(n) * d || tiny);
		c = b(n) + a(n) / c || tiny;
		value *= c * d;
		if (Math.abs(c * d - 1) < enough * 4) break;
	}
	return value;
}
