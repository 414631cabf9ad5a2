/** What a run is doing, in words. */
import { counted } from "../../estimate/judge/words.ts";
import type { BayesRun } from "./bayes-run.ts";
import { Ibis } from "./smc/ibis.ts";
import type { Tempering } from "./smc/tempering.ts";

export function labelOf(run: BayesRun): string {
	const r = run.samplers.findIndex(({ outcome }) => outcome === "running");
	const sampler = run.samplers[r];
	const which = run.samplers.length > 1 ? `run ${r + 1} of ${run.samplers.length}, ` : "";
	switch (run.phase) {
		case "steps":
			return `how short steps must be${run.pilot ? `, ${powerText(run.pilot)}` : ""}`;
		case "sample":
			if (!sampler) return "all runs are done";
			if (sampler instanceof Ibis)
				return `${which}sample ${sampler.at} of ${run.likelihood.nSamples}, ${counted(sampler.rejuvenations.length, "rejuvenation")}`;
			return `${which}stage ${sampler.stages.length}, ${powerText(sampler)}`;
		case "check":
			return "checking the steps";
		case "weigh":
			return "weighing the runs";
		case "identify":
			return "what the data can tell";
		case "train":
		case "test":
			return `predicting the ${run.phase === "train" ? "training" : "test"} record`;
		case "done":
			return `${stagesText(run)}, ${run.samplers.reduce((sum, { n }) => sum + n, 0)} particles`;
	}
}

/** `1 stage`: of the run that took the most. */
export function stagesText({ samplers }: BayesRun): string {
	const counts = samplers.map((sampler) =>
		sampler instanceof Ibis ? sampler.rejuvenations.length : sampler.stages.length,
	);
	return counted(Math.max(...counts), "stage");
}

function powerText({ approaches, bridge, lambda }: Tempering): string {
	return `${approaches ? "first samples, " : ""}${bridge ? "bridge" : "λ"} = ${lambda.toPrecision(2)}`;
}
