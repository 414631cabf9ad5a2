/** Sets of terms that are worth a fit: those that look promising in the problem linearised at the fit of another. */
import type { EffectScales } from "../candidates/effect-scales.ts";
import { linearProblem } from "../descent/fitted-model.ts";
import { LinearEvidence } from "../evidence/linear-evidence.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import type { Workspace } from "../workspace.ts";
import { type Judged, keyOf, type Proposal, rivalWithin } from "./judged.ts";
import { type Subset, SubsetSearch } from "./subset-search.ts";

/** How many are fitted around a best one; they may look as much worse as rivals, and what is said of them be off by so much. */
const count = 8;
export const slack = 3;
/** Sets with bumps elsewhere are far away: what the linearised problem says of them is less sure. */
const swappedWithin = 20;
/** With so few candidates the linearised problem is also searched downward from all of them. */
const downwardUpTo = 60;

/** What is known when sets are proposed. */
interface Asked {
	readonly work: Workspace;
	readonly problem: WeightedProblem;
	readonly scales: EffectScales;
	readonly variance: number;
	readonly chosen: Judged;
	readonly judged: ReadonlyMap<string, Judged>;
}

/** Sets that look promising in the problem linearised at a fit, with their weights there. */
export async function proposalsFrom(
	{ work, problem, scales, variance, chosen, judged }: Asked,
	from: Judged,
): Promise<Proposal[]> {
	const point = Float64Array.from(from.point);
	const [here] = await problem.forward.evaluate([point], true);
	const all = [...Array(work.nUnknowns).keys()];
	const { triangle, qtb, rest } = linearProblem(problem, here, point, all);
	const linear = new LinearEvidence(scales, triangle, qtb, rest, variance, point);
	const search = new SubsetSearch(
		linear,
		work.sets,
		// Changes of two terms at once take long: only around the best.
		from === chosen ? undefined : "none",
		bumpBlocks(scales, work),
	);
	const own = search.judge(work.terms(from.active));
	// In segments the linearised problem holds far away: what it builds up from nothing is worth a fit.
	const built = problem.segmented ? [search.best([search.upward()])] : [];
	const near = search.best([
		work.terms(from.active),
		...(work.selectable.length <= downwardUpTo ? [search.downward()] : []),
	]);
	const blocks = functionBlocks(work);
	const best = from === chosen ? search.withOthersOpen(search.within(near, blocks), blocks) : near;
	const within = Math.min(own.cost, best.cost) + rivalWithin;
	const promising = search.ranking(4 * count).filter(({ cost }) => cost <= within);
	const swapped = [...built, ...search.swaps(work.terms(from.active))].filter(
		({ cost }) => cost <= own.cost + swappedWithin,
	);
	// A set whose fit is far from what the linearised problem says of it had not found its best: it is worth another.
	const fresh = (subsets: readonly Subset[]): Subset[] =>
		subsets.filter(({ active, cost }) => {
			const known = judged.get(keyOf(active));
			return !known || known.evidence - from.evidence > cost - own.cost + slack;
		});
	const fitted = fresh(promising).slice(0, count);
	return [...new Set([...fitted, ...fresh(swapped)])].map((subset) => {
		const { active, values, cost } = subset;
		const guess = from.point.map((value, u) => (u < work.nUnknowns ? 0 : value));
		active.forEach((u, k) => {
			guess[u] = values[k];
		});
		const behind = fitted.includes(subset) ? cost - own.cost : null;
		return { active: [...active], point: guess, from: keyOf(from.active), behind };
	});
}

/** Bumps of each spline. */
function bumpBlocks({ group }: EffectScales, { setting, selectable }: Workspace): number[][] {
	const blocks = new Map<number, number[]>();
	for (const u of selectable)
		if (setting.candidates.weights[u].kind === "function")
			blocks.set(group[u], [...(blocks.get(group[u]) ?? []), u]);
	return [...blocks.values()].filter(({ length }) => length > 1);
}

/** Terms of each unknown function. */
function functionBlocks({ setting, selectable }: Workspace): number[][] {
	const blocks = new Map<string, number[]>();
	for (const u of selectable) {
		const { kind, of } = setting.candidates.weights[u];
		if (kind === "function") blocks.set(of, [...(blocks.get(of) ?? []), u]);
	}
	return [...blocks.values()].filter(({ length }) => length > 1);
}
