/** A record of a program: columns of numbers, from arrays or from a file's bytes, and what they mean. */
import { checkNames, InputError } from "../errors.ts";
import { isLimit, isNumber, limitOf } from "./csv/csv-line.ts";
import type { Dose, DoseColumn } from "./doses.ts";
import { readTable } from "./read/read-table.ts";
import type { RecordMeaning } from "./record.ts";
import type { RowRange } from "./table/rows.ts";
import { type Column, type Table, tableOf } from "./table/table.ts";
import type { TableChoices } from "./table/table-choices.ts";

/** What a study file says of a record; what is left out has its default, and the times are in a column `t`. */
export interface RecordOptions extends Partial<Omit<RecordMeaning, "doses">> {
	/** What is given, by the input or the state that it goes into: a list, or the column of amounts (AMT; RATE, EVID, … stand beside it). */
	readonly doses?: Readonly<Record<string, readonly Dose[] | string | DoseColumn>>;
	/** The column whose values tell experiments apart: each is a record of its own. */
	readonly group?: string;
	/** As shown in messages and reports. */
	readonly name?: string;
	/** Rows to use, from 0, half-open; all by default. */
	readonly rows?: RowRange;
	/** How a file is read; what is left out is found out from the file. */
	readonly reading?: TableChoices;
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
	"factors",
	"reading",
	"rest",
	"reset",
	"doses",
	"unit",
	"group",
	"rows",
] as const satisfies readonly (keyof RecordOptions)[];

/** A record from columns: `record({ t: [0, 1, 2], y: [1, 0.6, 0.4] })`. */
export function record(
	columns: Readonly<Record<string, ArrayLike<Given>>>,
	options: RecordOptions = {},
): DataRecord {
	const table = tableOf(
		options.name ?? "record",
		Object.entries(columns).map(([name, values]) => ({ name, ...numbersOf(name, values) })),
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

/** A sample: a number, a limit of one (`"<0.05"`), or nothing. */
type Given = number | string | null | undefined;

/** What is not there is NaN; what is no number would silently become one. */
function numbersOf(name: string, given: ArrayLike<Given>): Pick<Column, "values" | "limits"> {
	const limits = new Int8Array(given.length);
	const values = Float64Array.from(given, (value: unknown, row) => {
		if (typeof value === "number") return value;
		if (value === null || value === undefined || value === "") return Number.NaN;
		if (typeof value === "string" && isLimit(value) && isNumber(limitOf(value))) {
			limits[row] = value.startsWith("<") ? -1 : 1;
			return Number(limitOf(value));
		}
		throw new InputError(
			`record, column ${name}`,
			`holds ${typeof value === "string" ? JSON.stringify(value) : String(value)} (row ${row}), which is no number`,
			'Columns hold numbers, or limits like "<0.05"; NaN, null or nothing stands for a value that is not there.',
		);
	});
	return limits.some((sign) => sign !== 0) ? { values, limits } : { values };
}

/** A record from the bytes of a file: .csv, .tsv, .xlsx, .mat or .parquet. */
export async function recordFromFile(
	bytes: Uint8Array<ArrayBuffer>,
	fileName: string,
	options: RecordOptions = {},
): Promise<DataRecord> {
	return recordOf(await readTable(bytes, fileName, options.reading), fileName, options);
}

/** A table that was read from a file, as a record of its name. */
export function recordOf(table: Table, fileName: string, options: RecordOptions): DataRecord {
	return { table, options: checked({ name: fileName, ...options }) };
}

function checked(options: RecordOptions): RecordOptions {
	checkNames("record option", options, known);
	return options;
}
