/** A record for the library: columns of numbers, from arrays or from a file's bytes, and what they mean. */
import { distinctNames } from "../data/distinct-names.ts";
import { type Experiment, experimentFrom } from "../data/experiment.ts";
import { readTable } from "../data/read-table.ts";
import { DETRENDS, type Detrend } from "../data/record.ts";
import type { RowRange } from "../data/rows.ts";
import type { Interpolation } from "../data/signal.ts";
import { type Table, tableOf } from "../data/table.ts";
import { InputError } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { checkNames } from "./check-names.ts";

export interface RecordOptions {
	/** As shown in messages and reports. */
	readonly name?: string;
	/** The column that holds the times (default `t`), or samples a second. */
	readonly time?: string;
	readonly rate?: number;
	/** With `rate`: the time of the first row. With `time`: when the initial values hold, if before the first row. */
	readonly start?: number;
	/** Model name to column, where they differ. */
	readonly columns?: Readonly<Record<string, string>>;
	/** Inputs between samples; held (`zoh`) by default, as in the study file. */
	readonly input?: Interpolation;
	readonly detrend?: Detrend;
	readonly conditions?: Readonly<Record<string, number>>;
	/** Numbers that stand for "no value". */
	readonly missing?: readonly number[];
	/** Rows to use, from 0, half-open; all by default. */
	readonly rows?: RowRange;
}

/** Measurements and what they mean; which columns are inputs and outputs is the model's to say. */
export interface DataRecord {
	readonly table: Table;
	readonly options: RecordOptions;
}

const known = [
	"name",
	"time",
	"rate",
	"start",
	"columns",
	"input",
	"detrend",
	"conditions",
	"missing",
	"rows",
] as const satisfies readonly (keyof RecordOptions)[];

/** A record from columns: `record({ t: [0, 1, 2], y: [1, 0.6, 0.4] })`. */
export function record(
	columns: Readonly<Record<string, ArrayLike<number>>>,
	options: RecordOptions = {},
): DataRecord {
	const table = tableOf(
		options.name ?? "record",
		Object.entries(columns).map(([name, values]) => ({ name, values: Float64Array.from(values) })),
	);
	const [first] = table.columns;
	for (const { name, values } of table.columns)
		if (values.length !== first.values.length)
			throw new InputError(
				`record, column ${name}`,
				`has ${values.length} values, ${first.name} has ${first.values.length}`,
				"Columns of one record have the same length; NaN stands for a value that is not there.",
			);
	return { table, options: checked(options) };
}

/** A record from the bytes of a file: .csv, .tsv, .mat or .parquet by its name. */
export async function recordFromFile(
	bytes: Uint8Array<ArrayBuffer>,
	fileName: string,
	options: RecordOptions = {},
): Promise<DataRecord> {
	return recordOf(await readTable(bytes, fileName), fileName, options);
}

/** A record from the table of a file. */
export function recordOf(table: Table, fileName: string, options: RecordOptions): DataRecord {
	return { table, options: checked({ name: fileName, ...options }) };
}

/** The records as the model sees them, each with a name of its own. */
export function experimentsOf(records: readonly DataRecord[], model: Model): Experiment[] {
	const names = distinctNames(records.map(({ options: { name = "record" } }) => name));
	return records.map((record, i) => experimentOf(record, model, names[i]));
}

function experimentOf({ table, options }: DataRecord, model: Model, name: string): Experiment {
	const { rate, time, start, columns, input, detrend, conditions, missing, rows } = options;
	const has = (output: string): boolean =>
		table.columns.some((column) => column.name === (columns?.[output] ?? output));
	const outputs = model.measures.map((measure) => measure.name);
	// An output that was not measured in this record is no error, unless none was.
	const measured = outputs.filter(has);
	return experimentFrom(table, {
		name,
		...(rate === undefined ? { time: time ?? "t" } : { rate }),
		...(start === undefined ? {} : { start }),
		columns: { ...columns },
		inputs: model.inputs.filter(({ knowledge }) => knowledge.kind === "none").map((each) => each.name),
		outputs: measured.length > 0 ? measured : outputs,
		interpolation: input ?? "zoh",
		detrend: detrend ?? DETRENDS[0],
		conditions: { ...conditions },
		...(missing ? { missing: [...missing] } : {}),
		...(rows ? { rows } : {}),
	});
}

function checked(options: RecordOptions): RecordOptions {
	checkNames("record option", options, known);
	return options;
}
