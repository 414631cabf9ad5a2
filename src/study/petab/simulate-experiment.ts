/** An experiment of a PEtab problem at its nominal values: period after period, each from where the one before it ended. */
import { InputError } from "../../errors.ts";
import type { PetabChange, PetabObservable, PetabPeriod, PetabProblem } from "../../formats/petab/problem.ts";
import type { SbmlModel } from "../../formats/sbml/document.ts";
import { namesIn } from "../../formats/sbml/formula.ts";
import type { Problems } from "../../formats/sbml/problems.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Model } from "../../model/model.ts";
import { freeParams } from "../../model/structure/free.ts";
import { symbolsOf } from "../../model/walk.ts";
import { simulationValues } from "../simulate/simulation-values.ts";
import { noNumber, numberOf } from "./formula-texts.ts";
import { type PeriodModel, periodModel } from "./period-model.ts";
import { solveCondition, steadyState } from "./solve-condition.ts";

export interface SimulatedPoint {
	readonly own: PeriodModel;
	readonly state: Float64Array;
}

/** Steady states by all that decides them; experiments share them. */
export type Rests = Map<string, Float64Array>;

export interface ExperimentSpec {
	readonly problem: PetabProblem;
	readonly sbml: SbmlModel;
	readonly problems: Problems;
	readonly experiment: string;
	/** Those that are measured. */
	readonly observables: readonly PetabObservable[];
	readonly times: readonly number[];
	readonly rests: Rests;
}

/** What is needed to observe the model at each of the times. */
export function simulateExperiment(spec: ExperimentSpec): Map<number, SimulatedPoint> {
	const { problem, experiment, times } = spec;
	const { periods: given } = problem.experiments.get(experiment)!;
	const periods: readonly PetabPeriod[] =
		given.length > 0 ? given : [{ time: 0, conditions: [], place: problem.fileName }];
	const found = new Map<number, SimulatedPoint>();
	const label = experiment === "" ? "the model as it is" : `experiment ${experiment}`;
	// Before all time the model's own clock begins at 0.
	const from = periods[0].time === Number.NEGATIVE_INFINITY ? 0 : periods[0].time;
	let values = firstValues(problem, changesOf(problem, periods[0]), from);
	let triggers: readonly boolean[] | undefined;
	periods.forEach((period, k) => {
		const next = periods[k + 1];
		const changes = next ? changesOf(problem, next) : new Map<string, PetabChange>();
		// What stays is asked of every quantity: one change is enough to ask.
		const wanted = next && changes.size === 0 ? keepOne(period) : changes;
		const begins = Number.isFinite(period.time) ? period.time : from;
		const built = periodModel({ ...spec, values, next: wanted, start: begins });
		const own = triggers ? { ...built, model: withTriggers(built.model, triggers) } : built;
		const start = startOf(own.model, spec.problems.fileName);
		let state: Float64Array;
		let t = period.time;
		if (period.time === Number.NEGATIVE_INFINITY) {
			const key = JSON.stringify([...values]);
			state = spec.rests.get(key) ?? steadyState(own.model, start, label);
			spec.rests.set(key, state);
			// Nothing comes after: it is at rest for ever.
			if (!next) for (const time of times) found.set(time, { own, state });
		} else {
			const isFirst = found.size === 0 && k === 0;
			const inside = times.filter((time) => (isFirst || time >= period.time) && (!next || time < next.time));
			const begin = isFirst && problem.version === 1 ? Math.min(0, inside[0] ?? 0) : period.time;
			// What happens at the very instant at which the next period begins happens in that one.
			t = next ? justBefore(next.time) : t;
			const wantedTimes = next ? [...inside, t] : inside;
			const states = solveCondition(own.model, begin, start, wantedTimes, label, next !== undefined);
			for (const time of inside) found.set(time, { own, state: states.get(time)! });
			state = next ? states.get(t)! : start;
		}
		if (!next) return;
		const after = at(own.model, state, next.time);
		triggers =
			problem.version === 2
				? own.model.events.map(({ trigger }) => evaluate(trigger, at(own.model, state, t)) !== 0)
				: undefined;
		values = nextValues(problem, values, own, changes, after);
	});
	return found;
}

/** The number next below a time, or as good as. */
function justBefore(time: number): number {
	return time === 0 ? -1e-300 : time - Math.abs(time) * 2 ** -53;
}

/** Numbers of the first period: parameters of the table, then what its conditions say, in terms of these. */
function firstValues(
	{ parameters, aliases }: PetabProblem,
	changes: ReadonlyMap<string, PetabChange>,
	time: number,
): Map<string, number> {
	const values = new Map([...parameters.values()].map(({ id, nominal }) => [id, nominal]));
	for (const [id, change] of changes) {
		const { value, place } = change;
		if (value.kind === "number") {
			values.set(id, value.value);
			continue;
		}
		for (const name of namesIn(value))
			if (!parameters.has(name) && !aliases.has(name))
				throw new InputError(
					place,
					`unknown id "${name}" in what ${id} is set to`,
					"In the first period of an experiment only parameters of the table may stand there.",
				);
		const known = new Map([...parameters.keys()].map((each) => [each, values.get(each)!]));
		values.set(id, numberOf(id, change, known, time));
	}
	return values;
}

/** Of version 2 all that was constant stays, but for what is changed; of version 1 only states do. */
function nextValues(
	{ version, parameters, aliases }: PetabProblem,
	before: ReadonlyMap<string, number>,
	{ quantities, kept, changes: nodes }: PeriodModel,
	changes: ReadonlyMap<string, PetabChange>,
	symbol: (name: string) => number,
): Map<string, number> {
	const values = new Map<string, number>();
	for (const [id, node] of quantities)
		if (version === 2 || kept.has(id)) values.set(id, evaluate(node, symbol));
	for (const [id, value] of before)
		if (version === 2 ? !quantities.has(aliases.get(id) ?? id) : parameters.has(id)) values.set(id, value);
	for (const [id, { value, place }] of changes) {
		const number = evaluate(nodes.get(id)!, symbol);
		// One that is no number would count as one that has still to be given.
		if (value.kind !== "number" && !Number.isFinite(number)) throw noNumber(id, place);
		values.set(id, number);
	}
	return values;
}

function changesOf({ conditions }: PetabProblem, period: PetabPeriod): Map<string, PetabChange> {
	return new Map(period.conditions.flatMap((id) => [...conditions.get(id)!.set]));
}

/** A change of nothing: a period that only goes on asks for all values, too. */
function keepOne({ place }: PetabPeriod): Map<string, PetabChange> {
	return new Map([["", { value: { kind: "time" }, place }]]);
}

function withTriggers(model: Model, held: readonly boolean[]): Model {
	return { ...model, events: model.events.map((event, i) => ({ ...event, initially: held[i] })) };
}

function startOf(model: Model, file: string): Float64Array {
	const { rhs, events, initial } = model;
	const used = symbolsOf([
		...rhs,
		...events.flatMap(({ trigger, delay, priority, assignments }) => [
			trigger,
			...(delay ? [delay] : []),
			...(priority ? [priority] : []),
			...assignments.map(({ value }) => value),
		]),
		...initial.flatMap((knowledge) => (knowledge.kind === "exact" ? [knowledge.value] : [])),
	]);
	const open = freeParams(model).find(({ name }) => used.has(name));
	if (open)
		throw new InputError(
			file,
			`${open.name} has no value`,
			"Give it one in the model, in all conditions, or in the parameter table.",
		);
	return simulationValues({ ...model, params: [] }, {}, {}, "problem").initial;
}

function at({ components }: Model, state: Float64Array, t: number): (name: string) => number {
	const values = new Map(components.map((component, i) => [component, state[i]]));
	return (name) => (name === "t" ? t : values.get(name)!);
}
