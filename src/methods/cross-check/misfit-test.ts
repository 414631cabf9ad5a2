/** Does a fit explain the data within the errors that the model declares? */
import { constantValue } from "../../model/constant.ts";
import type { Model } from "../../model/model.ts";
import type { Result } from "../result.ts";

/** Standard deviations of the sum of squares beyond which the residuals are too large. */
const tooLarge = 4;

export interface Explained {
	/** Sum of squared residuals in units of the declared spread, and how many there are. */
	readonly squares: number;
	readonly count: number;
	/** Outputs whose residuals are larger than declared, the worst first. */
	readonly strange: readonly string[];
}

export function explainedBy(model: Model, { predictions }: Result): Explained {
	const spread = new Map(model.measures.map((measure) => [measure.name, measure]));
	const byOutput = new Map<string, { squares: number; count: number; beyond: number }>();
	for (const { part, output, t, y, data } of predictions) {
		const measure = spread.get(output);
		const size = measure?.spread ? constantValue(measure.spread) : Number.NaN;
		if (part !== "train" || !data || !(size > 0)) continue;
		const sums = byOutput.get(output) ?? { squares: 0, count: 0, beyond: 0 };
		let at = 0;
		data.t.forEach((time, i) => {
			while (t[at] < time) at++;
			const residual = (data.y[i] - y[at]) / size;
			sums.squares += residual * residual;
			sums.count++;
			// An error that may be as large as its bound must not be larger.
			if (measure!.kind === "set" && Math.abs(residual) > 1) sums.beyond++;
		});
		byOutput.set(output, sums);
	}
	const all = [...byOutput].map(([output, sums]) => ({
		output,
		...sums,
		strange:
			sums.beyond > 0 ||
			(spread.get(output)!.kind === "distribution" &&
				sums.squares > sums.count + tooLarge * Math.sqrt(2 * sums.count)),
	}));
	return {
		squares: all.reduce((sum, { squares }) => sum + squares, 0),
		count: all.reduce((sum, { count }) => sum + count, 0),
		strange: all
			.filter(({ strange }) => strange)
			.sort((a, b) => b.squares / b.count - a.squares / a.count)
			.map(({ output }) => output),
	};
}
