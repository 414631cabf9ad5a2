/** Does a fit explain the data within the errors that the model declares? */

import type { ResidualSeries } from "../../estimate/judge/series.ts";
import { isLarger, strangeSizes } from "../../estimate/judge/size.ts";
import { deviationPerSpread, sampleLaw } from "../../estimate/law/declared.ts";
import type { Result } from "../../estimate/result.ts";
import { constantValue } from "../../model/constant.ts";
import type { Model } from "../../model/model.ts";

export interface Explained {
	/** Sum of squared residuals in units of the declared spread, and how many there are. */
	readonly squares: number;
	readonly count: number;
	/** Outputs whose residuals are larger than declared, the worst first. */
	readonly strange: readonly string[];
}

export function explainedBy(model: Model, { predictions, parameters }: Result): Explained {
	const series = predictions.flatMap(({ part, experiment, output, t, y, data }): ResidualSeries[] => {
		const measure = model.measures.find(({ name }) => name === output);
		const size = measure?.spread ? deviationPerSpread(measure) * constantValue(measure.spread) : Number.NaN;
		if (part !== "train" || !data || !(size > 0)) return [];
		const { toCompared } = sampleLaw(measure!).scale;
		let at = 0;
		const residual = data.t.map((time, i) => {
			while (t[at] < time) at++;
			return (toCompared(data.y[i]) - toCompared(y[at])) / size;
		});
		const noise = measure!.kind === "set" ? "bound" : "declared";
		return [{ experiment, output, t: data.t, observed: data.y, residual, noise }];
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
