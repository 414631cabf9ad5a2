/** Does a fit explain the data within the errors that the model declares? */

import type { Experiment } from "../../data/experiment.ts";
import { type ResidualSeries, unitOf } from "../../estimate/judge/series.ts";
import { isLarger, strangeSizes } from "../../estimate/judge/size.ts";
import { sampleLaw } from "../../estimate/law/declared.ts";
import { declaredSpreads } from "../../estimate/observe/declared-spreads.ts";
import type { Result } from "../../estimate/result.ts";
import type { Model } from "../../model/model.ts";

export interface Explained {
	/** Sum of squared residuals in units of the declared spread, and how many there are. */
	readonly squares: number;
	readonly count: number;
	/** Outputs whose residuals are larger than declared, the worst first. */
	readonly strange: readonly string[];
}

export function explainedBy(
	model: Model,
	train: readonly Experiment[],
	{ predictions, parameters }: Result,
): Explained {
	const series = predictions.flatMap(({ part, experiment, output, t, y, data }): ResidualSeries[] => {
		const measure = model.measures.find(({ name }) => name === output);
		const record = train.find(({ name }) => name === experiment);
		if (part !== "train" || !data || !measure || !record) return [];
		const size = declaredSpreads(model, measure, record, data.t);
		if (!size) return [];
		const { toCompared } = sampleLaw(measure).scale;
		let at = 0;
		const residual = data.t.map((time, i) => {
			while (t[at] < time) at++;
			return (toCompared(data.y[i]) - toCompared(y[at])) / size[i];
		});
		return [{ experiment, output, t: data.t, observed: data.y, residual, noise: unitOf(measure) }];
	});
	const sum = (of: (each: ResidualSeries) => number): number =>
		series.reduce((total, each) => total + of(each), 0);
	return {
		squares: sum(({ residual }) => residual.reduce((own, r) => own + r * r, 0)),
		count: sum(({ residual }) => residual.length),
		strange: strangeSizes(series, parameters.length)
			.filter(isLarger)
			.map(({ output }) => output),
	};
}
