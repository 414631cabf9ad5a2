/** What is to be seen of an inversion on the way: the fit of all terms as it closes in, then terms as they are taken out. */

import type { Figure } from "../../estimate/figure.ts";
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import { log } from "../../num/elementary/number.ts";
import { mostAbove, mostErrors } from "./answer/figures.ts";
import type { InversionRun } from "./inversion-run.ts";
import type { TermSelection } from "./selection/judged.ts";

export function glimpse({ selection, starts }: InversionRun): Glimpse {
	if (selection && selection.path.length > 1) return { figures: pathSoFar(selection.path) };
	if (!starts.descent) return nothingSeen;
	return {
		figures: [],
		levels: {
			name: "closing-in",
			title: "The fit closes in",
			yLabel: "sum of squares, power of ten",
			values: [log(starts.descent.sse) / Math.LN10],
		},
	};
}

function pathSoFar(path: TermSelection["path"]): Figure[] {
	const drops = path.filter(({ dropped }) => dropped !== null);
	const finite = path.filter(({ bic }) => Number.isFinite(bic));
	const least = finite.reduce((a, { bic }) => Math.min(a, bic), Infinity);
	const common = { caption: "", section: "sure" } as const;
	return [
		{
			...common,
			name: "path",
			title: "Elimination path, from right to left",
			xLabel: "terms left before the drop",
			yLabel: "standard errors of what is dropped",
			marks: [
				{
					type: "points",
					x: drops.map(({ terms }) => terms + 1),
					y: drops.map(({ t }) => Math.min(t ?? 0, mostErrors)),
					role: "model",
				},
			],
		},
		{
			...common,
			name: "path-criteria",
			title: "BIC along the path, lower is better",
			xLabel: "terms",
			yLabel: "above the least",
			marks: [
				{
					type: "line",
					x: finite.map(({ terms }) => terms),
					y: finite.map((step) => Math.min(step.bic - least, mostAbove)),
					role: "model",
				},
			],
		},
	];
}
