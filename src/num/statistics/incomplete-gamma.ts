/** Tails of the laws that tests are made of: gamma, χ² and normal. */
import { exp, log } from "../elementary/number.ts";
import { logGamma } from "./log-gamma.ts";

const precise = 1e-15;

/** P(X > x) of a gamma variable of shape a and scale 1. */
export function gammaTail(a: number, x: number): number {
	if (!(x > 0)) return 1;
	if (x === Number.POSITIVE_INFINITY) return 0;
	return x < a + 1 ? 1 - series(a, x) : fraction(a, x);
}

/** P(X > x) of χ². */
export function chiSquareTail(x: number, degrees: number): number {
	return gammaTail(degrees / 2, x / 2);
}

/** P(X < x) of χ²: small values are right to their last digits, which 1 - tail would lose. */
export function chiSquareBelow(x: number, degrees: number): number {
	const [a, half] = [degrees / 2, x / 2];
	if (!(half > 0)) return 0;
	return half < a + 1 ? series(a, half) : 1 - fraction(a, half);
}

/** P(X > x) of a standard normal variable. */
export function normalTail(x: number): number {
	const tail = gammaTail(0.5, (x * x) / 2) / 2;
	return x > 0 ? tail : 1 - tail;
}

/** P(X < x) by its power series, for x below the mean. */
function series(a: number, x: number): number {
	let term = 1 / a;
	let sum = term;
	for (let k = 1; term > precise * sum; k++) {
		term *= x / (a + k);
		sum += term;
	}
	return sum * exp(a * log(x) - x - logGamma(a));
}

/** P(X > x) by Legendre's continued fraction (Lentz's algorithm), for x above the mean. */
function fraction(a: number, x: number): number {
	let b = x + 1 - a;
	let c = 1e300;
	let d = 1 / b;
	let value = d;
	for (let k = 1; k < 100_000; k++) {
		const numerator = -k * (k - a);
		b += 2;
		d = 1 / (numerator * d + b);
		c = b + numerator / c;
		value *= d * c;
		if (Math.abs(d * c - 1) < precise) break;
	}
	return value * exp(a * log(x) - x - logGamma(a));
}
