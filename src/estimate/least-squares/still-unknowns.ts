/**
 * Unknowns that only outputs see (scales, offsets, spreads) are fitted anew to the motion of every trial: that costs no
 * simulation. A search then goes down along the best of them, and trials are compared by how they move, not by how well
 * a scale was guessed.
 *
 * References: Ruhe, Wedin, "Algorithms for separable nonlinear least squares problems", SIAM Review 22, 1980 (a joint step, then the
 * separable unknowns alone); Loos, Krause, Hasenauer, "Hierarchical optimization for the efficient parametrization of ODE models",
 * Bioinformatics 34, 2018.
 */
import type { Forward } from "../forward/forward.ts";
import { costs, type LikelihoodProblem, misfit, naturalPoint } from "../observe/likelihood.ts";
import { LevenbergMarquardt } from "./levenberg-marquardt.ts";
import { searchBounds, searchReach } from "./region.ts";

/** Evaluations that fitting them to one motion may take. */
const mostEvaluations = 40;

/** A point of the search space, and its cost. */
export interface Look {
	readonly z: Float64Array;
	readonly cost: number;
}

/** Costs without derivatives by what moves the model; each point has the still unknowns that suit it best, where they are known. */
export async function looks(problem: LikelihoodProblem, points: readonly Float64Array[]): Promise<Look[]> {
	const { still } = problem.forward;
	if (!still || still.unknowns.length === 0) {
		const values = await costs(problem, points);
		return points.map((z, i) => ({ z, cost: values[i] }));
	}
	const all: Look[] = [];
	for (const z of points) all.push(await adjusted(problem, z, still));
	return all;
}

async function adjusted(
	problem: LikelihoodProblem,
	z: Float64Array,
	{ unknowns: still, motion: motionAt }: NonNullable<Forward["still"]>,
): Promise<Look> {
	const { unknowns } = problem;
	const bounds = searchBounds(problem);
	const pick = (values: Float64Array): Float64Array => Float64Array.from(still, (j) => values[j]);
	const motion = await motionAt(naturalPoint(unknowns, z));
	const machine = new LevenbergMarquardt(
		pick(z),
		{ lo: pick(bounds.lo), hi: pick(bounds.hi) },
		{ maxEvaluations: mostEvaluations, tolerance: 1e-8, reach: pick(searchReach(problem)) },
	);
	const whole = (own: Float64Array): Float64Array => {
		const point = z.slice();
		still.forEach((j, k) => {
			point[j] = own[k];
		});
		return point;
	};
	while (machine.trial) {
		const point = whole(machine.trial);
		const natural = naturalPoint(unknowns, point);
		const { residual, jacobian, cost, unit } = misfit(problem, motion.seen(natural), natural, point);
		if (Number.isNaN(cost)) {
			machine.tell(residual, jacobian, Number.POSITIVE_INFINITY, unit);
			continue;
		}
		const own = new Float64Array(residual.length * still.length);
		for (let i = 0; i < residual.length; i++)
			for (let k = 0; k < still.length; k++)
				own[i * still.length + k] = jacobian[i * unknowns.length + still[k]];
		machine.tell(residual, own, cost, unit);
	}
	return { z: whole(machine.best), cost: machine.cost };
}
