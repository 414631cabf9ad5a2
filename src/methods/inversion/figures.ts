/** What is to be seen of an inversion: the matrix of weights, the unknown functions, the elimination path, the profiles. */
import { basisTerms } from "../../model/basis.ts";
import { evaluate } from "../../model/evaluate.ts";
import { normalQuantile975, studentQuantile975 } from "../../num/quantile.ts";
import type { Figure, Mark } from "../figure.ts";
import type { InversionRun } from "./inversion-run.ts";
import { keyOf } from "./selection.ts";

const curvePoints = 200;
/** So many profiles are shown. */
const profilesShown = 24;

export function figuresOf(run: InversionRun): Figure[] {
	return [
		...weightMatrix(run),
		...functionFigures(run),
		...pathFigures(run),
		...stabilityFigure(run),
		...profileFigures(run),
	];
}

/** One row a parameter or function, one column a term: dropped ones greyed. */
function weightMatrix({ work, final }: InversionRun): Figure[] {
	const { weights } = work.setting.candidates;
	if (weights.length > 400) return [];
	const rows = [...new Set(weights.map(({ of }) => of))];
	const kept = new Set(final!.active);
	const cell = (w: number) => {
		const row = rows.indexOf(weights[w].of);
		const column = weights.slice(0, w).filter(({ of }) => of === weights[w].of).length;
		return { x0: column + 0.55, x1: column + 1.45, y0: -row - 0.4, y1: -row + 0.4 };
	};
	const boxes = (role: "accent" | "muted", label: string, chosen: readonly number[]): Mark[] => {
		if (chosen.length === 0) return [];
		const cells = chosen.map(cell);
		return [
			{
				type: "boxes",
				x0: cells.map(({ x0 }) => x0),
				x1: cells.map(({ x1 }) => x1),
				y0: cells.map(({ y0 }) => y0),
				y1: cells.map(({ y1 }) => y1),
				role,
				label,
			},
		];
	};
	const all = [...weights.keys()];
	return [
		{
			name: "weights",
			title: "Which weights are there",
			caption: `Rows from above: ${rows.join(", ")}; columns are their terms in the order of the model. Dropped weights are grey.`,
			xLabel: "term",
			yLabel: "row (0 is the first)",
			section: "sure",
			marks: [
				...boxes(
					"muted",
					"zero",
					all.filter((w) => !kept.has(w)),
				),
				...boxes(
					"accent",
					"kept",
					all.filter((w) => kept.has(w)),
				),
			],
		},
	];
}

/** Unknown functions of one argument with their bands, where the states went. */
function functionFigures(run: InversionRun): Figure[] {
	const { work, final, problem, variance } = run;
	const { weights } = work.setting.candidates;
	const { graph } = problem.model;
	return problem.model.unknowns
		.filter(({ kind, params }) => kind === "basis" && params.length === 1)
		.map((unknown): Figure => {
			const terms = basisTerms(graph, unknown);
			const own = weights.flatMap((weight, w) =>
				weight.of === unknown.name && final!.active.includes(w) && weight.factor === graph.one ? [w] : [],
			);
			const { lo, hi } = argumentRange(run, unknown.name);
			const x = Array.from({ length: curvePoints }, (_, k) => lo + ((hi - lo) * k) / (curvePoints - 1));
			const rows = x.map((value) =>
				own.map((w) => evaluate(terms.find(({ label }) => label === weights[w].term)!.value, () => value)),
			);
			const n = final!.active.length;
			const places = own.map((w) => final!.active.indexOf(w));
			const y = rows.map((row) => row.reduce((sum, value, k) => sum + value * final!.point[own[k]], 0));
			const half = rows.map((row) => {
				let sum = 0;
				row.forEach((a, i) => {
					row.forEach((b, j) => {
						sum += a * b * final!.covariance[places[i] * n + places[j]];
					});
				});
				return normalQuantile975 * Math.sqrt(Math.max(sum, 0) * variance);
			});
			return {
				name: `function-${unknown.name}`,
				title: `${unknown.name}(${unknown.params[0]})`,
				caption:
					own.length === 0
						? "No term of it was kept: it is zero."
						: `${own.length} of ${terms.length} terms; the band is 95 %, given the chosen terms.`,
				xLabel: unknown.params[0],
				yLabel: unknown.name,
				section: "sure",
				small: true,
				marks: [
					{
						type: "band",
						x,
						lo: y.map((value, k) => value - half[k]),
						hi: y.map((value, k) => value + half[k]),
						role: "band",
					},
					{ type: "line", x, y, role: "model", label: unknown.name },
				],
			};
		});
}

/** Where the argument of a function went in the data; its knots where that is not known. */
function argumentRange({ problem, work }: InversionRun, name: string): { lo: number; hi: number } {
	const unknown = problem.model.unknowns.find((each) => each.name === name)!;
	const { components } = work.setting.candidates.model;
	const column = components.indexOf(unknown.params[0]);
	const values =
		column >= 0 && work.smooth
			? work.smooth.flatMap(({ x, nodes }) => Array.from(nodes, (_, k) => x[k * components.length + column]))
			: unknown.distribution.args.map((arg) => evaluate(arg, () => 0));
	if (values.length < 2) return { lo: -1, hi: 1 };
	return { lo: values.reduce((a, b) => Math.min(a, b)), hi: values.reduce((a, b) => Math.max(a, b)) };
}

function pathFigures({ selection, final, work, options }: InversionRun): Figure[] {
	const { path } = selection!;
	if (path.length < 2) return [];
	const finite = path.filter(({ bic, evidence }) => Number.isFinite(bic) && Number.isFinite(evidence ?? 0));
	const x = finite.map(({ terms }) => terms);
	const chosen = work.terms(final!.active).length;
	const rule: Mark = { type: "rule", at: chosen, axis: "x", role: "guide", label: "chosen" };
	const aboveLeast = (values: readonly number[]): number[] => {
		const least = values.reduce((a, b) => Math.min(a, b));
		return values.map((value) => value - least);
	};
	const drops = path.filter(({ dropped }) => dropped !== null);
	const evidence = finite.flatMap((step) => (step.evidence === null ? [] : [step.evidence]));
	const isOnPath = path.some(({ key }) => key === keyOf(final!.active));
	return [
		{
			name: "path",
			title: "Elimination path",
			caption: `Size of the term that is dropped next, in standard errors, as terms are taken out one by one (from right to left).${isOnPath ? "" : " The chosen set was found beside the path."}`,
			xLabel: "terms left before the drop",
			yLabel: "standard errors",
			section: "sure",
			marks: [
				{
					type: "points",
					x: drops.map(({ terms }) => terms + 1),
					y: drops.map(({ t }) => t ?? 0),
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
			caption: "Above the least value of each; lower is better.",
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

function profileFigures({ profiles, work, final, degrees }: InversionRun): Figure[] {
	const limit = studentQuantile975(degrees) ** 2;
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
