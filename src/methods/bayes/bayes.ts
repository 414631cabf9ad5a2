/** Bayesian identification: posteriors that carry measurement noise and integration error. */
import { nothingSeen } from "../../estimate/run/glimpse.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer.ts";
import { appliesTo } from "./applies.ts";
import { type BayesCheckpoint, BayesRun } from "./bayes-run.ts";
import { bayesOptions } from "./options.ts";

export const bayes: Method<BayesRun, typeof bayesOptions> = {
	name: "bayes",
	says: "The posterior of the parameters, with the noise of the measurement and the error of the integration in it.",
	options: bayesOptions,
	appliesTo,
	async prepare(problem, options) {
		return new BayesRun(problem, options);
	},
	advance: (run) => run.advance(),
	result: answer,
	glimpse: () => nothingSeen,
	save: (run) => new TextEncoder().encode(JSON.stringify(run.save())),
	async load(problem, options, bytes) {
		const run = new BayesRun(problem, options);
		run.restore(JSON.parse(new TextDecoder().decode(bytes)) as BayesCheckpoint);
		return run;
	},
};
