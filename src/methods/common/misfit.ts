/**
 * Residuals (observed - predicted) / sd and their Jacobian in the search coordinates of the unknowns.
 */

import { squared } from "../../num/whole-power.ts";
import type { Evaluation, Forward } from "./forward.ts";
import type { Observations } from "./observations.ts";
import { fromSearch, type Unknown } from "./unknowns.ts";

export interface Misfit {
	readonly residual: Float64Array;
	readonly jacobian: Float64Array;
}

export interface MisfitProblem {
	readonly unknowns: readonly Unknown[];
	readonly observations: Observations;
	readonly forward: Forward;
	/** Standard deviation of each observation. */
	readonly sd: Float64Array;
}

/** Natural values of a point of the search space. */
export function naturalPoint(unknowns: readonly Unknown[], z: Float64Array): Float64Array {
	return z.map((value, i) => fromSearch(unknowns[i], value));
}

/** Misfits in `spare` are taken and overwritten. */
export async function misfits(
	problem: MisfitProblem,
	points: readonly Float64Array[],
	spare: Misfit[] = [],
): Promise<Misfit[]> {
	const natural = points.map((z) => naturalPoint(problem.unknowns, z));
	const evaluations = await problem.forward.evaluate(
		natural,
		true,
		spare.splice(0).map(({ residual, jacobian }) => ({ value: residual, jacobian })),
	);
	return evaluations.map((evaluation, i) => misfit(problem, evaluation, natural[i]));
}

/** Half the sum of squared residuals, without derivatives. */
export async function costs(problem: MisfitProblem, points: readonly Float64Array[]): Promise<number[]> {
	const natural = points.map((z) => naturalPoint(problem.unknowns, z));
	const evaluations = await problem.forward.evaluate(natural, false);
	return evaluations.map(({ value }) => {
		let sum = 0;
		for (let i = 0; i < value.length; i++)
			sum += squared((problem.observations.values[i] - value[i]) / problem.sd[i]);
		return sum < Number.POSITIVE_INFINITY ? sum / 2 : Number.POSITIVE_INFINITY;
	});
}

/** Residuals and the scaled Jacobian, both in place: an evaluation is used once. */
function misfit(problem: MisfitProblem, { value, jacobian }: Evaluation, natural: Float64Array): Misfit {
	const { unknowns, observations, sd } = problem;
	const { values } = observations;
	const n = unknowns.length;
	const scaled = jacobian!;
	// d theta / d z is theta itself on a logarithmic scale.
	const chain = Float64Array.from(unknowns, ({ scale }, j) => (scale === "log" ? -natural[j] : -1));
	for (let i = 0, at = 0; i < value.length; i++) {
		const weight = 1 / sd[i];
		value[i] = (values[i] - value[i]) * weight;
		for (let j = 0; j < n; j++, at++) scaled[at] *= chain[j] * weight;
	}
	return { residual: value, jacobian: scaled };
}
