/**
 * Functions of the gamma family that differences of `logGamma` would lose digits of.
 *
 * Reference: Abramowitz, Stegun, Handbook of Mathematical Functions, 6.1.40, 6.3.18.
 */
import { log } from "../elementary/number.ts";
import { logGamma } from "./log-gamma.ts";

/** log(1 + x) to full relative accuracy. */
export function logOnePlus(x: number): number {
	if (!(Math.abs(x) < 1e-4)) return log(1 + x);
	return x * (1 - x * (0.5 - x * (1 / 3 - x * (0.25 - x * 0.2))));
}

/** d log Γ(x) / dx, for x > 0. */
export function digamma(x: number): number {
	if (!(x > 0)) return Number.NaN;
	let below = 0;
	let y = x;
	while (y < 12) below += 1 / y++;
	const square = 1 / (y * y);
	const series =
		square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))));
	return log(y) - 0.5 / y - series - below;
}

/** From here on Stirling's series has the difference. */
const large = 1e5;
/** Up to so many factors are taken one by one. */
const few = 16;

/** log of k (k + 1) … (k + y - 1). */
export function logRising(k: number, y: number): number {
	if (y <= few && k < 1e15) {
		let product = 1;
		for (let j = 0; j < y; j++) product *= k + j;
		return log(product);
	}
	if (!(k > large)) return logGamma(k + y) - logGamma(k);
	return (k - 0.5) * logOnePlus(y / k) + y * log(k + y) - y + (1 / (k + y) - 1 / k) / 12;
}

/** Its derivative by k. */
export function risingSlope(k: number, y: number): number {
	if (y <= few) {
		let sum = 0;
		for (let j = 0; j < y; j++) sum += 1 / (k + j);
		return sum;
	}
	if (!(k > large)) return digamma(k + y) - digamma(k);
	const both = k * (k + y);
	return logOnePlus(y / k) + y / (2 * both) + (y * (2 * k + y)) / (12 * both * both);
}
