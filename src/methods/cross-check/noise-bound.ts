/** How many standard deviations hold every one of n normal errors, but for one chance in a hundred. */
import { exp, log } from "../../num/elementary/number.ts";

const chance = 0.01;

/** Whole, and at least 3. */
export function sigmasFor(n: number): number {
	let sigmas = 3;
	while (n * tail(sigmas) > chance) sigmas++;
	return sigmas;
}

/** A bound from above on the chance that a normal error lies beyond so many standard deviations, either side. */
function tail(sigmas: number): number {
	// Mills: P(Z > s) < phi(s) / s.
	return (2 * exp(-0.5 * sigmas * sigmas - 0.5 * log(2 * 3.141592653589793))) / sigmas;
}
