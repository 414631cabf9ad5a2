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
import { type FieldDesign, SplitFunctionals } from "./field-design.ts";
import { type FieldData, fieldObjective, lengths, unitHyper, unitParts } from "./field-hyper.ts";
import type { Criterion } from "./likelihood.ts";

/** Logarithms of variances that are tried, in units of what would explain all contrasts: evenly from the largest down. */
const largest = 5;
const step = 0.7;
const count = 28;
/** As good as nothing of a part, in the same units. */
const nothing = 1e-12;

/** From hyperparameters that were found: lengths that are free stay as they are. */
export function* expectedSizes(
	design: FieldDesign,
	data: FieldData,
	criterion: Criterion,
	from: Float64Array,
): Generator<void, Float64Array> {
	const split = new SplitFunctionals(design, data.sites, data.functionals);
	const parts = unitParts(split);
	const isLength = lengths(design);
	const unit = unitHyper(design, data, isLength, parts);
	const objective = fieldObjective(design, data, criterion, false, split, parts);
	const hyper = from.slice();
	for (const fn of design.functions.keys()) {
		const own = Array.from(
			{ length: design.hyperStart[fn + 1] - design.hyperStart[fn] },
			(_, k) => design.hyperStart[fn] + k,
		).filter((i) => !isLength[i]);
		const tried: { readonly part: number; readonly size: number; readonly logWeight: number }[] = [];
		for (const part of own)
			for (let k = 0; k < count; k++) {
				yield;
				const size = exp(largest - step * k);
				const z = hyper.map(log);
				for (const i of own) z[i] = log(unit[i] * (i === part ? size : nothing));
				tried.push({ part, size, logWeight: log(size) / 2 - log(1 + size) - objective(z).value });
			}
		const most = tried.reduce((best, { logWeight }) => Math.max(best, logWeight), Number.NEGATIVE_INFINITY);
		// Nothing can be said where the covariance is never definite.
		if (!Number.isFinite(most)) continue;
		const weights = tried.map(({ logWeight }) => exp(logWeight - most));
		const whole = weights.reduce((sum, weight) => sum + weight, 0);
		for (const i of own) {
			const mean = tried.reduce(
				(sum, { part, size }, k) => (part === i ? sum + (weights[k] / whole) * size : sum),
				0,
			);
			hyper[i] = unit[i] * Math.max(mean, nothing);
		}
	}
	return hyper;
}
