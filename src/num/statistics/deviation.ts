/** The middle of a list of numbers, and how far they are from it. */
import { squared } from "../whole-power.ts";

export function mean(values: ArrayLike<number>): number {
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += values[i] / values.length;
	return sum;
}

/** Root of the mean squared distance from the mean. */
export function deviation(values: ArrayLike<number>): number {
	const middle = mean(values);
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += squared(values[i] - middle);
	return Math.sqrt(sum / values.length);
}
