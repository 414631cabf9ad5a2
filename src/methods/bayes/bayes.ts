/** Bayesian identification: posteriors that carry measurement noise and integration error. */

import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import { nothingSeen } from "../../estimate/run/glimpse.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer/answer.ts";
import { appliesTo } from "./applies.ts";
import { type BayesCheckpoint, BayesRun } from "./bayes-run.ts";
import { follow } from "./follow.ts";
import { bayesOptions } from "./options.ts";
import type { BayesSummary } from "./summary.ts";

export const bayes: Method<BayesRun, typeof bayesOptions, BayesSummary> = {
	name: "bayes",
	says: "The posterior of the parameters, with the noise of the measurement and the error of the integration in it.",
	accent: { light: "#7a3fa8", dark: "#c79bf0", terminal: "magenta" },
	options: bayesOptions,
	stateForm: 2,
	appliesTo,
	honoursDoses: true,
	suits: ({ params, measures }) =>
		params.some(({ knowledge }) => knowledge.kind === "distribution") &&
		measures.every(({ kind }) => kind === "distribution")
			? "everything unknown has a distribution"
			: undefined,
	needs: "distributions",
	byTheWay: {},
	async prepare(problem, options) {
		return new BayesRun(problem, options);
	},
	advance: (run) => run.advance(),
	result: answer,
	glimpse: () => nothingSeen,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const run = new BayesRun(problem, options);
		run.restore(fromBytes<BayesCheckpoint>(bytes));
		return run;
	},
	follow: (record, onChange) => follow(bayes, record, onChange),
};
