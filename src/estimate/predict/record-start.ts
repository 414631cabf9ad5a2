/**
 * Where a test record starts: the initial values that are most likely given its own samples, with everything else as training
 * found it, the noise too. What one record alone shows of the noise is little, and a first guess of it would weigh outputs wrongly.
 */
import { Search } from "../least-squares/search.ts";
import type { LikelihoodProblem } from "../observe/likelihood.ts";
import type { Observations, OutputGroup } from "../observe/observations.ts";

const maxEvaluations = 100;

/** Spreads of all samples of the training records. */
export interface FoundSpreads {
	readonly observations: Observations;
	readonly spreads: Float64Array;
}

/** In search coordinates; all unknowns but initial values stay. */
export async function mostLikelyStart(
	problem: LikelihoodProblem,
	point: Float64Array,
	found: FoundSpreads,
): Promise<Float64Array> {
	const fixed = problem.unknowns.flatMap(({ kind }, i) => (kind === "param" ? [i] : []));
	const observations = withFoundSpreads(problem.observations, found);
	const search = Search.from({ ...problem, observations }, [point], { maxEvaluations, fixed: [fixed] });
	while (await search.round());
	return search.best.best;
}

/** Spreads that were to be found are known now; of what training has no sample they still are to be found. */
export function withFoundSpreads(
	observations: Observations,
	{ observations: trained, spreads }: FoundSpreads,
): Observations {
	const groups = observations.groups.map((group): OutputGroup => {
		const { spread, observed } = group;
		if (spread.kind !== "common") return group;
		const alike = trained.groups.find(({ spread: own }) => own.kind === "common" && own.key === spread.key);
		if (!alike) return group;
		const sd = (spreads[alike.from] * perParam(group)) / perParam(alike);
		if (!(sd > 0)) return group;
		return { ...group, spread: { kind: "known", sd: new Float64Array(observed.length).fill(sd) } };
	});
	return { ...observations, groups };
}

function perParam({ spread }: OutputGroup): number {
	return (spread.kind === "common" && spread.perParam) || 1;
}
