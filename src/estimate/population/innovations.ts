/**
 * Residuals of a population as the judge reads them. Those at a unit's own eta are shrunk, and by the curves that eta bends resemble one
 * another. Where eta was not known beforehand, and outputs are straight in it near its mode, what is new in each sample beside
 * those before it is independent and of unit size: the weighted residuals of pharmacometrics, in the order of time.
 *
 * Reference: [hooker2007].
 */
import type { Model } from "../../model/model.ts";
import { dependenceDoubt, dependences } from "../judge/independence.ts";
import { outlierDoubt } from "../judge/outliers.ts";
import { poorFitDoubt } from "../judge/poor-fit.ts";
import { type ResidualSeries, seriesOf } from "../judge/series.ts";
import { sizeDoubts, strangeSizes } from "../judge/size.ts";
import { optimumAt } from "../observe/optimum.ts";
import type { Prediction, Remark } from "../result.ts";
import type { Marginal, MarginalLikelihood } from "./marginal.ts";
import type { Mode } from "./modes.ts";

export async function innovationSeries(
	likelihood: MarginalLikelihood,
	{ modes }: Pick<Marginal, "modes">,
): Promise<ResidualSeries[]> {
	const { units, nShared } = likelihood.problem;
	const found = await Promise.all(
		units.map(async ({ estimation }, u) => {
			const { errors } = await optimumAt(likelihood.likelihood(u), modes[u].z);
			const { groups } = estimation.observations;
			const whiten = new Whitening(modes[u], nShared);
			return seriesOf(groups, errors, estimation.experiments, { jacobian: "unknown" }).map((each, g) => ({
				...each,
				residual: whiten.next(each.residual, groups[g].from),
			}));
		}),
	);
	return found.flat();
}

/** What the records of a population say against the answer. */
export function misfitRemarks(
	series: readonly ResidualSeries[],
	nShared: number,
	predictions: readonly Prediction[],
	model: Model,
): Remark[] {
	const uses = "What is said of the population rests on the noise being as the model has it.";
	return [
		...outlierDoubt(series, nShared),
		...poorFitDoubt(
			predictions,
			series,
			nShared,
			"The equations lack something (doses that the study does not name, perhaps), or the answer is a wrong one. Try other starting points (set:) or another model.",
		),
		...sizeDoubts(strangeSizes(series, nShared), { larger: uses, smaller: uses }),
		...dependenceDoubt(dependences(series, nShared), { model }),
	];
}

/** Of errors r = e - Jη with e and η of unit size, sample by sample: what is known of η grows. */
class Whitening {
	readonly #mean: Float64Array;
	readonly #covariance: Float64Array;

	constructor(
		readonly mode: Mode,
		readonly nShared: number,
	) {
		const q = mode.z.length - nShared;
		this.#mean = new Float64Array(q);
		this.#covariance = Float64Array.from({ length: q * q }, (_, k) => (k % (q + 1) === 0 ? 1 : 0));
	}

	/** Errors at the mode, whose rows stand from `from` on. */
	next(errors: Float64Array, from: number): Float64Array {
		const { z, misfit } = this.mode;
		const n = z.length;
		const eta = z.subarray(this.nShared);
		return errors.map((error, i) => {
			const row = (from + i) * n;
			const slope = misfit.jacobian.subarray(row + this.nShared, row + n);
			const innovation = error + slope.reduce((sum, each, k) => sum + each * (this.#mean[k] - eta[k]), 0);
			return innovation / Math.sqrt(this.#learn(slope, innovation));
		});
	}

	/** The variance of what was new. */
	#learn(slope: Float64Array, innovation: number): number {
		const [mean, covariance] = [this.#mean, this.#covariance];
		const q = mean.length;
		const across = mean.map((_, i) => slope.reduce((sum, each, k) => sum + covariance[i * q + k] * each, 0));
		const variance = 1 + across.reduce((sum, each, k) => sum + each * slope[k], 0);
		for (let i = 0; i < q; i++) {
			mean[i] -= (across[i] / variance) * innovation;
			for (let j = 0; j < q; j++) covariance[i * q + j] -= (across[i] * across[j]) / variance;
		}
		return variance;
	}
}
