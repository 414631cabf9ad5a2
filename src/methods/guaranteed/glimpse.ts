/** What is to be seen of a search on the way: the boxes that are left so far, which hold everything that is consistent. */
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import { boxFigures } from "./answer/box-figures.ts";
import type { GuaranteedRun } from "./guaranteed-run.ts";

/** Pairs of unknowns that are drawn. */
const mostPairs = 3;
/** Boxes up to which a glimpse costs next to nothing. */
const mostBoxes = 4000;

export function glimpse(run: GuaranteedRun): Glimpse {
	if (run.done || run.isUnbound || run.boxCount > mostBoxes) return nothingSeen;
	if (run.unknowns.length > 1) return { figures: boxFigures(run, mostPairs) };
	const left = run.enclosure;
	if (!left) return nothingSeen;
	return {
		figures: [],
		levels: {
			name: "what-is-left",
			title: `What is left of ${run.unknowns[0].name}`,
			yLabel: "width",
			values: [left[1] - left[0]],
		},
	};
}
