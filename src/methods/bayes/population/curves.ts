/** Curves of each record over the posterior of a population, with what is not known of its parameters and the noise. */
import type { Integration } from "../../../estimate/forward/estimation.ts";
import { forwardOf } from "../../../estimate/forward/forward-of.ts";
import { denserObservations } from "../../../estimate/observe/denser-observations.ts";
import { naturalPoint } from "../../../estimate/observe/likelihood.ts";
import type { PopulationProblem } from "../../../estimate/population/problem.ts";
import { measuredOf } from "../../../estimate/predict/measured.ts";
import type { Prediction } from "../../../estimate/result.ts";
import { stream } from "../../../num/random.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";

export interface CurveDraws {
	/** What was learned from. */
	readonly population: PopulationProblem;
	readonly points: readonly (readonly number[])[];
	readonly etas: readonly (readonly number[])[];
	readonly integration: Integration;
	readonly seed: number;
}

const curvePoints = 200;

/** `shown`: the units to show; those that were not learned from draw an eta of their own. */
export async function populationCurves(
	{ population, points, etas, integration, seed }: CurveDraws,
	shown: PopulationProblem,
	part: "train" | "test",
	count: number,
): Promise<Prediction[]> {
	const { unknowns, nShared, units } = shown;
	const q = unknowns.length - nShared;
	const step = points.length / count;
	const predictions: Prediction[] = [];
	for (const { name, estimation } of units) {
		const u = population.units.findIndex((unit) => unit.name === name);
		const random = stream(seed, `eta of ${name}`);
		const lanes = Array.from({ length: count }, (_, k) => {
			const b = Math.floor(k * step);
			const eta =
				u < 0
					? Array.from({ length: q }, (_, i) => random.normal(k * q + i))
					: etas[b].slice(u * q, (u + 1) * q);
			return naturalPoint(unknowns, Float64Array.of(...points[b], ...eta));
		});
		const display = denserObservations(estimation.observations, (times) =>
			Math.ceil(curvePoints / Math.max(times.length, 1)),
		);
		const evaluations = await forwardOf(estimation, integration, display).evaluate(lanes, false);
		display.groups.forEach((group, g) => {
			const { law, spread: own } = group;
			const length = group.to - group.from;
			const mean = new Float64Array(length);
			const variance = new Float64Array(length);
			for (let k = 0; k < length; k++) {
				const i = group.from + k;
				for (const { value } of evaluations) mean[k] += value[i] / count;
				for (const { value, spread } of evaluations) {
					const sd = own.kind === "known" ? own.sd[k] : (spread?.[i] ?? 0);
					const noise = law.isCount ? law.variance(value[i], sd) : squared(sd * law.widthOf(0.95));
					variance[k] += (squared(value[i] - mean[k]) + noise) / count;
				}
			}
			const back = (values: Float64Array): Float64Array => values.map(law.scale.fromCompared);
			predictions.push({
				experiment: estimation.experiments[group.experiment].name,
				output: group.measure.name,
				part,
				t: group.t,
				y: back(mean),
				lo: back(mean.map((each, k) => each - normalQuantile975 * Math.sqrt(variance[k]))),
				hi: back(mean.map((each, k) => each + normalQuantile975 * Math.sqrt(variance[k]))),
				data: measuredOf(estimation, estimation.observations.groups[g]),
			});
		});
	}
	return predictions;
}
