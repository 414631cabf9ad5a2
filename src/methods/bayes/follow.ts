/**
 * The posterior of a record that still grows: each sample is taken in as it comes, and what is known so far is reported.
 * Every posterior on the way is valid. [longbottom2024] Algorithm 1
 *
 * The size of the integration error runs along with the data: a simulation of the whole record cannot be had yet.
 */
import type { Following, GrowingRecord, KnownSoFar } from "../following.ts";
import type { Method } from "../method.ts";
import { marginals } from "./answer/posterior.ts";
import type { BayesOptions, BayesRun } from "./bayes-run.ts";
import { type BayesState, begun, plainRun } from "./bayes-state.ts";
import type { bayesOptions } from "./options.ts";
import { Ibis } from "./smc/ibis.ts";
import type { BayesSummary } from "./summary.ts";

type Bayes = Method<BayesState, typeof bayesOptions, BayesSummary>;

export function follow(
	bayes: Bayes,
	record: GrowingRecord,
	onChange: (posterior: KnownSoFar) => void,
): Following<BayesState, typeof bayesOptions, BayesSummary> {
	const method: Bayes = {
		...bayes,
		async prepare(problem, options) {
			return opened(plainRun(begun(problem, onlineOptions(options))));
		},
		/** The record may have grown since. */
		async load(problem, options, bytes) {
			return opened(plainRun(await bayes.load(problem, onlineOptions(options), bytes)));
		},
		async advance(state) {
			const run = plainRun(state);
			const open = ibisOf(run).filter((sampler) => sampler.open);
			if (open.length === 0) return run.advance();
			if (open.every(({ outcome }) => outcome !== "running")) return toTheEnd(run);
			const waits = open.every(({ isWaiting, outcome }) => isWaiting || outcome !== "running");
			if (!waits) {
				const progress = await run.advance();
				if (open.every(({ isWaiting }) => isWaiting)) onChange(soFar(run));
				return record.isEnded ? toTheEnd(run) : { ...progress, done: false };
			}
			const train = await record.next();
			if (!train) return toTheEnd(run);
			run.extend(train);
			return { done: false, fraction: 0, label: `${run.likelihood.nSamples} samples` };
		},
	};
	return { method, optionsOf: onlineOptions };
}

function opened(run: BayesRun): BayesRun {
	for (const sampler of ibisOf(run)) sampler.open = true;
	run.wasOpen = true;
	return run;
}

/** Sample by sample, with Γ that needs no samples to come, neither itself nor its bounds. */
function onlineOptions(options: BayesOptions): BayesOptions {
	const { integrationError } = options;
	return {
		...options,
		sampler: "ibis",
		gammaRange: 0,
		integrationError: integrationError === "none" ? "none" : "running",
	};
}

async function toTheEnd(run: BayesRun): ReturnType<BayesRun["advance"]> {
	for (const sampler of ibisOf(run)) {
		while (sampler.outcome === "running" && !sampler.isWaiting) await sampler.advance();
		await sampler.close();
	}
	for (;;) {
		const progress = await run.advance();
		if (progress.done) return progress;
	}
}

function soFar(run: BayesRun): KnownSoFar {
	const { z, n } = run.pooled();
	const samples = run.likelihood.nSamples;
	const times = run.likelihood.samples.at(-1)!.times;
	return {
		samples,
		t: times[times.length - 1],
		parameters: marginals(run.unknowns, z, n).map(({ name, mean, sd }) => ({ name, mean, sd })),
		logEvidence: run.logEvidence,
	};
}

function ibisOf({ samplers }: BayesRun): Ibis[] {
	return samplers.filter((sampler) => sampler instanceof Ibis);
}
