/**
 * Whether the answer has rates that the samples are too far apart to show. A state that settles between one sample and the
 * next shows only where it settles: its own weights are seen by their ratios, and a term in it can stand for one in the states
 * that it follows, in every equation.
 */
import type { InversionRun } from "../inversion-run.ts";
import { ratesAlong } from "./rates-along.ts";
import { statePaths } from "./state-paths.ts";
import { innerPoint } from "./weight-forward.ts";

export interface FastRate {
	/** States whose equations make the rate, by weights that were estimated. */
	readonly components: readonly string[];
	readonly rate: number;
	/** The rate times the sample spacing. */
	readonly perSample: number;
}

/** A rate times the sample spacing from which it cannot be seen: of what a state does on its own 5 % are left a sample later. */
const seenBelow = 3;
/** Share of its samples in which an experiment may be slower all the same. */
const slowShare = 0.1;
/** By how much weights are changed to see whether the rate is theirs, and which share of that it must follow. */
const nudge = 0.01;
const follows = 0.1;

export function fastRate(run: InversionRun): FastRate | undefined {
	const { work, final, starts } = run;
	const { setting, functions, nWeights } = work;
	const { candidates, observations } = setting;
	const { model, weights } = candidates;
	const paths = statePaths(setting, functions, final!.point, starts.substeps);
	const ratesAt = ratesAlong(setting, paths);
	const typical = ratesWith(final!.point);
	if (!(typical.perSample > seenBelow)) return undefined;
	const components = model.components.filter((_, c) => {
		const inner = new Set(
			functions.entries.filter((entry) => entry.component === c).map((entry) => entry.inner),
		);
		const moved = final!.point.map((value, u) =>
			u < nWeights && inner.has(weights[u].inner) ? value * (1 + nudge) : value,
		);
		const change = Math.abs(ratesWith(moved).perSample / typical.perSample - 1);
		return change > follows * nudge;
	});
	return components.length > 0 ? { components, ...typical } : undefined;

	/** Of the experiments the one in the middle, by its almost slowest sample: samples that are dense somewhere do show it. */
	function ratesWith(point: Float64Array): { rate: number; perSample: number } {
		const slow = ratesAt((e) => innerPoint(setting, point, e)).flatMap((rates, e) => {
			const { times } = observations.grids[e];
			const all = Array.from(rates, (rate, k) => {
				const gaps = [times[k] - times[k - 1], times[k + 1] - times[k]].filter((gap) => gap > 0);
				return { rate, perSample: rate * Math.min(...gaps) };
			}).filter(({ perSample }) => Number.isFinite(perSample));
			all.sort((a, b) => a.perSample - b.perSample);
			return all.length > 0 ? [all[Math.floor(slowShare * all.length)]] : [];
		});
		slow.sort((a, b) => a.perSample - b.perSample);
		return slow[slow.length >> 1] ?? { rate: 0, perSample: 0 };
	}
}
