/** The one likelihood at the answer of a run: its figures, the spreads that are found by it, and where sets hold these. */

import { spreadBoundDoubt } from "../../../estimate/judge/spread-bounds.ts";
import { type FoundErrors, heldSpreads, spreadRows } from "../../../estimate/observe/found-spreads.ts";
import type { Goodness } from "../../../estimate/observe/goodness.ts";
import { type Observations, observationsOf } from "../../../estimate/observe/observations.ts";
import { likelihoodAt } from "../../../estimate/observe/optimum.ts";
import type { Doubt, ParameterRow } from "../../../estimate/result.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import { residualsOf } from "../record/record-noise.ts";
import { isExplained } from "./explained.ts";

export interface FoundLikelihood {
	readonly goodness: Partial<Goodness>;
	readonly rows: readonly ParameterRow[];
	readonly doubts: readonly Doubt[];
}

/** `value`: what a simulation says of all samples; `nUnknowns`: how many were found from them, spreads apart. */
export function foundLikelihood(
	observations: Observations,
	value: Float64Array,
	nUnknowns: number,
): FoundLikelihood {
	if (!value.every(Number.isFinite)) return { goodness: {}, rows: [], doubts: [] };
	const errors = observations.values.map((y, i) => y - value[i]);
	const { spreads, goodness } = likelihoodAt(observations, nUnknowns, { value });
	const degrees = observations.nObservations - nUnknowns;
	return { goodness, ...foundSpreads({ observations, errors, spreads, degrees }, nUnknowns) };
}

function foundSpreads(found: FoundErrors, nUnknowns: number): Omit<FoundLikelihood, "goodness"> {
	return { rows: spreadRows(found), doubts: spreadBoundDoubt(heldSpreads(found), nUnknowns) };
}

/** Of the answer simulated from its own start; where that leaves the record the series tells how large the noise is. */
export function likelihoodOf(run: PeriodicRun): FoundLikelihood {
	const {
		question: { model, record, t, y },
		problem,
		simulated,
		natural,
	} = run;
	const observations = observationsOf(model, problem.train);
	const found = [...natural!.params, ...natural!.initial].filter(({ from }) => from !== "held").length;
	const value = simulated?.outcome === "converged" ? simulated.y : y.map(() => Number.NaN);
	const likelihood = foundLikelihood(observations, value, found);
	if (isExplained(run)) return run.role === "alone" ? likelihood : { ...likelihood, doubts: [] };
	const rest = residualsOf(t, y, record.series);
	const [{ spread }] = observations.groups;
	const noise = Math.sqrt(record.variance);
	const { perParam: unit = 1, lo, hi } = spread.kind === "common" ? spread : { lo: 0, hi: noise };
	const spreads = y.map(() => unit * Math.min(Math.max(noise / unit, lo), hi));
	const { degrees } = record.noise;
	const { rows } = foundSpreads({ observations, errors: rest, spreads, degrees }, found);
	return { goodness: likelihood.goodness, rows, doubts: [] };
}
