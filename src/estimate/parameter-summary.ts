/** Rows of parameters as summary.json has them: an interval is lo, hi and the share of cases in which it holds the truth. */
import type { ParameterRow } from "./result.ts";

export interface ParameterSummary {
	readonly estimate: number;
	/** Absent where the data give no standard error or no end of the interval. */
	readonly sd?: number;
	readonly lo?: number;
	readonly hi?: number;
	readonly level?: number;
	readonly verdict?: string;
}

export function parameterSummary(
	rows: readonly ParameterRow[],
	level: number,
): Record<string, ParameterSummary> {
	return Object.fromEntries(
		rows.map(({ name, estimate, sd, lo, hi, verdict }) => [
			name,
			{ estimate, sd, ...(lo === undefined ? {} : { lo, hi, level }), verdict },
		]),
	);
}
