/** Where a Bayesian run stands: one on plain parameters, or on a population. */
import { InputError } from "../../errors.ts";
import { isPopulation } from "../../model/population.ts";
import type { Problem } from "../problem.ts";
import { type BayesOptions, BayesRun } from "./bayes-run.ts";
import { PopulationBayes } from "./population/population-bayes.ts";

export type BayesState = BayesRun | PopulationBayes;

export function begun(asked: Problem, options: BayesOptions): BayesState {
	if (isPopulation(asked.model) && asked.prior)
		throw new InputError(
			"prior:",
			"is weighed where all records share their parameters, and here some differ from record to record",
			"Give each parameter of the population a law of its own:  param mu ~ normal(0, 1)",
		);
	if (isPopulation(asked.model)) return new PopulationBayes(asked, options);
	return new BayesRun(asked, options);
}

/** A record that still grows is one, and so none of a population. */
export function plainRun(state: BayesState): BayesRun {
	if (state instanceof BayesRun) return state;
	throw new InputError(
		`param ${state.population.population[0].name}[record]`,
		"differs from record to record, and only one record is followed",
		"Give it a distribution of its own, or run the study on whole files.",
	);
}
