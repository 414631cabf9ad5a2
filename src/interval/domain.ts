/**
 * Where a function is not defined, or not continuous, on the whole of its argument, its result still encloses
 * every value there is. A proof that a solution exists needs more: that the function is defined and
 * continuous all over the box. `left` says that this was not so. It only ever goes to true here; who proves
 * something sets it to false before an evaluation and reads it after.
 */
export const domain = { left: false };

/** What is known of a value that may not exist: the whole line. */
export function leaveDomain(out: Float64Array, o: number): void {
	domain.left = true;
	out[o] = Number.NEGATIVE_INFINITY;
	out[o + 1] = Number.POSITIVE_INFINITY;
}
