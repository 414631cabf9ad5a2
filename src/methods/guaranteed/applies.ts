/** Whether guaranteed estimation can answer for a model. */
import { knowledgeSuffices, type Verdict } from "../../model/applies.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Node } from "../../model/graph.ts";
import type { Model } from "../../model/model.ts";
import { topological } from "../../model/walk.ts";

const cornered: Partial<Record<Node["op"], string>> = {
	sign: "sign",
	if: "if",
};

export function appliesTo(model: Model): Verdict {
	const verdict = knowledgeSuffices("guaranteed", model);
	if (!verdict.applies) return verdict;
	const jump = topological(foldFormulaInputs(model).rhs).find(({ op }) => cornered[op] !== undefined);
	return jump
		? {
				applies: true,
				why: `${verdict.why} The equations use ${cornered[jump.op]}: where its argument may be on either side, the enclosure stops.`,
			}
		: verdict;
}
