/**
 * Whether a record can tell the true terms from an answer's, whoever looks at it: the distance λ of the two, in variances of the
 * noise, is what the answer's terms miss, at their best, of the record without noise. Who knows both laws with all their weights
 * and must say which of them made the record errs in Φ(-√λ/2) of all cases at least (Neyman and Pearson); nobody who knows less
 * errs more rarely. A λ that is found is never too small: a fit that missed its best only makes it larger.
 */

import type { Example } from "../../papers/inversion/examples.ts";
import { recordsOf } from "../../papers/inversion/examples.ts";
import { inline } from "../../src/compute/inline.ts";
import { rowWeights } from "../../src/methods/inversion/candidates/noise.ts";
import type { InversionRun } from "../../src/methods/inversion/inversion-run.ts";
import { refit, Workspace } from "../../src/methods/inversion/workspace.ts";
import { normalTail } from "../../src/num/statistics/incomplete-gamma.ts";

const limits = { tolerance: 1e-10, maxIterations: 200, quick: true };

export interface Told {
	/** Their own best fit, begun at the truth, has the better BIC: else nobody who goes by fit and number of terms could find them. */
	readonly byBic: boolean;
	/** Share of errors of the best of all decisions between the true law and the nearest of the answer's form; 0 where that holds the true one. */
	readonly leastError: number;
}

export async function toldBy(
	run: InversionRun,
	example: Example,
	seed: number,
	missing: readonly string[],
): Promise<Told> {
	const { work, final, starts, variance } = run;
	if (!final) return { byBic: true, leastError: 0 };
	const byBic = await isBetter(run, example.truth);
	if (missing.length === 0) return { byBic, leastError: 0 };
	const train = await recordsOf(example, { sd: 0 }, seed, inline);
	const clean = new Workspace({ ...work.problem, train }, work.options);
	const problem = {
		forward: clean.forward(starts.substeps),
		rowWeights: rowWeights(starts.noise),
		scale: starts.noise.scale,
	};
	const near = final.point.slice(0, work.nUnknowns);
	const { sse } = await refit(problem, final.active, near, limits, work.nWeights).run();
	return { byBic, leastError: normalTail(Math.sqrt(sse / variance) / 2) };
}

async function isBetter(run: InversionRun, truth: Readonly<Record<string, number>>): Promise<boolean> {
	const { work, final, starts, comparable, variance } = run;
	const point = final!.point.slice();
	const active = [...Array(work.nUnknowns).keys()].filter(
		(u) => work.always.includes(u) || work.nameOf(u) in truth,
	);
	for (const u of active) point[u] = truth[work.nameOf(u)] ?? point[u];
	const { sse } = await refit(starts.problem, active, point, limits, work.nWeights).run();
	const behind = (sse - comparable) / variance;
	return behind + (active.length - final!.active.length) * Math.log(work.nObservations) <= 0;
}
