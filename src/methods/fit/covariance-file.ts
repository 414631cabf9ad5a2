/** The covariance of the estimates as a table: a row and a column for each, in natural units. */
import { fromSearch } from "../../estimate/unknowns/unknowns.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";

export function covarianceFile(run: FitRun): { name: string; content: string }[] {
	const {
		noise,
		variance,
		covariance: { matrix },
	} = errorsOf(run);
	if (noise === undefined) return [];
	const { unknowns } = run.estimation;
	const n = unknowns.length;
	// d theta / d z is theta itself on a logarithmic scale.
	const slopes = unknowns.map((unknown, i) =>
		unknown.scale === "log" ? fromSearch(unknown, run.best[i]) : 1,
	);
	const quoted = (name: string): string => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
	const rows = unknowns.map(({ name }, i) =>
		[quoted(name), ...slopes.map((slope, j) => slopes[i] * slope * variance * matrix[i * n + j])].join(","),
	);
	const head = ["name", ...unknowns.map(({ name }) => quoted(name))].join(",");
	return [{ name: "covariance.csv", content: `${[head, ...rows].join("\n")}\n` }];
}
