/** The chosen terms in the place of what was unknown: unknown functions, combinations and weights of the equations. */
import { basisReplacement, expandBases } from "../../../model/basis.ts";
import type { Node } from "../../../model/graph.ts";
import type { Model } from "../../../model/model.ts";
import { substitute } from "../../../model/walk.ts";
import type { Candidates, Weight } from "../candidates/candidates.ts";

export interface ChosenWeight {
	readonly weight: Weight;
	readonly estimate: number;
	/** undefined where the data leave it open. */
	readonly sd?: number;
}

/** Replaces in an expression of the model; `nodeOf` says what stands for a weight. */
export function chosenTerms<C extends { readonly weight: Weight }>(
	original: Model,
	{ inner }: Pick<Candidates, "inner">,
	/** Of one record, where weights differ from one to the other. */
	chosen: readonly C[],
	nodeOf: (chosen: C) => Node,
): (node: Node) => Node {
	const { graph } = original;
	/** What stands for a parameter of the equations: its chosen weights times their terms. */
	const sums = new Map(
		inner.map((name, i) => [
			name,
			graph.sum(
				chosen
					.filter(({ weight }) => weight.inner === i)
					.map((each) => graph.mul(nodeOf(each), each.weight.factor)),
			),
		]),
	);
	const { weights: basis } = expandBases(original);
	const replaceCalls = basisReplacement(original, basis, ({ name }) => sums.get(name)!);
	return (node) => substitute(graph, [replaceCalls(node)], sums)[0];
}
