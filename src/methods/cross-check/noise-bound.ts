/** How many standard deviations hold every one of n normal errors, but for one chance in a hundred. */
import { normalTail } from "../../num/statistics/incomplete-gamma.ts";

const chance = 0.01;

/** Whole, and at least 3. */
export function sigmasFor(n: number): number {
	let sigmas = 3;
	while (2 * n * normalTail(sigmas) > chance) sigmas++;
	return sigmas;
}
