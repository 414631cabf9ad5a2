/**
 * Sizes of functions as they are expected given the data, in place of the most likely ones. Where the records are near to their
 * trend, likelihood is highest at no variation at all and says nothing of how much there could be between them; and lengths
 * that a record hardly tells apart do not say the same of what lies beside it.
 *
 * Each function in turn is one of its parts alone (a length, each as likely as the others), of a size σ whose law is weak: flat
 * below what would explain all contrasts and falling like 1/σ² above. Its variances become their means over all of these, weighed
 * by likelihood. The error of a linear predictor is linear in the variances: under variances that are themselves
 * uncertain, the best one and its error are those of their means.
 *
 * Reference: Gelman, "Prior distributions for variance parameters in hierarchical models", Bayesian Analysis 1, 2006.
 */
import { exp, log } from "../../../num/elementary/number.ts";
import { normalisedWeights } from "../../../num/statistics/log-weights.ts";
import type { FieldDesign } from "./field-design.ts";
import { type FieldData, lengths } from "./field-hyper.ts";
import { logLikelihoodBySize, PartLikelihood } from "./part-likelihood.ts";

/** Variances that are tried, in units of what would explain all contrasts: evenly by their logarithms, rising. */
const sizes = Array.from({ length: 28 }, (_, k) => exp(0.7 * k - 13.9));
/** A part that has less than this of a function's variance is not worth its time. */
const negligible = 1e-10;

/** From hyperparameters that were found: lengths that are free stay as they are. */
export function* expectedSizes(
	design: FieldDesign,
	data: FieldData,
	from: Float64Array,
): Generator<void, Float64Array> {
	const likelihood = new PartLikelihood(design, data);
	const isLength = lengths(design);
	const hyper = from.slice();
	for (const fn of design.functions.keys()) {
		const own = Array.from(
			{ length: design.hyperStart[fn + 1] - design.hyperStart[fn] },
			(_, k) => design.hyperStart[fn] + k,
		).filter((i) => !isLength[i]);
		const beside = likelihood.beside(fn, hyper);
		// Nothing can be said where the covariance is not definite.
		if (!beside) continue;
		const tried: { readonly part: number; readonly size: number; readonly logWeight: number }[] = [];
		for (const part of own) {
			const columns = yield* likelihood.columns(fn, part, hyper);
			const { trace } = columns;
			const unit = trace > 0 ? (likelihood.variance * likelihood.size) / trace : likelihood.variance;
			const logLikelihood = logLikelihoodBySize(beside, columns);
			for (const size of sizes) {
				const logWeight = log(size) / 2 - log(1 + size) + logLikelihood(unit * size);
				tried.push({ part, size: unit * size, logWeight });
			}
			yield;
		}
		const weights = normalisedWeights(tried.map(({ logWeight }) => logWeight));
		const mean = new Float64Array(design.nHyper);
		tried.forEach(({ part, size }, k) => {
			mean[part] += weights[k] * size;
		});
		const most = mean.reduce((a, b) => Math.max(a, b), 0);
		if (!(most > 0)) continue;
		for (const i of own) hyper[i] = mean[i] > negligible * most ? mean[i] : 0;
	}
	return hyper;
}
