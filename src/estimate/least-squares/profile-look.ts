/**
 * Fits at held values without derivatives. Near the optimum its own Jacobian J tells what is left to gain at another place: the
 * gradient is Jᵀr to first order, and a Gauss–Newton step of the others follows from the covariance (JᵀJ)⁻¹. Where hardly
 * anything is left the fit is found, at the price of simulations alone; those with derivatives cost as many as there are unknowns.
 */
import { costKind, naturalPoint, weightsAt } from "../observe/likelihood.ts";
import type { ProfileTask } from "./profile.ts";
import { searchBounds } from "./region.ts";

/** What may be left to gain, in variances: a thousandth of one moves an interval's end by a few parts in ten thousand. */
const smallFall = 1e-3;
/** Steps, at most. */
const mostSteps = 4;

export interface HeldStart {
	/** The unknown that is held. */
	readonly unknown: number;
	readonly start: Float64Array;
}

export interface HeldFit {
	readonly where: Float64Array;
	readonly cost: number;
}

/** The fit from each start; undefined where steps with this Jacobian do not get there. */
export async function lookedAt(
	task: ProfileTask,
	held: readonly HeldStart[],
): Promise<(HeldFit | undefined)[]> {
	const found = new Array<HeldFit | undefined>(held.length).fill(undefined);
	const { problem, jacobian, variance } = task;
	if (!jacobian || task.covariance.open.length > 0 || costKind(problem) === "logarithm") return found;
	const { lo, hi } = searchBounds(problem);
	let left = held.map(({ unknown, start }, at) => ({ at, unknown, where: start }));
	for (let k = 0; k < mostSteps && left.length > 0; k++) {
		const points = left.map(({ where }) => naturalPoint(problem.unknowns, where));
		const evaluations = await problem.forward.evaluate(points, false);
		left = left.flatMap(({ at, unknown, where }, i) => {
			const { value } = evaluations[i];
			const sd = weightsAt(problem, evaluations[i]);
			const residual = value.map((each, s) => (problem.observations.values[s] - each) / sd[s]);
			const cost = residual.reduce((sum, each) => sum + each * each, 0) / 2;
			if (!Number.isFinite(cost)) return [];
			const { fall, step } = stepOf(task, jacobian, residual, unknown);
			if (fall <= smallFall * variance) found[at] = { where, cost };
			const next = where.map((z, j) => (j === unknown ? z : z - step[j]));
			const isInside = next.every((z, j) => z > lo[j] && z < hi[j]);
			return found[at] || !isInside ? [] : [{ at, unknown, where: next }];
		});
	}
	return found;
}

/** The Gauss–Newton step of all unknowns but the held one, and the fall that it promises. */
function stepOf(
	{ covariance: { matrix } }: ProfileTask,
	jacobian: Float64Array,
	residual: Float64Array,
	unknown: number,
): { fall: number; step: Float64Array } {
	const n = Math.sqrt(matrix.length);
	const gradient = new Float64Array(n);
	for (let i = 0, at = 0; i < residual.length; i++)
		for (let j = 0; j < n; j++, at++) gradient[j] += jacobian[at] * residual[i];
	const free = new Float64Array(n);
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) free[i] += matrix[i * n + j] * gradient[j];
	// Holding one takes its part out of the step of all.
	const share = free[unknown] / matrix[unknown * n + unknown];
	const step = free.map((value, i) => value - matrix[i * n + unknown] * share);
	let fall = 0;
	for (let j = 0; j < n; j++) fall += (gradient[j] * step[j]) / 2;
	return { fall, step };
}
