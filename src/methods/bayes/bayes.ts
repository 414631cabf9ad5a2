/** Bayesian identification: posteriors that carry measurement noise and integration error. */

import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import { nothingSeen } from "../../estimate/run/glimpse.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer/answer.ts";
import { appliesTo } from "./applies.ts";
import type { BayesCheckpoint } from "./bayes-run.ts";
import { type BayesState, begun } from "./bayes-state.ts";
import { follow } from "./follow.ts";
import { bayesOptions } from "./options.ts";
import { populationAnswer } from "./population/answer.ts";
import { PopulationBayes, type PopulationBayesCheckpoint } from "./population/population-bayes.ts";
import type { BayesSummary } from "./summary.ts";

export const bayes: Method<BayesState, typeof bayesOptions, BayesSummary> = {
	name: "bayes",
	says: "The posterior of the parameters, with the noise of the measurement and the error of the integration in it.",
	accent: { light: "#7a3fa8", dark: "#c79bf0", terminal: "magenta" },
	options: bayesOptions,
	stateForm: 6,
	takesLimits: true,
	appliesTo,
	honoursDoses: true,
	honoursPopulations: true,
	warmsUp: true,
	takesJointPriors: true,
	suits: ({ params, measures }) =>
		params.some(({ knowledge }) => knowledge.kind === "distribution") &&
		measures.every(({ kind }) => kind === "distribution")
			? "everything unknown has a distribution"
			: undefined,
	needs: "distributions",
	byTheWay: {},
	async prepare(problem, options) {
		return begun(problem, options);
	},
	advance: (run) => run.advance(),
	result: (run) => (run instanceof PopulationBayes ? populationAnswer(run) : answer(run)),
	glimpse: () => nothingSeen,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const run = begun(problem, options);
		if (run instanceof PopulationBayes) await run.restore(fromBytes<PopulationBayesCheckpoint>(bytes));
		else run.restore(fromBytes<BayesCheckpoint>(bytes));
		return run;
	},
	follow: (record, onChange) => follow(bayes, record, onChange),
};
