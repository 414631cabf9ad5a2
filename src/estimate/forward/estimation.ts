/**
 * One estimation problem, set up: unknowns, observations, and the kernels of the model between them. The fit of the training
 * records is one; the initial values of a test record are another.
 */

import type { Compute } from "../../compute/compute.ts";
import { type Experiment, unitOf } from "../../data/experiment.ts";
import type { Model } from "../../model/model.ts";
import { type Observations, observationsOf } from "../observe/observations.ts";
import { commonSpreads } from "../observe/spread.ts";
import { initialGuess } from "../unknowns/initial-guess.ts";
import { type Unknown, unknownsOf } from "../unknowns/unknowns.ts";
import { GridKernels } from "./grid-kernels.ts";

/** How the model is integrated: fixed steps between samples, or an adaptive solver. */
export type Integration =
	| {
			readonly kind: "fixed";
			readonly substeps: number;
			/** As many in an interval of usual length, and steps of the same length in all others: for samples that are far from even. */
			readonly even?: boolean;
	  }
	| { readonly kind: "adaptive"; readonly rtol?: number };

export interface Estimation {
	readonly model: Model;
	readonly experiments: readonly Experiment[];
	readonly unknowns: readonly Unknown[];
	readonly observations: Observations;
	readonly compute: Compute;
	readonly kernels: GridKernels;
	/** Parameters that are spreads and need no search. */
	readonly common: ReadonlySet<string>;
}

export function estimationOf(
	model: Model,
	experiments: readonly Experiment[],
	start: Readonly<Record<string, number>>,
	compute: Compute,
	/** Whether every spread that is a parameter is searched for: priors know nothing of spreads that are not. */
	searchSpreads = false,
): Estimation {
	const common = searchSpreads ? new Set<string>() : commonSpreads(model, experiments);
	const observations = observationsOf(model, experiments, common);
	const unknowns = unknownsOf({
		model,
		experiments: experiments.map(({ name }) => name),
		units: experiments.map(unitOf),
		start,
		except: common,
		initialGuess: (component, experiment) => initialGuess(model, observations, component, experiment),
	});
	const kernels = new GridKernels(model, unknowns, common);
	return { model, experiments, unknowns, observations, compute, kernels, common };
}
