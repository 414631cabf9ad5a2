/** What the samples say at the optimum: spreads, errors beside them, likelihood. */
import type { Evaluation } from "../forward/forward.ts";
import { CommonSpreads } from "./common-spreads.ts";
import { type Goodness, goodnessOf } from "./goodness.ts";
import { type LikelihoodProblem, naturalPoint, spreadsAt, weightsAt } from "./likelihood.ts";
import type { Observations } from "./observations.ts";
import { isPlain, normalScores, numbers } from "./sample-terms.ts";

export interface Optimum {
	/** What each sample's row is divided by, and the sum of squares, each as its law counts it. */
	readonly sd: Float64Array;
	readonly squares: number;
	/** Each sample's error over its row's divisor. */
	readonly errors: Float64Array;
	/** The spread of each sample that fits best: of scaled squares, rows are divided by it but for a common factor. */
	readonly spreads: Float64Array;
	readonly goodness?: Goodness;
}

export async function optimumAt(problem: LikelihoodProblem, z: Float64Array): Promise<Optimum> {
	const { unknowns, observations, forward } = problem;
	const [fitted] = await forward.evaluate([naturalPoint(unknowns, z)], false);
	const sd = weightsAt(problem, fitted);
	const errors = new Float64Array(sd.length);
	let squares = 0;
	for (const group of observations.groups) {
		const { law, from, to } = group;
		if (!isPlain(group) || law.isCount) {
			const own = normalScores(
				group,
				fitted.value.subarray(from, to),
				sd.subarray(from, to),
				`${group.measure.name} ${group.experiment}`,
			);
			errors.set(own, from);
			for (const e of own) squares += e * e;
			continue;
		}
		for (let i = from; i < to; i++) {
			const e = (observations.values[i] - fitted.value[i]) / sd[i];
			errors[i] = e;
			squares += law.weight(numbers, e * e) * e * e;
		}
	}
	return { sd, squares, errors, ...likelihoodAt(observations, unknowns.length, fitted) };
}

/** The spreads that fit best at a simulation, and the figures that go with them: the same for every method with a likelihood. */
export function likelihoodAt(
	observations: Observations,
	nUnknowns: number,
	fitted: Pick<Evaluation, "value" | "spread">,
): { readonly spreads: Float64Array; readonly goodness: Goodness } {
	const spreads = spreadsAt(observations, nUnknowns, fitted);
	const nFound = nUnknowns + CommonSpreads.of(observations, nUnknowns).keys.length;
	return { spreads, goodness: goodnessOf(observations, fitted.value, spreads, nFound) };
}

/** Before a search has come to one. */
export function noOptimum({ observations }: LikelihoodProblem): Optimum {
	const sd = new Float64Array(observations.nObservations).fill(1);
	return { sd, squares: 0, errors: new Float64Array(), spreads: sd };
}
