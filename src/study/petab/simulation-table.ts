/** What a model says of each measurement of a PEtab problem, as the table that PEtab has for it. */
import type { PetabMeasurement, PetabProblem } from "../../formats/petab/problem.ts";

export function simulationTable(problem: PetabProblem, simulated: Float64Array): string {
	const { measurements, experiments, models, version } = problem;
	const timeText = (time: number): string => (time === Number.POSITIVE_INFINITY ? "inf" : String(time));
	const places = (each: PetabMeasurement): string[] => {
		if (version === 2) return models.size > 1 ? [each.model, each.experiment] : [each.experiment];
		const { periods } = experiments.get(each.experiment)!;
		return [periods.length > 1 ? periods[0].conditions[0] : "", periods.at(-1)!.conditions[0]];
	};
	const placeNames =
		version === 1
			? ["preequilibrationConditionId", "simulationConditionId"]
			: models.size > 1
				? ["modelId", "experimentId"]
				: ["experimentId"];
	const rows = measurements.map((each, i) =>
		[
			each.observable,
			...places(each),
			timeText(each.time),
			simulated[i],
			each.observableParameters.join(";"),
			each.noiseParameters.join(";"),
		].join("\t"),
	);
	const head = [
		"observableId",
		...placeNames,
		"time",
		"simulation",
		"observableParameters",
		"noiseParameters",
	];
	return `${[head.join("\t"), ...rows].join("\n")}\n`;
}
