import type { Likelihood } from "./likelihood.ts";
import { logPriors, naturalValues } from "./unknowns.ts";

/** Log density of prior times likelihood at points in sampled coordinates (columns of n). */
export async function logPosterior(
	likelihood: Likelihood,
	z: Float64Array,
	n: number,
): Promise<Float64Array> {
	const { unknowns } = likelihood;
	const logLik = await likelihood.logLikelihoods(naturalValues(unknowns, z, n), n);
	return logPriors(unknowns, z, n).map((value, b) => value + logLik[b]);
}
