/** What is to be seen of an inversion: the matrix of weights, the unknown functions, the elimination path, the profiles. */

import type { Figure, Mark } from "../../../estimate/figure.ts";
import { studentQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import type { InversionRun } from "../inversion-run.ts";
import { keyOf } from "../selection/judged.ts";
import { functionFigures } from "./function-figures.ts";
import { weightMatrix } from "./weight-matrix.ts";

/** The path is drawn up to here: what is far above would hide the rest. */
export const mostErrors = 10;
export const mostAbove = 100;
/** So many profiles are shown. */
const profilesShown = 24;

export function figuresOf(run: InversionRun): Figure[] {
	return [
		...weightMatrix(run),
		...functionFigures(run),
		...pathFigures(run),
		...stabilityFigure(run),
		...designFigure(run),
		...profileFigures(run),
	];
}

function pathFigures({ selection, final, work, options }: InversionRun): Figure[] {
	const { path } = selection!;
	const finite = path.filter(({ bic, evidence }) => Number.isFinite(bic) && Number.isFinite(evidence ?? 0));
	if (finite.length < 2) return [];
	const x = finite.map(({ terms }) => terms);
	const chosen = work.terms(final!.active).length;
	const rule: Mark = { type: "rule", at: chosen, axis: "x", role: "guide", label: "chosen" };
	const aboveLeast = (values: readonly number[]): number[] => {
		const least = values.reduce((a, b) => Math.min(a, b));
		return values.map((value) => Math.min(value - least, mostAbove));
	};
	const drops = path.filter(({ dropped }) => dropped !== null);
	const evidence = finite.flatMap((step) => (step.evidence === null ? [] : [step.evidence]));
	const isOnPath = path.some(({ key }) => key === keyOf(final!.active));
	return [
		{
			name: "path",
			title: "Elimination path",
			caption: `Size of the term that is dropped next, in standard errors, as terms are taken out one by one (from right to left); ${mostErrors} stands for ${mostErrors} and more.${isOnPath ? "" : " The chosen set was found beside the path."}`,
			xLabel: "terms left before the drop",
			yLabel: "standard errors",
			section: "sure",
			marks: [
				{
					type: "points",
					x: drops.map(({ terms }) => terms + 1),
					y: drops.map(({ t }) => Math.min(t ?? 0, mostErrors)),
					role: "model",
				},
				...(options.select === "threshold"
					? [
							{
								type: "rule" as const,
								at: options.threshold,
								axis: "y" as const,
								role: "guide" as const,
								label: "threshold",
							},
						]
					: []),
				rule,
			],
		},
		{
			name: "path-criteria",
			title: "Evidence and BIC along the path",
			caption: `Above the least value of each; lower is better. ${mostAbove} stands for ${mostAbove} and more.`,
			xLabel: "terms",
			yLabel: "above the least",
			section: "sure",
			marks: [
				...(evidence.length === x.length
					? [{ type: "line" as const, x, y: aboveLeast(evidence), role: "model" as const, label: "evidence" }]
					: []),
				{ type: "line", x, y: aboveLeast(finite.map(({ bic }) => bic)), role: "muted", label: "BIC" },
				rule,
			],
		},
	];
}

function stabilityFigure({ stability, work, final }: InversionRun): Figure[] {
	if (stability.of === 0) return [];
	const bars = (role: "accent" | "muted", label: string, chosen: readonly number[]): Mark => ({
		type: "bars",
		x: chosen.map((u) => u + 1),
		y: chosen.map((u) => stability.counts[u] / stability.of),
		role,
		label,
	});
	const kept = work.terms(final!.active);
	return [
		{
			name: "stability",
			title: "How often each term would be chosen",
			caption: `Share of ${stability.of} simulated noises, terms in the order of the model.`,
			xLabel: "term",
			yLabel: "share",
			section: "doubt",
			marks: [
				bars("accent", "kept", kept),
				bars(
					"muted",
					"dropped",
					work.selectable.filter((u) => !kept.includes(u)),
				),
			],
		},
	];
}

/** How often the same terms are found in data simulated from the answer, design by design. */
function designFigure({ design, options }: InversionRun): Figure[] {
	if (options.design === 0) return [];
	return [
		{
			name: "design",
			title: "How often these terms would be found, by design",
			caption: `Share of ${options.design} cases simulated from the answer: ${design.map((each, k) => `${k + 1} ${each.design}`).join("; ")}.`,
			xLabel: "design",
			yLabel: "share",
			section: "doubt",
			marks: [
				{
					type: "bars",
					x: design.map((_, k) => k + 1),
					y: design.map(({ found, of }) => found / Math.max(of, 1)),
					role: "accent",
				},
			],
		},
	];
}

function profileFigures({ profiles, work, final, degrees }: InversionRun): Figure[] {
	const limit = squared(studentQuantile975(degrees));
	return profiles.slice(0, profilesShown).map(({ unknown, points }): Figure => {
		const shown = points.filter(({ rise }) => rise < 6 * limit);
		const x = shown.map(({ value }) => value);
		const y = shown.map(({ rise }) => rise);
		return {
			name: `profile-${unknown}`,
			title: work.nameOf(unknown),
			caption: "The interval is where the curve stays below the line.",
			xLabel: work.nameOf(unknown),
			yLabel: "rise of the sum of squares / variance",
			section: "sure",
			small: true,
			marks: [
				{ type: "line", x, y, role: "model" },
				{ type: "points", x, y, role: "model" },
				{ type: "rule", at: limit, axis: "y", role: "guide", label: "95 %" },
				{ type: "rule", at: final!.point[unknown], axis: "x", role: "guide" },
			],
		};
	});
}
