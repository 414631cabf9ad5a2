/**
 * Solves an initial value problem.
 */
import { integrate } from "./integrate.ts";
import type { Ivp, Solution, SolveOptions } from "./ivp.ts";
import { DenseLinearization } from "./linearization.ts";
import { checkedSettings } from "./settings.ts";

/** Solves x' = f(t, x) from x0 at t0 to t1, forwards or backwards. */
export function solveIvp(
	ivp: Ivp,
	t0: number,
	t1: number,
	x0: Float64Array,
	options: SolveOptions = {},
): Solution {
	const settings = checkedSettings(ivp, t0, t1, x0, options);
	const linearize = (stats: Solution["stats"]) => new DenseLinearization(ivp, settings.atol, stats);
	const problem = { ivp, nStates: ivp.n, nControlledColumns: 0, linearize };
	return integrate(problem, t0, t1, x0, settings);
}
