/**
 * The logarithm of the gamma function for positive arguments: the recurrence up to 12, then Stirling's series, whose
 * eight terms are exact to rounding there.
 *
 * Reference: Abramowitz, Stegun, Handbook of Mathematical Functions, 6.1.40.
 */
import { log } from "../elementary/number.ts";

/** B_2n / (2n (2n - 1)), n = 1 … 8. */
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

export function logGamma(x: number): number {
	if (!(x > 0)) return Number.NaN;
	let shift = 1;
	let y = x;
	while (y < 12) {
		shift *= y;
		y += 1;
	}
	const inverse = 1 / y;
	const square = inverse * inverse;
	let sum = 0;
	for (let n = stirling.length - 1; n >= 0; n--) sum = sum * square + stirling[n];
	return (y - 0.5) * log(y) - y + 0.5 * log(2 * Math.PI) + sum * inverse - log(shift);
}
