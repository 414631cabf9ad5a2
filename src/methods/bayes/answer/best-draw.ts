/** The figures of the most likely draw, simulated without an error of the integration: they can be held against those of a fit. */
import { type Goodness, goodnessOf } from "../../../estimate/observe/goodness.ts";
import { conditionInto } from "../../../estimate/observe/memory.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import type { BayesRun } from "../bayes-run.ts";
import { isDriven } from "../filter/layout.ts";
import { Likelihood } from "../likelihood/likelihood.ts";
import { naturalValues } from "../likelihood/unknowns.ts";

/** Undefined where an unseen force drives the model: then there is no trajectory without the data. */
export async function goodnessOfBest(run: BayesRun): Promise<Partial<Goodness>> {
	const { model, unknowns, problem, settings, likelihood } = run;
	if (isDriven(likelihood.layout)) return {};
	const exact = new Likelihood(
		model,
		unknowns,
		problem.train,
		{ ...settings, diffusion: settings.linearisation === "ekf1" ? settings.diffusion : "off" },
		problem.compute,
	);
	const theta = naturalValues(unknowns, bestDraw(run), 1);
	const observations = observationsOf(model, problem.train, new Set());
	const predicted = new Float64Array(observations.nObservations);
	const spread = predicted.slice();
	const nOutputs = model.measures.length;
	for (const [e, filter] of exact.filters.entries()) {
		const { value, noise } = await filter.moments(
			problem.compute,
			exact.particles(theta, 1, e),
			filter.newState(1, false),
			0,
			filter.nSamples,
		);
		const at = new Map(Array.from(exact.samples[e].times, (t, s) => [t, s]));
		for (const { experiment, index, from, t } of observations.groups) {
			if (experiment !== e) continue;
			for (let k = 0; k < t.length; k++) {
				const place = at.get(t[k])! * nOutputs + index;
				predicted[from + k] = value[place];
				spread[from + k] = Math.sqrt(noise[place]);
			}
		}
	}
	for (const group of observations.groups) {
		const time = group.memory?.time((name) => theta[unknowns.findIndex((each) => each.name === name)]);
		const own = (values: Float64Array): Float64Array => values.subarray(group.from, group.to);
		if (time !== undefined) conditionInto(group, time, own(predicted), own(spread));
	}
	return goodnessOf(observations, predicted, spread, unknowns.length);
}

/** Of the runs that have come furthest, the one with the largest posterior density. */
function bestDraw({ furthest, unknowns }: BayesRun): Float64Array {
	let most = Number.NEGATIVE_INFINITY;
	let z = new Float64Array(unknowns.length);
	for (const { cloud } of furthest)
		for (let b = 0; cloud && b < cloud.n; b++) {
			const density = cloud.logPrior[b] + cloud.logLik[b];
			if (!(density > most)) continue;
			most = density;
			z = Float64Array.from(unknowns, (_, i) => cloud.z[i * cloud.n + b]);
		}
	return z;
}
