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
	if (!areBounds(lo, hi)) throw badBounds(lo, hi);
	return { lo, hi };
}

/** The interval itself, if it is one: whoever calls from JavaScript may give anything. (`a?.lo` would cost half the time of a sum.) */
export function checked(a: Interval): Interval {
	if (a === null || a === undefined || !areBounds(a.lo, a.hi)) refuse(a);
	return a;
}

/** Bounds are numbers, in order, with a number between them. */
export function areBounds(lo: number, hi: number): boolean {
	return (
		typeof lo === "number" &&
		typeof hi === "number" &&
		lo <= hi &&
		lo < Number.POSITIVE_INFINITY &&
		hi > Number.NEGATIVE_INFINITY
	);
}

/** Says what is wrong with something that was given as an interval. */
function refuse(a: unknown): never {
	const given = a as Partial<Interval> | null | undefined;
	if (given !== null && typeof given === "object" && "lo" in given) throw badBounds(given.lo, given.hi);
	throw new InputError(
		"interval",
		`was given as ${written(a)}`,
		'Give interval(lo, hi) or a number; fromDecimal("0.1") reads text.',
	);
}

function badBounds(lo: unknown, hi: unknown): InputError {
	return new InputError(
		"interval",
		`has the bounds ${written(lo)} and ${written(hi)}`,
		"Give numbers lo <= hi, with a number between them.",
	);
}

function written(a: unknown): string {
	return typeof a === "string" ? `"${a}"` : typeof a === "object" && a ? "an object" : String(a);
}
