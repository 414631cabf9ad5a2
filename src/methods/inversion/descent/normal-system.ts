/**
 * The damped step for very many weights, by Cholesky's factorisation of [whiten2014] eq. (6): the same step as through the
 * singular values, with half the digits, which one step of many does not need.
 */
import { choleskyInto, choleskySolveInto } from "../../../num/linear/cholesky.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import type { LinearSystem } from "./descent.ts";
import { normalEquations } from "./normal-equations.ts";

export class NormalSystem implements LinearSystem {
	readonly #gram: Float64Array;
	readonly #right: Float64Array;

	constructor(problem: WeightedProblem, here: WeightEvaluation, active: readonly number[]) {
		const { gram, right } = normalEquations(problem, here, active);
		this.#gram = gram;
		this.#right = right;
	}

	step(lambda: number): Float64Array {
		const n = this.#right.length;
		const l = this.#gram.slice();
		let largest = 0;
		for (let i = 0; i < n; i++) largest = Math.max(largest, l[i * n + i]);
		for (let i = 0; i < n; i++) l[i * n + i] += lambda * lambda + 1e-14 * largest;
		const step = this.#right.slice();
		if (!choleskyInto(l, n)) return step.fill(Number.NaN);
		choleskySolveInto(step, l, n);
		return step;
	}
}
