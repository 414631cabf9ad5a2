/** A record as a model sees it: the model says which columns are inputs and outputs. */
import { type Experiment, experimentFrom } from "../data/experiment.ts";
import type { RecordMeaning } from "../data/record.ts";
import type { RowRange } from "../data/rows.ts";
import type { Table } from "../data/table.ts";
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
	return experimentFrom(table, {
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
		...(rows ? { rows } : {}),
	});
}
