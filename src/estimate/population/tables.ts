/** Units of a population as tables and figures. */
import type { Figure } from "../figure.ts";
import type { Individual, PopulationSpread } from "./individuals.ts";
import type { PopulationProblem } from "./problem.ts";

export interface IndividualsSummary {
	/** By parameter: middle and spread of the population, where no condition moves them, and shrinkage. */
	readonly population: Readonly<Record<string, Omit<PopulationSpread, "name">>>;
	/** By record and parameter. */
	readonly individuals: Readonly<Record<string, Readonly<Record<string, { estimate: number; sd: number }>>>>;
}

export function individualsSummary(
	{ population }: PopulationProblem,
	spreads: readonly PopulationSpread[],
	individuals: readonly Individual[],
): IndividualsSummary {
	return {
		population: Object.fromEntries(spreads.map(({ name, ...rest }) => [name, rest])),
		individuals: Object.fromEntries(
			individuals.map(({ unit, parameters }) => [
				unit,
				Object.fromEntries(parameters.map(({ estimate, sd }, k) => [population[k].name, { estimate, sd }])),
			]),
		),
	};
}

/** One row a unit: value, standard error and eta of each parameter. */
export function individualsFile(
	{ population }: PopulationProblem,
	individuals: readonly Individual[],
): { name: string; content: string } {
	const quoted = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
	const head = ["record", ...population.flatMap(({ name }) => [name, `${name}.sd`, `${name}.eta`])];
	const rows = individuals.map(({ unit, parameters }) => [
		quoted(unit),
		...parameters.flatMap(({ estimate, sd, eta }) => [estimate, sd, eta]),
	]);
	return { name: "individuals.csv", content: `${[head, ...rows].map((row) => row.join(",")).join("\n")}\n` };
}

/** Each parameter over the units, with its standard error. */
export function individualFigures(
	{ population }: PopulationProblem,
	individuals: readonly Individual[],
): Figure[] {
	const places = individuals.map((_, i) => i);
	return population.map(({ name }, k): Figure => {
		const own = individuals.map(({ parameters }) => parameters[k]);
		return {
			name: `individual-${k}`,
			title: `${name} of each record`,
			caption: "the most likely value of each record with its standard error, drawn towards the others",
			xLabel: "record",
			yLabel: name,
			section: "sure",
			marks: [
				{
					type: "boxes",
					x0: places.map((i) => i - 0.15),
					x1: places.map((i) => i + 0.15),
					y0: own.map(({ estimate, sd }) => estimate - sd),
					y1: own.map(({ estimate, sd }) => estimate + sd),
					role: "band",
				},
				{ type: "points", x: places, y: own.map(({ estimate }) => estimate), role: "model" },
			],
			...(individuals.length <= 40 && {
				xNames: individuals.map(({ unit }, i) => ({ at: i, name: unit.replace(/^.* /, "") })),
			}),
		};
	});
}
