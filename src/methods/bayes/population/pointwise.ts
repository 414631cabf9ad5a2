/** Each sample of a population under each draw: given what its record has of its own. */
import type { Experiment } from "../../../data/experiment.ts";
import type { Integration } from "../../../estimate/forward/estimation.ts";
import { forwardOf } from "../../../estimate/forward/forward-of.ts";
import { Instrument } from "../../../estimate/observe/instrument.ts";
import { naturalPoint } from "../../../estimate/observe/likelihood.ts";
import { conditionInto } from "../../../estimate/observe/memory.ts";
import type { OutputGroup } from "../../../estimate/observe/observations.ts";
import { isBetween, sampleTerm } from "../../../estimate/observe/sample-terms.ts";
import type { PopulationProblem } from "../../../estimate/population/problem.ts";
import { stream } from "../../../num/random.ts";
import type { PointwiseSample } from "../answer/pointwise.ts";
import type { PopulationDraws } from "./population-bayes.ts";

/** `experiments`: all records, in the order in which samples name them. */
export async function populationPointwise(
	{ units, unknowns, nShared }: PopulationProblem,
	experiments: readonly Experiment[],
	{ points, etas }: PopulationDraws,
	integration: Integration,
	seed: number,
): Promise<PointwiseSample[]> {
	const q = unknowns.length - nShared;
	const n = points.length;
	const place = new Map(unknowns.map(({ name }, i) => [name, i]));
	const samples: PointwiseSample[] = [];
	for (const [u, { estimation }] of units.entries()) {
		const lanes = points.map((point, b) =>
			naturalPoint(unknowns, Float64Array.of(...point, ...etas[b].slice(u * q, (u + 1) * q))),
		);
		// Values and spreads of samples by themselves: what is remembered comes afterwards.
		const { observations } = estimation;
		const plain = { ...observations, groups: observations.groups.map(({ memory: _, ...group }) => group) };
		const evaluations = await forwardOf(estimation, integration, plain).evaluate(lanes, false);
		for (const group of observations.groups) {
			const { from, to, spread: declared, memory } = group;
			const values = evaluations.map(({ value }) => value.slice(from, to));
			const spreads = evaluations.map(({ spread }) =>
				declared.kind === "known" ? declared.sd.slice() : spread!.slice(from, to),
			);
			const times = memory && lanes.map((lane) => memory.time((name) => lane[place.get(name)!]));
			const experiment = experiments.indexOf(estimation.experiments[group.experiment]);
			const shown = replicas(group, values, spreads, times, seed, experiment);
			if (times) for (let b = 0; b < n; b++) conditionInto(group, times[b], values[b], spreads[b]);
			for (const [k, y] of group.observed.entries()) {
				const term = sampleTerm(group, k);
				const isKnown = !isBetween(group, k);
				const slope = isKnown ? group.law.scale.logSlope(y) : 0;
				samples.push({
					experiment,
					output: group.index,
					instant: group.gridIndex[k],
					observed: group.law.scale.fromCompared(y),
					isKnown,
					logLik: Float64Array.from(values, (value, b) => term(value[k], spreads[b][k]) + slope),
					replicated: shown[k],
				});
			}
		}
	}
	return samples;
}

/** What might have been measured, by sample and draw. */
function replicas(
	{ measure, index, t, gridIndex }: OutputGroup,
	values: readonly Float64Array[],
	spreads: readonly Float64Array[],
	times: readonly number[] | undefined,
	seed: number,
	experiment: number,
): Float64Array[] {
	const instrument = new Instrument(measure);
	const past = times && {
		time: Float64Array.from(times),
		error: new Float64Array(times.length),
		t: Number.NaN,
	};
	return Array.from(t, (now, k) => {
		const random = stream(seed, `replicate ${experiment} ${index} ${gridIndex[k]}`);
		return Float64Array.from(values, (value, b) =>
			instrument.shown(random, b, value[k], spreads[b][k], past, b, now),
		);
	});
}
