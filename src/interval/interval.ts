/**
 * An interval as a small immutable object: all real numbers from lo to hi. lo may be -Inf and hi Inf, which
 * say that there is no bound.
 */
import { InputError } from "../errors.ts";

export interface Interval {
	readonly lo: number;
	readonly hi: number;
}

/** All real numbers. */
export const entire: Interval = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };

/** The numbers from lo to hi, or lo alone. */
export function interval(lo: number, hi: number = lo): Interval {
	if (!(lo <= hi && lo < Number.POSITIVE_INFINITY && hi > Number.NEGATIVE_INFINITY))
		throw new InputError(
			"interval",
			`has the bounds ${lo} and ${hi}`,
			"Give lo <= hi, with a number between them.",
		);
	return { lo, hi };
}
