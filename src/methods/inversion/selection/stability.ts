/**
 * How often each term would be chosen if the experiment were repeated: noises are simulated on the problem linearised at the
 * answer, and the same rule chooses again from all terms. In the linear problem only Qᵀb changes: R a plus normal noise.
 *
 * Reference: Meinshausen, Bühlmann, "Stability selection", J. R. Statist. Soc. B 72, 2010.
 */
import { stream } from "../../../num/random.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";
import { linearProblem } from "../descent/fitted-model.ts";
import { LinearEvidence } from "../evidence/linear-evidence.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import type { Workspace } from "../workspace.ts";
import type { Judged } from "./judged.ts";
import { SubsetSearch } from "./subset-search.ts";

export interface LinearAnswer {
	readonly triangle: Float64Array;
	readonly rest: number;
}

export async function linearAnswer(
	work: Workspace,
	problem: WeightedProblem,
	chosen: Judged,
): Promise<LinearAnswer> {
	const point = Float64Array.from(chosen.point);
	const [here] = await problem.forward.evaluate([point], true);
	const all = [...Array(work.nUnknowns).keys()];
	return linearProblem(problem, here, point, all);
}

/** The terms chosen under simulated noise number `k`. */
export function chosenAgain(
	work: Workspace,
	{ triangle, rest }: LinearAnswer,
	scales: EffectScales,
	chosen: Judged,
	variance: number,
	k: number,
): number[] {
	const n = work.nUnknowns;
	const noise = stream(work.problem.seed, `inversion stability ${k}`);
	const point = Float64Array.from(chosen.point);
	const qtb = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		for (let j = i; j < n; j++) qtb[i] += triangle[i * n + j] * point[j];
		qtb[i] += Math.sqrt(variance) * noise.normal(i);
	}
	const linear = new LinearEvidence(scales, triangle, qtb, rest, variance, point);
	const search = new SubsetSearch(linear, work.sets, "none");
	return work.terms(search.best([work.terms(chosen.active)]).active);
}
