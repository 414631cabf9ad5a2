/** Records simulated from known weights, with noise: for the design study, the paper's examples and the statistics. */

import type { Compute } from "../../../compute/compute.ts";
import type { Experiment, Series } from "../../../data/experiment.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import { stream } from "../../../num/random.ts";
import type { Candidates } from "../candidates/candidates.ts";
import { settingOf, WeightForward } from "../forward/weight-forward.ts";

export interface SimulationSpec {
	readonly candidates: Candidates;
	/** Weights, then unknown initial values, experiment by experiment. */
	readonly point: Float64Array;
	/** Records whose times, inputs and conditions are taken; their samples are not. */
	readonly experiments: readonly Experiment[];
	readonly substeps: number;
	/** Standard deviation of the noise of each output of each experiment. */
	noise(output: string, experiment: number, clean: Float64Array): number;
	readonly seed: number;
	readonly compute: Compute;
}

export async function simulatedRecords(spec: SimulationSpec): Promise<Experiment[]> {
	const { candidates, experiments, seed } = spec;
	const observations = observationsOf(candidates.model, experiments);
	const setting = settingOf(candidates, experiments, observations, {}, spec.compute);
	const [{ value }] = await new WeightForward(setting, spec.substeps).evaluate([spec.point], false);
	return experiments.map((experiment, e) => ({
		...experiment,
		outputs: new Map(
			observations.groups
				.filter((group) => group.experiment === e)
				.map(({ measure, from, to, t }): [string, Series] => {
					const clean = value.slice(from, to);
					const sd = spec.noise(measure.name, e, clean);
					const random = stream(seed, `noise of ${measure.name} in ${e}`);
					const noisy = clean.map((y, k) => y + (sd === 0 ? 0 : sd * random.normal(k)));
					const values = noisy.map(sampleLaw(measure).scale.fromCompared);
					return [measure.name, { times: t, values, rows: Int32Array.from(t.keys()) }];
				}),
		),
	}));
}

/** A record with given times whose samples are still to be simulated. */
export function emptyRecord(
	name: string,
	times: Float64Array,
	outputs: readonly string[],
	conditions: Readonly<Record<string, number>>,
): Experiment {
	const rows = Int32Array.from(times.keys());
	return {
		name,
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map(
			outputs.map((output): [string, Series] => [
				output,
				{ times, values: new Float64Array(times.length).fill(1), rows },
			]),
		),
		conditions: { ...conditions },
		removed: {},
	};
}

/** Times 0, step, … up to the end. */
export function regularTimes(end: number, step: number): Float64Array {
	return Float64Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
}
