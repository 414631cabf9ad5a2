/**
 * Solves an initial value problem.
 */
import { drained } from "../num/drained.ts";
import { integrationSteps } from "./integrate.ts";
import type { Ivp, Solution, SolveOptions } from "./ivp.ts";
import { checkedSettings } from "./settings.ts";
import { DenseLinearization } from "./stiff/linearization.ts";

/** Solves x' = f(t, x) from x0 at t0 to t1, forwards or backwards. */
export function solveIvp(
	ivp: Ivp,
	t0: number,
	t1: number,
	x0: Float64Array,
	options: SolveOptions = {},
): Solution {
	return drained(solutionSteps(ivp, t0, t1, x0, options));
}

/** The same in pieces that are short. */
export function* solutionSteps(
	ivp: Ivp,
	t0: number,
	t1: number,
	x0: Float64Array,
	options: SolveOptions = {},
): Generator<void, Solution> {
	const settings = checkedSettings(ivp, t0, t1, x0, options);
	const linearize = (stats: Solution["stats"]) => new DenseLinearization(ivp, settings.atol, stats);
	const problem = { ivp, nStates: ivp.n, nControlledColumns: 0, linearize };
	return yield* integrationSteps(problem, t0, t1, x0, settings);
}
