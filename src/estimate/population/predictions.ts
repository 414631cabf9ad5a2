/** Curves of each record of a population: at its own eta, or at the middle of the population where it was not learned from. */
import { normalQuantile975 } from "../../num/statistics/quantile.ts";
import { squared } from "../../num/whole-power.ts";
import type { Integration } from "../forward/estimation.ts";
import { forwardOf } from "../forward/forward-of.ts";
import { denserObservations } from "../observe/denser-observations.ts";
import { naturalPoint } from "../observe/likelihood.ts";
import { measuredOf } from "../predict/measured.ts";
import type { Prediction } from "../result.ts";
import { etaVariance } from "./individuals.ts";
import type { Mode } from "./modes.ts";
import type { PopulationProblem } from "./problem.ts";

const curvePoints = 400;

/** `modes`: one a unit of this problem; bands hold what is not known of eta, and the noise. */
export async function unitPredictions(
	problem: PopulationProblem,
	modes: readonly Mode[],
	integration: Integration,
	part: "train" | "test",
): Promise<Prediction[]> {
	const { unknowns, nShared, units } = problem;
	const n = unknowns.length;
	const predictions: Prediction[] = [];
	for (const [u, { estimation }] of units.entries()) {
		const display = denserObservations(estimation.observations, (times) =>
			Math.ceil(curvePoints / Math.max(times.length, 1)),
		);
		const natural = naturalPoint(unknowns, modes[u].z);
		const [{ value, jacobian, spread }] = await forwardOf(estimation, integration, display).evaluate(
			[natural],
			true,
		);
		const variance = etaVariance(jacobian!, n, nShared, modes[u]);
		display.groups.forEach((group, g) => {
			const back = (values: Float64Array): Float64Array => values.map(group.law.scale.fromCompared);
			const y = value.slice(group.from, group.to);
			const { law, spread: own } = group;
			const noiseOf = (k: number): number => {
				const sd = own.kind === "known" ? own.sd[k] : (spread?.[group.from + k] ?? 0);
				return law.isCount ? Math.sqrt(law.variance(y[k], sd)) : sd * law.widthOf(0.95);
			};
			const half = y.map(
				(_, k) => normalQuantile975 * Math.sqrt(variance[group.from + k] + squared(noiseOf(k))),
			);
			predictions.push({
				experiment: estimation.experiments[group.experiment].name,
				output: group.measure.name,
				part,
				t: group.t,
				y: back(y),
				lo: back(y.map((each, k) => each - half[k])),
				hi: back(y.map((each, k) => each + half[k])),
				data: measuredOf(estimation, estimation.observations.groups[g]),
			});
		});
	}
	return predictions;
}

/** Of units that were not learned from: the middle of the population, as uncertain as its spread. */
export function middleModes(
	problem: PopulationProblem,
	shared: Float64Array,
	known: ReadonlyMap<string, Mode>,
): Mode[] {
	const { unknowns, nShared, units } = problem;
	const q = unknowns.length - nShared;
	return units.map(({ name }) => {
		const own = known.get(name);
		if (own) return own;
		const z = new Float64Array(unknowns.length);
		z.set(shared);
		const information = new Float64Array(q * q);
		for (let k = 0; k < q; k++) information[k * q + k] = 1;
		const misfit = { residual: new Float64Array(), jacobian: new Float64Array(), cost: 0, unit: 1 };
		return { z, cost: 0, information, misfit, marginal: 0 };
	});
}
