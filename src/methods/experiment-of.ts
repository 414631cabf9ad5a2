/** A record as a model sees it: the model says which columns are inputs and outputs. */
import { DoseSignals, isInfusion } from "../data/doses.ts";
import { type Experiment, experimentFrom } from "../data/experiment.ts";
import type { RecordMeaning } from "../data/record.ts";
import type { RowRange } from "../data/rows.ts";
import type { Signal } from "../data/signal.ts";
import type { Table } from "../data/table.ts";
import { withDoses } from "../model/doses.ts";
import type { Model } from "../model/model.ts";
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
	const { name, rows, rate, time, start, columns = {}, conditions = {}, missing, factors } = record;
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
	for (const [name, signal] of doseSignals(model, record, experiment.times[0], isChosen))
		experiment.inputs.set(name, signal);
	return experiment;
}

/** Signals of the inputs that stand for doses; a record without doses has those of nothing. */
export function doseSignals(
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
	return withDoses(model, dosing);
}
