/**
 * States of courses as they cross a guard, held to what that says: the guard is 0 there. With x_i = P_i + e_i and all others as they are, 0 = g(P_i) + g'·e_i for some derivative g' by x_i between both, so that
 * |e_i| <= |g(P_i)|/|g'|. Without it an error of the states would count twice, as itself and through the time of the crossing that it moves, and errors would double from event to event.
 */

const UP = 1 + 2 ** -40;

export interface OnGuard {
	/** How far from 0 the guard is at most where state i is its polynomial, and the others have these errors; nothing where it is not defined. */
	without(i: number, errors: Float64Array): number | undefined;
	/** Bounds of the derivatives of the guard by each state, stride 2; nothing where they are not defined. */
	gradient(errors: Float64Array): Float64Array | undefined;
}

/** Errors of all states at the crossing, of which each may be bounded by the others. */
export function heldToGuard(errors: Float64Array, guard: OnGuard): Float64Array {
	const slopes = guard.gradient(errors);
	if (!slopes) return errors;
	const held = errors.slice();
	for (let i = 0; i < held.length; i++) {
		const [lo, hi] = slopes.subarray(2 * i, 2 * i + 2);
		const least = lo > 0 ? lo : -hi;
		if (!(least > 0)) continue;
		const off = guard.without(i, held);
		if (off !== undefined) held[i] = Math.min(held[i], (off / least) * UP + 1e-300);
	}
	return held;
}
