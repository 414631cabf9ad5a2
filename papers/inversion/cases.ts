/** Single cases of the statistics that `odentify reproduce inversion` and the bench add up. */

import type { Compute } from "../../src/compute/compute.ts";
import { residualSd } from "../../src/methods/inversion/answer/answer.ts";
import { InversionRun } from "../../src/methods/inversion/inversion-run.ts";
import { inversionOptions } from "../../src/methods/inversion/options.ts";
import type { InversionOptions } from "../../src/methods/inversion/workspace.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import { stopwatch } from "../stopwatch.ts";
import { type Example, recordsOf } from "./examples.ts";

export interface CaseSpec {
	readonly example: Example;
	readonly noise: { readonly sd: number; readonly relative?: boolean };
	readonly seed: number;
	readonly options?: Partial<InversionOptions>;
	readonly compute: Compute;
}

export interface CaseOutcome {
	readonly run: InversionRun;
	/** The chosen terms are the true ones. */
	readonly exact: boolean;
	/** The true terms were met in the elimination. */
	readonly onPath: boolean;
	readonly iterations: number;
	/** Root mean square over the outputs. */
	readonly residualSd: number;
	/** Largest error of a chosen weight. */
	readonly worst: number;
	readonly milliseconds: number;
}

/** Only fit and selection. */
export const selectionOnly = { profile: false, stability: 0, starts: 0 } as const;

export async function runCase({ example, noise, seed, options, compute }: CaseSpec): Promise<CaseOutcome> {
	const train = await recordsOf(example, noise, seed, compute);
	const problem = { model: example.model, train, test: [], start: {}, seed, compute };
	const elapsed = stopwatch();
	const run = await InversionRun.begin(problem, {
		...defaultOptions(inversionOptions),
		...selectionOnly,
		...options,
	});
	while (!(await run.advance()).done);
	const milliseconds = elapsed();
	const { work, final, selection } = run;
	const weights = work.setting.candidates.weights;
	const truth = weights.map(({ name }) => example.truth[name] ?? 0);
	const wanted = [...Array(work.nUnknowns).keys()]
		.filter((u) => u >= weights.length || truth[u] !== 0)
		.join();
	const found = final?.active.join() ?? "";
	const sds = final ? Object.values(residualSd(run)) : [];
	return {
		run,
		exact: found === wanted,
		onPath: selection?.path.some(({ key }) => key === wanted) ?? false,
		iterations: run.starts.iterations,
		residualSd: Math.sqrt(sds.reduce((sum, sd) => sum + sd * sd, 0) / Math.max(sds.length, 1)),
		worst: final
			? truth.reduce((most, value, w) => Math.max(most, Math.abs(final.point[w] - value)), 0)
			: Number.NaN,
		milliseconds,
	};
}

/** A share with its binomial standard deviation: `0.815 ± 0.027`. */
export function shareText(count: number, of: number): string {
	const share = count / of;
	return `${share.toFixed(3)} ± ${Math.sqrt(Math.max(share * (1 - share), 1 / of / 4) / of).toFixed(3)}`;
}

export const meanOf = (values: readonly number[]): number =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

export function medianOf(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[sorted.length >> 1];
}
