/** What conditions set must be there, and no rule may determine what they and the parameter table say: it would be passed over in silence. */
import { nearestName } from "../../errors.ts";
import { Faults } from "../../formats/petab/cells.ts";
import type { PetabProblem } from "../../formats/petab/problem.ts";
import type { SbmlModel } from "../../formats/sbml/document.ts";
import { type Formula, namesIn, numeral, replace } from "../../formats/sbml/formula.ts";
import { modelId, numberOf } from "./formula-texts.ts";

export function checkIds(problem: PetabProblem, models: readonly SbmlModel[]): void {
	const faults = new Faults();
	const inModel = new Set(
		models.flatMap(({ compartments, species, parameters, reactions }) => [
			...[...compartments, ...species, ...parameters].map(({ id }) => id),
			...reactions.flatMap(({ reactants, products }) => [...reactants, ...products].map(({ id }) => id)),
		]),
	);
	const ruled = new Set(
		models.flatMap(({ rules }) =>
			rules.flatMap(({ kind, variable }) => (kind === "assignment" ? [variable] : [])),
		),
	);
	const changes = [...problem.conditions.values()].flatMap(({ set }) => [...set]);
	const named = new Set<unknown>([
		...[...problem.observables.values()].flatMap(({ formula, noise }) => [
			...namesIn(formula),
			...namesIn(noise),
		]),
		...changes.flatMap(([, { value }]) => [...namesIn(value)]),
		...problem.measurements.flatMap((each) => [...each.observableParameters, ...each.noiseParameters]),
	]);
	const refuseRuled = (id: string, place: string, what: string): void => {
		if (ruled.has(modelId(problem, id)))
			faults.add(place, `${what} ${id}, which an assignment rule of the model determines`, "Take one out.");
	};
	for (const [id, change] of changes) {
		const { value, place } = change;
		// What is made of numbers alone is known before anything is simulated.
		if (value.kind !== "number" && namesIn(value).size === 0 && !hasTime(value))
			faults.attempt(() => numberOf(id, change, new Map(), 0));
		refuseRuled(id, place, "a condition sets");
		if (!inModel.has(modelId(problem, id)) && !named.has(id))
			faults.add(place, `a condition sets ${id}, which neither the model nor a formula has`, "Check the id.");
	}
	if (problem.version === 1)
		for (const [, { value, place }] of changes)
			for (const name of namesIn(value)) {
				if (problem.parameters.has(name) || inModel.has(name)) continue;
				const near = nearestName(name, problem.parameters.keys());
				faults.add(
					place,
					`"${name}" is neither a number nor a parameter`,
					near ? `Did you mean "${near}"?` : "Declare it in the parameter table.",
				);
			}
	for (const { id, place } of problem.parameters.values())
		refuseRuled(id, place, "the table has a value for");
	faults.throwIfAny(problem.fileName);
}

function hasTime(formula: Formula): boolean {
	let found = false;
	replace(formula, (part) => {
		found ||= part.kind === "time";
		return undefined;
	});
	return found;
}

/** With the numbers of the model for its constants, where conditions of version 1 name them. */
export function withConstants(
	problem: PetabProblem,
	{ parameters, rules, initial, events }: SbmlModel,
): PetabProblem {
	if (problem.version !== 1) return problem;
	const changed = new Set([
		...rules.map(({ variable }) => variable),
		...initial.map(({ symbol }) => symbol),
		...events.flatMap(({ assignments }) => assignments.map(({ variable }) => variable)),
	]);
	const constants = new Map(
		parameters.flatMap(({ id, value }): [string, number][] =>
			value !== undefined && Number.isFinite(value) && !changed.has(id) && !problem.parameters.has(id)
				? [[id, value]]
				: [],
		),
	);
	const conditions = [...problem.conditions].map(([id, condition]) => {
		const set = [...condition.set].map(([target, { value, place }]) => {
			const filled = replace(value, (part) =>
				part.kind === "name" && constants.has(part.id) ? numeral(constants.get(part.id)!) : undefined,
			);
			return [target, { value: filled, place }] as const;
		});
		return [id, { ...condition, set: new Map(set) }] as const;
	});
	return { ...problem, conditions: new Map(conditions) };
}
