/** Rows of parameters as summary.json has them: an interval is lo, hi and the share of cases in which it holds the truth. */
import type { ParameterRow } from "./result.ts";

export function parameterSummary(rows: readonly ParameterRow[], level: number): Record<string, unknown> {
	return Object.fromEntries(
		rows.map(({ name, estimate, sd, lo, hi, verdict }) => [
			name,
			{ estimate, sd, ...(lo === undefined ? {} : { lo, hi, level }), verdict },
		]),
	);
}
