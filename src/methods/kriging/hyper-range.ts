/**
 * What the data leave open of the hyperparameters of a field. The best ones are often far too sure of the field outside
 * its data: a record that shows no third-order term says that there is little of it here, not that there is none. So errors
 * are computed with the largest variances (and the shortest lengths) that the likelihood does not speak against.
 *
 * Each is moved by itself until the log-likelihood falls by `fall`: a signed root of the likelihood ratio.
 */
import { fieldCriterion, lengths } from "./field-hyper.ts";
import type { LearnedField } from "./learned-field.ts";
import type { Criterion } from "./likelihood.ts";
import { varianceOf } from "./time-hyper.ts";

/** The fall beyond which one true value in two hundred lies: others trade places with the one that is moved. */
const fall = 3.32;
/** Farthest factor, and how closely the end is found. */
const farthest = 2 ** 32;
const closeness = 1.1;

/** Each hyperparameter at its end; no variance gets larger than the function itself varies over its data. */
export function widestHyper(field: LearnedField, criterion: Criterion): Float64Array {
	const { design, data, hyper } = field;
	const value = fieldCriterion(design, data, criterion);
	const limit = value(hyper) + fall;
	const isLength = lengths(design);
	const seen = variances(field);
	return hyper.map((own, i) => {
		const moved = (factor: number): Float64Array =>
			hyper.map((each, j) => (j !== i ? each : isLength[i] ? each / factor : each * factor));
		const fn = design.functions.findIndex((_, f) => i < design.hyperStart[f + 1]);
		const isVariance = design.functions[fn].covariance.hyperNames[i - design.hyperStart[fn]].startsWith("v");
		const most = isVariance ? Math.max(seen[fn] / own, 1) : farthest;
		let lo = 1;
		let hi = Math.min(16, most);
		while (value(moved(hi)) < limit) {
			lo = hi;
			if (hi === most) break;
			hi = Math.min(16 * hi, most);
		}
		while (hi > closeness * lo) {
			const middle = Math.sqrt(lo * hi);
			if (value(moved(middle)) < limit) lo = middle;
			else hi = middle;
		}
		return isLength[i] ? own / lo : own * lo;
	});
}

/** How much each function varies over its data. */
function variances({ design, data, functions }: LearnedField): number[] {
	return design.functions.map(({ scale, centre }, of) => {
		const values = data.sites
			.filter((site) => site.of === of)
			.map(({ x }) => functions[of].value(x.map((value, a) => value * scale[a] + centre[a])));
		return varianceOf(values);
	});
}
