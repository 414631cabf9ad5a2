/**
 * Starts from the integral form along smoothed samples: all weights are fitted to it at once, then the sets of terms that it
 * supports best become starts for the simulation. They need only be near: the simulation decides.
 */

import { type EffectScales, effectScales } from "../candidates/effect-scales.ts";
import { LinearEvidence } from "../evidence/linear-evidence.ts";
import { IntegralForward } from "../forward/integral-forward.ts";
import type { SmoothStates } from "../forward/smooth-states.ts";
import { innerPoint } from "../forward/weight-forward.ts";
import { SubsetSearch } from "../selection/subset-search.ts";
import { sweeping } from "../selection/sweep.ts";
import type { AsyncSlices } from "../slices.ts";
import type { Workspace } from "../workspace.ts";
import { Descent } from "./descent.ts";
import { linearProblem } from "./fitted-model.ts";
import { formingNormalEquations } from "./normal-equations.ts";

export interface BridgeStart {
	readonly active: readonly number[];
	readonly point: Float64Array;
}

export interface Bridge {
	readonly scales: EffectScales;
	/** All weights free. */
	readonly full: Float64Array;
	/** Few terms each. */
	readonly sparse: readonly BridgeStart[];
	/** Sum of squares of the integral form with all weights. */
	readonly misfit: number;
}

/**
 * Errors of the smoothed states are in the equations too and go on from sample to sample: the noise counts for more, but
 * nobody knows how much. Each guess gives starts.
 */
const inflations = [4, 40, 400];

export async function* bridging(
	work: Workspace,
	smooth: readonly SmoothStates[],
): AsyncSlices<Bridge | undefined> {
	const forward = new IntegralForward(work.setting, smooth, work.functions);
	const problem = { forward, rowWeights: forward.rowWeights, scale: 1 };
	const all = [...Array(work.nUnknowns).keys()];
	if (work.isLarge) return yield* largeBridge(work, smooth, forward, all);
	const limits = { tolerance: 1e-8, maxIterations: 20, quick: true };
	let descent = await new Descent(problem, all, work.startPoint(), limits).run();
	// A start that is stationary, as 0 is for a product of two parameters, leads nowhere.
	if (descent.iterations === 0) descent = await new Descent(problem, all, work.drawnPoint(0), limits).run();
	if (descent.outcome === "diverged") return undefined;
	const scales = effectScales(
		work.setting,
		work.functions,
		smooth.map(({ nodes, x }) => ({ t: nodes, x })),
		(e) => innerPoint(work.setting, descent.point, e),
	);
	const here = await descent.evaluation();
	const { triangle, qtb, rest } = linearProblem(problem, here, descent.point, all);
	const degrees = Math.max(forward.rowWeights.length - work.nUnknowns, 1);
	const supported = new Map<string, BridgeStart>();
	for (const inflation of inflations) {
		const variance = inflation * Math.max(1, descent.sse / degrees);
		const linear = new LinearEvidence(scales, triangle, qtb, rest, variance, descent.point);
		const search = new SubsetSearch(linear, work.sets, "none");
		const { active, values } = search.best([search.upward()]);
		const point = new Float64Array(work.nUnknowns);
		active.forEach((u, k) => {
			point[u] = values[k];
		});
		if (!supported.has(active.join())) supported.set(active.join(), { active, point });
	}
	return { scales, full: descent.point, sparse: [...supported.values()], misfit: descent.sse };
}

/** For very many terms: one linear fit, and elimination in it. */
async function* largeBridge(
	work: Workspace,
	smooth: readonly SmoothStates[],
	forward: IntegralForward,
	all: readonly number[],
): AsyncSlices<Bridge> {
	const problem = { forward, rowWeights: forward.rowWeights, scale: 1 };
	const start = work.startPoint();
	yield "the records are smooth";
	const scales = effectScales(
		work.setting,
		work.functions,
		smooth.map(({ nodes, x }) => ({ t: nodes, x })),
		(e) => innerPoint(work.setting, start, e),
	);
	const [here] = yield* forward.evaluating([start], true);
	const equations = yield* formingNormalEquations(problem, here, all);
	const task = {
		unknowns: all,
		point: start,
		equations,
		scales,
		mayDrop: (u: number) => work.terms([u]).length > 0,
	};
	const { active, values } = yield* sweeping({ ...task, variance: inflations[1] });
	const point = new Float64Array(work.nUnknowns);
	active.forEach((u, k) => {
		point[u] = values[k];
	});
	return { scales, full: point, sparse: [{ active, point }], misfit: Number.NaN };
}
