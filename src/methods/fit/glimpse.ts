/** What is to be seen of a fit on the way: all starts as they close in. */
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import type { FitRun } from "./fit-run.ts";

export function glimpse({ search }: FitRun): Glimpse {
	if (!search) return nothingSeen;
	const several = search.machines.length > 1;
	return {
		figures: [],
		levels: {
			name: "closing-in",
			title: several ? "The fits of all starts close in" : "The fit closes in",
			yLabel: "sum of squares, power of ten",
			values: search.machines.map(({ cost }) => Math.log10(cost)),
		},
	};
}
