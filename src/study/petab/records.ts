/** Measurements of a PEtab problem as records of a study: one measurement of an observable at a time, and nothing set in two ways. */
import { InputError } from "../../errors.ts";
import type { Override, PetabChange, PetabMeasurement, PetabProblem } from "../../formats/petab/problem.ts";

/** What conditions set in one stretch of an experiment. */
export type Situation = ReadonlyMap<string, PetabChange>;

export interface PetabRecord {
	readonly name: string;
	/** Stretches in which the model comes to rest, one after another, before the record begins. */
	readonly rests: readonly Situation[];
	/** Set in the record itself. */
	readonly own: Situation;
	/** What its conditions set anew after a rest. */
	readonly again: readonly string[];
	readonly start: number;
	readonly rows: Map<number, Map<string, number>>;
	/** By observable and placeholder. */
	readonly placeholders: Map<string, Override>;
}

export const placeholderKey = (observable: string, placeholder: string): string =>
	`${observable} ${placeholder}`;

export function recordsOf(problem: PetabProblem): PetabRecord[] {
	const records: (PetabRecord & { readonly of: string })[] = [];
	for (const measurement of problem.measurements) {
		const { experiment, observable, value } = measurement;
		const isRest = measurement.time === Number.POSITIVE_INFINITY;
		const time = isRest ? 0 : measurement.time;
		const of = `${experiment}\n${isRest}`;
		const own = placeholdersOf(problem, measurement);
		let home = records.find(
			(each) =>
				each.of === of &&
				!each.rows.get(time)?.has(observable) &&
				own.every(([id, override]) => (each.placeholders.get(id) ?? override) === override),
		);
		if (!home) {
			const same = records.filter((each) => each.of === of).length;
			const base = `${experiment || "model"}${isRest ? "_rest" : ""}`;
			const name = same === 0 ? base : `${base}_${same + 1}`;
			const stretches = stretchesOf(problem, measurement, isRest);
			home = { of, name, ...stretches, rows: new Map(), placeholders: new Map() };
			records.push(home);
		}
		for (const [id, override] of own) home.placeholders.set(id, override);
		const row = home.rows.get(time) ?? new Map<string, number>();
		home.rows.set(time, row.set(observable, value));
	}
	return records;
}

function stretchesOf(
	problem: PetabProblem,
	{ experiment, place }: PetabMeasurement,
	isRest: boolean,
): Pick<PetabRecord, "rests" | "own" | "again" | "start"> {
	const { version, conditions, experiments } = problem;
	const { periods } = experiments.get(experiment)!;
	const finite = periods.filter(({ time }) => time > Number.NEGATIVE_INFINITY);
	if (finite.length > 1)
		throw new InputError(
			place,
			`experiment ${experiment} has ${finite.length} periods, and one can be estimated with, from rest or not`,
			"odentify simulate  takes the problem as it is.",
		);
	const sets = periods.map(
		(period) => new Map(period.conditions.flatMap((id) => [...conditions.get(id)!.set])),
	);
	const rests = sets.slice(0, sets.length - finite.length);
	const [last = new Map<string, PetabChange>()] = sets.slice(rests.length);
	// Of version 2 what was set before stays.
	const own = version === 2 ? new Map([...rests.flatMap((set) => [...set]), ...last]) : last;
	const [period] = finite;
	return {
		rests: isRest ? [...rests, own] : rests,
		own,
		again: rests.length > 0 ? [...last.keys()] : [],
		start: period?.time ?? 0,
	};
}

function placeholdersOf({ observables }: PetabProblem, measurement: PetabMeasurement): [string, Override][] {
	const { observable, observableParameters, noiseParameters } = measurement;
	const { observablePlaceholders, noisePlaceholders } = observables.get(observable)!;
	const pairs = (ids: readonly string[], values: readonly Override[]): [string, Override][] =>
		ids.map((id, i) => [placeholderKey(observable, id), values[i]]);
	return [
		...pairs(observablePlaceholders, observableParameters),
		...pairs(noisePlaceholders, noiseParameters),
	];
}
