/** Runs side by side: one row a parameter, one cell a run. */
import { formatInterval, formatRms, formatWithUncertainty } from "../../src/report/index.ts";
import type { Finished } from "../contract.ts";

export interface ComparisonRow {
	readonly name: string;
	readonly cells: readonly string[];
}

export function comparison(runs: readonly Finished[]): ComparisonRow[] {
	const names = [...new Set(runs.flatMap(({ result }) => result.parameters.map(({ name }) => name)))];
	const rows = names.map(
		(name): ComparisonRow => ({
			name,
			cells: runs.map(({ result }) => {
				const row = result.parameters.find((each) => each.name === name);
				if (!row) return "";
				if (row.sd === undefined && row.lo !== undefined && row.hi !== undefined)
					return formatInterval(row.lo, row.hi);
				return formatWithUncertainty(row.estimate, row.sd);
			}),
		}),
	);
	for (const part of ["train", "test"] as const) {
		const outputs = [...new Set(runs.flatMap(({ rmse }) => Object.keys(rmse[part])))];
		for (const output of outputs)
			rows.push({
				name: `RMSE of the prediction of ${output}, ${part === "train" ? "training" : "test"}`,
				cells: runs.map(({ rmse }) => (output in rmse[part] ? formatRms(rmse[part][output]) : "")),
			});
	}
	return rows;
}
