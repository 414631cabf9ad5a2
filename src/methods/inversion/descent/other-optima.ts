/**
 * Is the answer the only one? The chosen terms are fitted again from elsewhere: from drawn points, and with the equation of one
 * state made faster and slower while one of its weights is held there. A fast state follows the slow ones, so that only ratios
 * of its weights are seen: held fits that are as good show that its rates are not bounded, though their standard errors may be
 * small. Steps are finer here, so that faster equations can be simulated.
 */
import { exp } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import type { Workspace } from "../workspace.ts";
import { Descent } from "./descent.ts";
import { type FittedModel, standardErrors } from "./fitted-model.ts";

export interface OtherFit {
	/** Where it started, in words. */
	readonly from: string;
	/** The unknown that was held, where one was. */
	readonly held: number | null;
	readonly point: readonly number[];
	readonly sse: number;
	readonly outcome: string;
}

export interface OtherStart {
	readonly from: string;
	readonly held: number | null;
	readonly point: Float64Array;
	readonly active: readonly number[];
	/** Integration steps for one step of the fit. */
	readonly finer: number;
}

/** How much faster and slower an equation is made. */
const factors = [5, 1 / 5];
/** Integration steps for one step of the fit; where steps are so many already that they serve accuracy alone, one. */
const finer = 4;
const manySteps = 32;
export const finerSteps = (substeps: number): number =>
	Math.max(1, Math.min(finer, Math.ceil(manySteps / substeps)));

/** Other fits whose sum of squares is higher by so few variances are as good. */
export const asGood = 4;
/** A fit with a rate held five times off is no worse than chance would make it. */
export const heldWithin = 6.6;

/** `open`: unknowns that the data leave open anyway; to hold one of them shows nothing. */
export function otherStarts(
	work: Workspace,
	final: FittedModel,
	variance: number,
	open: ReadonlySet<number>,
	/** Steps of the fit; where it is in segments none goes far astray, and finer ones are not needed. */
	{ substeps, cuts }: { readonly substeps: number; readonly cuts?: unknown },
): OtherStart[] {
	if (work.options.starts === 0) return [];
	const { candidates } = work.setting;
	const finerHere = cuts ? 1 : finerSteps(substeps);
	const active = final.active.filter((u) => u < work.nWeights);
	const se = standardErrors(final, variance);
	const t = (u: number): number =>
		Math.abs(final.point[u]) / (se[final.active.indexOf(u)] || Number.POSITIVE_INFINITY);
	const scaled = candidates.model.components.flatMap((component, c) => {
		const inner = new Set(
			work.functions.entries.filter((entry) => entry.component === c).map((entry) => entry.inner),
		);
		const own = active.filter((u) => inner.has(candidates.weights[u].inner));
		const told = own.filter((u) => !open.has(u));
		if (told.length === 0) return [];
		const held = told.reduce((a, b) => (t(b) > t(a) ? b : a));
		// Terms that were dropped from the same parameters may be needed there.
		const parameters = new Set(
			own.map((u) => candidates.weights[u]).flatMap(({ kind, of }) => (kind === "combination" ? [of] : [])),
		);
		const free = [...Array(work.nUnknowns).keys()].filter(
			(u) => u !== held && (final.active.includes(u) || parameters.has(candidates.weights[u]?.of ?? "")),
		);
		return factors.map((factor) => ({
			from: `the equation of ${component} ${factor > 1 ? `${factor} times as fast` : `${1 / factor} times as slow`}`,
			held,
			active: free,
			finer: finerHere * (cuts ? Math.ceil(Math.sqrt(factor)) : Math.max(factor, 1)),
			point: final.point.map((value, u) => (own.includes(u) ? value * factor : value)),
		}));
	});
	const drawn = Array.from({ length: work.options.starts }, (_, k) => {
		const random = stream(work.problem.seed, `inversion start ${k}`);
		return {
			from: `drawn point ${k + 1}`,
			held: null,
			active: final.active,
			finer: finerHere,
			point: final.point.map((value, u) => (active.includes(u) ? value * exp(random.normal(u)) : value)),
		};
	});
	return [...scaled, ...drawn];
}

export async function fitFrom(
	problem: WeightedProblem,
	{ from, held, point, active }: OtherStart,
	variance: number,
	/** Sum of squares of the answer. */
	answer: number,
	/** Where states are hidden, other starts are a search for the answer itself: they are not given up soon. */
	soon: boolean,
): Promise<OtherFit> {
	const descent = new Descent(problem, active, point, {
		tolerance: 1e-7,
		maxIterations: 40,
		quick: true,
		negligible: 1e-3 * variance,
		wanted: answer + Math.max(asGood, heldWithin) * variance,
		soon,
	});
	await descent.run();
	return { from, held, point: [...descent.point], sse: descent.sse, outcome: descent.outcome! };
}
