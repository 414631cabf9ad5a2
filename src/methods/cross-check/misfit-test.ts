/** Does a fit explain the data within the errors that the model declares? */

import type { Result } from "../../estimate/result.ts";
import { constantValue } from "../../model/constant.ts";
import type { Measure, Model } from "../../model/model.ts";

/** Standard deviations of the sum of squares beyond which the residuals are too large. */
const tooLarge = 4;

export interface Explained {
	/** Sum of squared residuals in units of the declared spread, and how many there are. */
	readonly squares: number;
	readonly count: number;
	/** Outputs whose residuals are larger than declared, the worst first. */
	readonly strange: readonly string[];
}

/** Standard deviation of an error as declared; of one that is even between bounds: b/√3. */
function deviationOf({ kind, spread }: Measure): number {
	const size = spread ? constantValue(spread) : Number.NaN;
	return kind === "set" ? size / Math.sqrt(3) : size;
}

export function explainedBy(model: Model, { predictions }: Result): Explained {
	const spread = new Map(model.measures.map((measure) => [measure.name, measure]));
	const byOutput = new Map<string, { squares: number; count: number }>();
	for (const { part, output, t, y, data } of predictions) {
		const measure = spread.get(output);
		const size = measure ? deviationOf(measure) : Number.NaN;
		if (part !== "train" || !data || !(size > 0)) continue;
		const sums = byOutput.get(output) ?? { squares: 0, count: 0 };
		let at = 0;
		data.t.forEach((time, i) => {
			while (t[at] < time) at++;
			const residual = (data.y[i] - y[at]) / size;
			sums.squares += residual * residual;
			sums.count++;
		});
		byOutput.set(output, sums);
	}
	const all = [...byOutput].map(([output, sums]) => ({
		output,
		...sums,
		// The best fit may pass a bound at some samples though other values keep it at all; on the whole it must not.
		strange:
			sums.squares >
			(spread.get(output)!.kind === "set"
				? 3 * sums.count
				: sums.count + tooLarge * Math.sqrt(2 * sums.count)),
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
