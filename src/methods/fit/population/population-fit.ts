/** A fit of a population: what all records share by its marginal likelihood, then each record beside it. */
import { type PopulationProblem, populationProblem } from "../../../estimate/population/problem.ts";
import { type PopulationCheckpoint, PopulationSearch } from "../../../estimate/population/search.ts";
import { sharedPrior } from "../../../estimate/population/shared-prior.ts";
import { type Glimpse, nothingSeen } from "../../../estimate/run/glimpse.ts";
import type { Progress } from "../../../estimate/run/progress.ts";
import type { Problem } from "../../problem.ts";
import type { FitOptions } from "../options.ts";

export class PopulationFit {
	readonly population: PopulationProblem;
	readonly search: PopulationSearch;
	seconds = 0;

	constructor(
		readonly problem: Problem,
		readonly options: FitOptions,
	) {
		const { model, train, start, compute, seed } = problem;
		this.population = populationProblem(model, train, start, compute);
		const { starts, candidates, maxEvaluations, priors, mode } = options;
		this.search = new PopulationSearch(this.population, {
			starts,
			candidates,
			maxEvaluations,
			seed,
			...(priors && { prior: sharedPrior(this.population, mode === "logarithm") }),
		});
	}

	async advance(): Promise<Progress> {
		const began = performance.now();
		const progress = await this.search.advance();
		this.seconds += (performance.now() - began) / 1000;
		return progress;
	}

	glimpse(): Glimpse {
		const value = this.search.end?.value;
		if (value === undefined) return nothingSeen;
		return {
			figures: [],
			levels: {
				name: "closing-in",
				title: "The fit closes in",
				yLabel: "minus log-likelihood",
				values: [value],
			},
		};
	}

	save(): PopulationCheckpoint {
		return this.search.save();
	}
	restore(saved: PopulationCheckpoint): Promise<void> {
		return this.search.restore(saved);
	}
}
