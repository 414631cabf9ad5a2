/**
 * Better sets of terms than one that does not fit: the problem is linearised at its fit with all terms, and the sets that are
 * best supported there, beside residuals as large as they are now and beside smaller ones, are the next to try.
 */
import type { EffectScales } from "../candidates/effect-scales.ts";
import { LinearEvidence } from "../evidence/linear-evidence.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import { SubsetSearch } from "../selection/subset-search.ts";
import type { Workspace } from "../workspace.ts";
import type { BridgeStart } from "./bridge.ts";
import { linearProblem } from "./fitted-model.ts";

/** Variances of the residuals, as shares of what they are now: the smaller, the more terms. */
const shares = [1, 0.1, 0.01];

export async function proposed(
	work: Workspace,
	problem: WeightedProblem,
	scales: EffectScales,
	from: { readonly active: readonly number[]; readonly point: readonly number[]; readonly sse: number },
	noise: number,
): Promise<BridgeStart[]> {
	const here = Float64Array.from(from.point);
	const [evaluation] = await problem.forward.evaluate([here], true);
	const all = [...Array(work.nUnknowns).keys()];
	const { triangle, qtb, rest } = linearProblem(problem, evaluation, here, all);
	const seen = from.sse / Math.max(work.nObservations - from.active.length, 1);
	return shares.map((share) => {
		const linear = new LinearEvidence(scales, triangle, qtb, rest, Math.max(noise, share * seen), here);
		const search = new SubsetSearch(linear, work.sets, "none");
		const { active, values } = search.best([work.terms(from.active), search.upward()]);
		const point = here.map((value, u) => (u < work.nUnknowns ? 0 : value));
		active.forEach((u, k) => {
			point[u] = values[k];
		});
		return { active, point };
	});
}
