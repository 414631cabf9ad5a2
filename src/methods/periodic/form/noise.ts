/** What of declared noise keeps a model out: the integrals take all samples alike, with normal errors. */

import { InputError } from "../../../errors.ts";
import { list } from "../../../estimate/judge/words.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { declaredSpreads } from "../../../estimate/observe/declared-spreads.ts";
import { commonSpreads } from "../../../estimate/observe/spread.ts";
import type { Measure, Model } from "../../../model/model.ts";
import { toPlain } from "../../../model/print/expression.ts";
import { symbolsOf } from "../../../model/walk.ts";
import type { Problem } from "../../problem.ts";
import type { Refusal } from "./form.ts";

const takes = "Use  method: fit  or  method: bayes, which take it.";

/** The model must be without combinations and formula inputs. */
export function noiseRefusal(model: Model): Refusal | undefined {
	const common = commonSpreads(model);
	for (const measure of model.measures) {
		const problem = lawProblem(measure) ?? spreadProblem(model, measure, common);
		if (problem) return { subject: `measure ${measure.name}`, problem, remedy: takes };
	}
	return undefined;
}

function lawProblem(measure: Measure): string | undefined {
	const { isNormal, isCount, scale } = sampleLaw(measure);
	if (isCount) return `is a count (${measure.family}), and periodic takes normal errors only`;
	if (!isNormal || scale.isLog)
		return `has errors that are ${measure.family}, and periodic takes normal errors only`;
	if (measure.rounded) return "is rounded, and periodic takes samples as they are";
	if (measure.correlated)
		return "has errors that are declared as correlated, and periodic takes from the record how fast noise is forgotten";
	return undefined;
}

function spreadProblem(
	{ components, params }: Model,
	{ spread }: Measure,
	common: ReadonlySet<string>,
): string | undefined {
	if (!spread) return undefined;
	const symbols = [...symbolsOf([spread])];
	const changing = symbols.filter((name) => name === "t" || components.includes(name));
	const found = params.flatMap(({ name, knowledge }) =>
		knowledge.kind !== "exact" && symbols.includes(name) && !common.has(name) ? [name] : [],
	);
	if (changing.length > 0)
		return `has a spread, ${toPlain(spread)}, that changes with ${list(changing)}, and periodic takes one that is the same at all samples`;
	if (found.length > 0)
		return `has a spread, ${toPlain(spread)}, that is an expression of the unknown ${list(found)}, and periodic finds one that is a parameter alone, like  normal(x, s), or a number times it`;
	return undefined;
}

/** A spread in a column has to be the same at all samples of a record. */
export function refuseUneven({ model, train }: Problem): void {
	for (const measure of model.measures)
		for (const experiment of train) {
			const { times = [] } = experiment.outputs.get(measure.name) ?? {};
			const sd = declaredSpreads(model, measure, experiment, times);
			if (!sd || sd.every((each) => each === sd[0])) continue;
			throw new InputError(
				`measure ${measure.name}`,
				`has a spread that changes from sample to sample of ${experiment.name}, and periodic takes one that is the same at all of them`,
				takes,
			);
		}
}
