/** The answer and its rivals under finer integration. */

import type { Integration } from "../../estimate/forward/estimation.ts";
import {
	finer,
	type IntegrationError,
	integrationError,
	negligibleError,
	refine,
} from "../../estimate/forward/integration.ts";
import { Search } from "../../estimate/least-squares/search.ts";
import { costUnit, naturalPoint } from "../../estimate/observe/likelihood.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";
import type { StartOutcome } from "./fit-state.ts";
import { bestStart, samePlace } from "./starts/starts-compared.ts";

/** What parameters absorbed of an integration error. */
export interface Absorbed {
	readonly substeps: number;
	/** The finer integration, in words. */
	readonly finer: string;
	/** How far each unknown moves with it, in standard deviations. */
	readonly shift: Float64Array;
}

export async function integrationErrors(
	run: FitRun,
	integration: Integration,
	points: readonly Float64Array[],
): Promise<IntegrationError[]> {
	const { observations, unknowns } = run.estimation;
	const natural = points.map((z) => naturalPoint(unknowns, z));
	const [coarse, fine] = await Promise.all(
		[integration, finer(integration)].map((each) => run.forward(each).evaluate(natural, false)),
	);
	const rms = Math.sqrt(run.residualVariance);
	return coarse.map((each, i) => integrationError(observations, run.optimum.sd, each, fine[i], rms));
}

/** Steps were given and are too coarse: how far does the answer move with finer ones? */
export async function absorbedError(run: FitRun, error: number): Promise<Absorbed | undefined> {
	if (run.integration.kind === "adaptive") return undefined;
	const given = run.best;
	const integration = refine(run.integration, error)!;
	const { best } = (await optimumFrom(run, integration, given)).best;
	const {
		covariance: { sd },
		variance,
	} = errorsOf(run);
	const scale = Math.sqrt(variance);
	return {
		substeps: run.integration.substeps,
		finer: run.forward(integration).says,
		shift: best.map((z, i) => Math.abs(z - given[i]) / (sd[i] * scale || 1)),
	};
}

/**
 * Follows another optimum that looks as good as the answer, with finer steps until integration error is not what makes
 * it so. `news`: what is then to be said of its start; `better`: it beats the answer.
 */
export async function followRival(
	run: FitRun,
	rival: StartOutcome,
	error: number,
): Promise<{ news: Partial<StartOutcome>; better?: Float64Array }> {
	let { integration } = run;
	let share = error;
	let z: Float64Array = Float64Array.from(rival.z);
	let cost = rival.cost;
	for (let round = 0; round < 4; round++) {
		const sound = share <= negligibleError;
		if (!sound) integration = refine(integration, share) ?? integration;
		({ best: z, cost } = (await optimumFrom(run, integration, z)).best);
		if (sound || cost === Number.POSITIVE_INFINITY) break;
		[{ share }] = await integrationErrors(run, integration, [z]);
		if (share <= negligibleError) break;
	}
	const answer = run.search!.best.cost;
	const slack = 1e-3 * run.scale.variance;
	// Costs of two integrations are compared: each may be off by a little.
	if (!(cost <= answer + 0.01 * costUnit(run.misfit, answer) + slack)) return { news: { spurious: true } };
	if (samePlace(run, z, run.best)) return { news: { checked: true, z: bestStart(run).z } };
	const comparable = integration === run.integration && cost < answer - slack;
	return { news: { checked: true, z: [...z] }, ...(comparable ? { better: z } : {}) };
}

async function optimumFrom(run: FitRun, integration: Integration, z: Float64Array): Promise<Search> {
	const problem = { ...run.misfit, forward: run.forward(integration) };
	const search = Search.from(problem, [z], { maxEvaluations: run.options.maxEvaluations });
	while (await search.round());
	return search;
}
