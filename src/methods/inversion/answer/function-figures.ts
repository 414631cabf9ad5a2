/** The unknown functions with their bands: over their argument, or along the first record where they have several. */

import type { Figure, Mark } from "../../../estimate/figure.ts";
import { basisTerms } from "../../../model/basis.ts";
import { evaluate } from "../../../model/evaluate.ts";
import type { UnknownFunction } from "../../../model/model.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import type { StatePath } from "../candidates/effect-scales.ts";
import { statePaths } from "../forward/state-paths.ts";
import type { InversionRun } from "../inversion-run.ts";

const curvePoints = 200;
/** Curves in one picture, where the function depends on conditions. */
const experimentsShown = 6;

/** Where a function is drawn: a place on the axis, and its arguments there. */
interface Instant {
	readonly at: number;
	argument(name: string): number;
}

export function functionFigures(run: InversionRun): Figure[] {
	let path: StatePath | undefined;
	const along = (): StatePath =>
		(path ??= statePaths(run.work.setting, run.work.functions, run.final!.point, run.starts.substeps)[0]);
	return (
		run.problem.model.unknowns
			// What stands in a denominator has no band of its own: the law shows such a function.
			.filter(
				(each) =>
					each.kind === "basis" && basisTerms(run.problem.model.graph, each).every(({ isBelow }) => !isBelow),
			)
			.flatMap((each) => drawn(run, each, along))
	);
}

function drawn(run: InversionRun, unknown: UnknownFunction, path: () => StatePath): Figure[] {
	const { work, final, problem } = run;
	const { weights } = work.setting.candidates;
	const { name, params } = unknown;
	const isCurve = params.length === 1;
	const instants = isCurve ? overArgument(run, unknown) : alongRecord(run, unknown, path);
	if (instants.length === 0) return [];
	const own = weights.flatMap((weight, w) => (weight.of === name && final!.active.includes(w) ? [w] : []));
	const labels = (all: readonly number[]): number => new Set(all.map((w) => weights[w].label)).size;
	const candidates = labels(weights.flatMap(({ of }, w) => (of === name ? [w] : [])));
	// Where weights depend on conditions or on the record the function is another in every experiment.
	const varies = own.some(
		(w) => weights[w].factor !== problem.model.graph.one || weights[w].record !== undefined,
	);
	const shown = varies && isCurve ? problem.train.slice(0, experimentsShown).map((_, e) => e) : [0];
	const x = instants.map(({ at }) => at);
	const marks = shown.flatMap((e): Mark[] => {
		const { y, half } = valuesWithin(run, unknown, own, instants, e);
		return [
			{
				type: "band",
				x,
				lo: y.map((value, k) => value - half[k]),
				hi: y.map((value, k) => value + half[k]),
				role: "band",
			},
			{ type: "line", x, y, role: "model", label: varies ? problem.train[e].name : name },
		];
	});
	const where = isCurve ? "" : `Along ${problem.train[0].name}: `;
	const at =
		varies && isCurve
			? `, for ${unknown.byRecord ? "" : "the conditions of "}${shown.length < problem.train.length ? "the first experiments" : "each experiment"}`
			: "";
	return [
		{
			name: `function-${name}`,
			title: `${name}(${params.join(", ")})`,
			caption:
				own.length === 0
					? "No term of it was kept: it is zero."
					: `${where}${labels(own)} of ${candidates} terms${at}; the band is 95 %, given the chosen terms.`,
			xLabel: isCurve ? params[0] : "t",
			yLabel: name,
			section: "sure",
			small: true,
			marks,
		},
	];
}

/** The function in an experiment, and half the width of its band. */
function valuesWithin(
	{ work, final, problem, variance }: InversionRun,
	unknown: UnknownFunction,
	own: readonly number[],
	instants: readonly Instant[],
	e: number,
): { y: number[]; half: number[] } {
	const { candidates, factors } = work.setting;
	const { weights, inner } = candidates;
	const terms = basisTerms(problem.model.graph, unknown);
	const values = own.map((w) => {
		const label = inner[weights[w].inner].slice(unknown.name.length + 1, -1);
		return terms.find((term) => term.label === label)!.value;
	});
	const n = final!.active.length;
	const places = own.map((w) => final!.active.indexOf(w));
	const rows = instants.map(({ argument }) =>
		own.map((w, k) => evaluate(values[k], argument) * factors[e * weights.length + w]),
	);
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
	return { y, half };
}

function overArgument(run: InversionRun, unknown: UnknownFunction): Instant[] {
	const { lo, hi } = argumentRange(run, unknown);
	return Array.from({ length: curvePoints }, (_, k) => {
		const at = lo + ((hi - lo) * k) / (curvePoints - 1);
		return { at, argument: () => at };
	});
}

/** Where the argument of a function went in the data; its knots where that is not known. */
function argumentRange({ work }: InversionRun, unknown: UnknownFunction): { lo: number; hi: number } {
	const { components } = work.setting.candidates.model;
	const column = components.indexOf(unknown.params[0]);
	const values =
		column >= 0 && work.smooth
			? work.smooth.flatMap(({ x, nodes }) => Array.from(nodes, (_, k) => x[k * components.length + column]))
			: unknown.distribution.args.map((arg) => evaluate(arg, () => 0));
	if (values.length < 2) return { lo: -1, hi: 1 };
	return { lo: values.reduce((a, b) => Math.min(a, b)), hi: values.reduce((a, b) => Math.max(a, b)) };
}

/** Along the fitted states; nothing where an argument is not a state. */
function alongRecord({ work }: InversionRun, { params }: UnknownFunction, path: () => StatePath): Instant[] {
	const { components } = work.setting.candidates.model;
	if (!params.every((param) => components.includes(param))) return [];
	const { t, x } = path();
	return Array.from(t, (at, k) => ({
		at,
		argument: (name: string) => x[k * components.length + components.indexOf(name)],
	}));
}
