/** What is to be seen of a fit on the way: all starts as they close in. */
import { costKind, type LikelihoodProblem } from "../../estimate/observe/likelihood.ts";
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import { log } from "../../num/elementary/number.ts";
import type { FitRun } from "./fit-run.ts";

export function glimpse(run: FitRun): Glimpse {
	const search = run.search ?? run.starting.short?.whole;
	const { hops } = run.starting;
	if (hops) return levels(hops.problem, hops.members);
	if (!search) return nothingSeen;
	return levels(search.problem, search.machines);
}

function levels(problem: LikelihoodProblem, points: readonly { readonly cost: number }[]): Glimpse {
	const several = points.length > 1;
	const isLogarithm = costKind(problem) === "logarithm";
	return {
		figures: [],
		levels: {
			name: "closing-in",
			title: several ? "The fits of all starts close in" : "The fit closes in",
			yLabel: isLogarithm ? "minus log-likelihood" : "sum of squares, power of ten",
			values: points.map(({ cost }) => (isLogarithm ? cost : log(cost) / Math.LN10)),
		},
	};
}
