/** A record as a model sees it: the model says which columns are inputs and outputs. */
import { DoseSignals, isInfusion } from "../data/doses.ts";
import { type Experiment, experimentFrom } from "../data/experiment.ts";
import type { RecordMeaning } from "../data/record.ts";
import type { Signal } from "../data/signal/signal.ts";
import { isSteady as isSteadyDose, type SteadyLead, steadyLead } from "../data/steady-doses.ts";
import type { RowRange } from "../data/table/rows.ts";
import type { Table } from "../data/table/table.ts";
import { InputError } from "../errors.ts";
import { withDoses } from "../model/doses.ts";
import type { Model } from "../model/model.ts";
import { steadyConditions, steadyFlag } from "../model/steady-start.ts";
import { dataInputs } from "../model/structure/free.ts";

/** What is left out: nothing is renamed, inputs are held, nothing is removed or missing. */
export interface RecordOfModel extends Partial<RecordMeaning> {
	readonly name: string;
	readonly rows?: RowRange;
}

export function experimentOf(
	table: Table,
	record: RecordOfModel,
	model: Model,
	outputs: readonly string[],
): Experiment {
	const { name, rows, rate, time, columns = {}, missing, factors } = record;
	const lead = leadOf(record, model);
	if (lead && time === undefined)
		throw new InputError(name, "begins in a steady state of doses, and has no column of times", "Give one.");
	const start = lead?.start ?? record.start;
	const conditions = { ...record.conditions, ...steadyNumbers(model, lead, (rows?.from ?? 0) > 0) };
	const experiment = experimentFrom(table, {
		name,
		...(time === undefined ? { rate } : { time }),
		...(start === undefined ? {} : { start }),
		columns,
		inputs: dataInputs(model),
		outputs,
		input: record.input ?? "zoh",
		detrend: record.detrend ?? "none",
		conditions,
		missing,
		factors,
		...(record.rest ? { rest: record.rest } : {}),
		...(record.reset ? { reset: record.reset } : {}),
		...(record.unit === undefined ? {} : { unit: record.unit }),
		...(rows ? { rows } : {}),
	});
	const isChosen = experiment.rows.from > 0;
	const doses = lead?.doses ?? record.doses;
	for (const [input, signal] of doseSignals(model, { name, doses }, experiment.times[0], isChosen))
		experiment.inputs.set(input, signal);
	return lead && !isChosen ? { ...experiment, ...ledBy(lead) } : experiment;
}

/** Intervals of doses that are given in full where the start has a formula: what its series leaves out is below a millionth. */
const seriesLead = 10;
/** Where it is searched for: so many that it can be seen whether it is steady. */
const orbitLead = 3;
/** Where it is not, what doses lead to is looked at when there is an answer. */
const longLead = 40;

function leadOf(
	{ name, doses = {} }: Pick<RecordOfModel, "name" | "doses">,
	model: Model,
): SteadyLead | undefined {
	const intervals = (isPeriodic: boolean): number => {
		if (model.steady === "exact") return seriesLead;
		return model.steady === "orbit" && isPeriodic ? orbitLead : longLead;
	};
	return steadyLead(doses, intervals, `${name}, doses`);
}

function ledBy({ begins, every, isPeriodic }: SteadyLead): Pick<Experiment, "begins" | "lead" | "orbit"> {
	return { begins, lead: every, ...(isPeriodic && { orbit: every }) };
}

/** Conditions of a record that stand for its steady state; a record without one has those of nothing. */
function steadyNumbers(
	model: Model,
	lead: SteadyLead | undefined,
	isChosen: boolean,
): Record<string, number> {
	if (model.steady !== "exact") return {};
	const own = isChosen ? undefined : lead;
	const numbers: Record<string, number> = { [steadyFlag]: own ? 1 : 0 };
	for (const { name } of model.doses ?? [])
		steadyConditions(name).forEach((each, i) => {
			numbers[each] = own?.left[name]?.[i] ?? 0;
		});
	return numbers;
}

/** Times of a simulation, its doses as signals, and its conditions; where doses lead to its start, that comes first. */
export function dosedTimes(
	model: Model,
	record: Pick<RecordOfModel, "name" | "doses" | "conditions">,
	given: Float64Array,
): Pick<Experiment, "times" | "conditions" | "begins" | "lead" | "orbit"> & { signals: Map<string, Signal> } {
	const { name } = record;
	const lead = leadOf(record, model);
	if (lead && !(given[0] >= lead.begins))
		throw new InputError(
			`${name}, doses`,
			`are in a steady state at ${lead.begins}, after the start at ${given[0]}`,
			"A steady state is what a record begins with.",
		);
	const times = lead ? Float64Array.of(lead.start, ...given) : given;
	const doses = lead?.doses ?? record.doses;
	return {
		times,
		signals: doseSignals(model, { name, doses }, times[0], false),
		conditions: { ...record.conditions, ...steadyNumbers(model, lead, false) },
		...(lead && ledBy(lead)),
	};
}

/** Signals of the inputs that stand for doses; a record without doses has those of nothing. */
function doseSignals(
	model: Model,
	{ name, doses = {} }: Pick<RecordOfModel, "name" | "doses">,
	start: number,
	isChosen: boolean,
): Map<string, Signal> {
	const signals = new Map<string, Signal>();
	for (const place of model.doses ?? []) {
		const own = Object.hasOwn(doses, place.name) ? doses[place.name] : [];
		const made = new DoseSignals(own, start, isChosen, `${name}, doses: ${place.name}`);
		if (place.rate !== undefined) signals.set(place.rate, made.rate);
		if (place.given !== undefined) signals.set(place.given, made.given);
		if (place.seen !== undefined) signals.set(place.seen, made.seen);
	}
	return signals;
}

/** The model with inputs for all that is dosed in some record. */
export function dosedModel(model: Model, records: readonly Pick<RecordOfModel, "doses">[]): Model {
	const dosing = new Map<string, { boluses: boolean; infusions: boolean }>();
	for (const { doses = {} } of records)
		for (const [name, list] of Object.entries(doses)) {
			const known = dosing.get(name) ?? { boluses: false, infusions: false };
			dosing.set(name, {
				boluses: known.boluses || list.some((dose) => !isInfusion(dose)),
				infusions: known.infusions || list.some(isInfusion),
			});
		}
	const isSteady = records.some(({ doses = {} }) => Object.values(doses).flat().some(isSteadyDose));
	return withDoses(model, dosing, isSteady);
}
