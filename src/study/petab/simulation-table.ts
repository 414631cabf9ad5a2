/** What a model says of each measurement of a PEtab problem, as the table that PEtab has for it. */
import type { PetabProblem } from "../../formats/petab/problem.ts";

export function simulationTable({ measurements }: PetabProblem, simulated: Float64Array): string {
	const timeText = (time: number): string => (time === Infinity ? "inf" : String(time));
	const rows = measurements.map(({ observable, before = "", condition, time, ...rest }, i) =>
		[
			observable,
			before,
			condition,
			timeText(time),
			simulated[i],
			rest.observableParameters.join(";"),
			rest.noiseParameters.join(";"),
		].join("\t"),
	);
	const head = [
		"observableId",
		"preequilibrationConditionId",
		"simulationConditionId",
		"time",
		"simulation",
		"observableParameters",
		"noiseParameters",
	];
	return `${[head.join("\t"), ...rows].join("\n")}\n`;
}
