/** What a study says about one record: which columns mean what, and how to read them. */
import { InputError, nearestName } from "../errors.ts";
import type { Dose } from "./doses.ts";
import type { Interpolation } from "./signal/signal.ts";
import { UnknownWord } from "./table/missing-words.ts";
import type { RowRange } from "./table/rows.ts";
import type { Column, Table } from "./table/table.ts";
import { openDates } from "./time/date-column.ts";
import { uniformTimes } from "./time/uniform-times.ts";

export const DETRENDS = ["none", "mean", "linear"] as const;
export type Detrend = (typeof DETRENDS)[number];

/** What the columns of a record mean, in the words of the study file: the same for files, programs and the page. */
export interface RecordMeaning {
	/** Samples a second: row i is at `start + i / rate`. */
	readonly rate?: number;
	/** Or the column that holds the times. */
	readonly time?: string;
	/** Time of row 0 where the rate is given; with a column of times, when the initial values hold: not after row 0. */
	readonly start?: number;
	/** Model name to column. A name that is not in it is looked for among the columns as it is. */
	readonly columns: Readonly<Record<string, string>>;
	/** Inputs between samples. */
	readonly input: Interpolation;
	readonly detrend: Detrend;
	readonly conditions: Readonly<Record<string, number>>;
	/** Numbers that stand for "no value", as -999; NaN always does. */
	readonly missing: readonly number[];
	/** What values of the file are multiplied by, by model name (`t` for the time); nothing by default. */
	readonly factors?: Readonly<Record<string, number>>;
	/** Conditions in which the model comes to rest before the record begins, one set after another; what is not in one is as in `conditions`. */
	readonly rest?: readonly Readonly<Record<string, number>>[];
	/** States that are set anew when the first rest is over; the others go on from it. */
	readonly reset?: readonly string[];
	/** What is given during the record, by the input or the state that it goes into. */
	readonly doses?: Readonly<Record<string, readonly Dose[]>>;
	/** Whose record it is, where several are of one: they share what differs by record. */
	readonly unit?: string;
}

/** One experiment of a record: which of its columns the model wants, and which rows. */
export interface RecordSpec extends Omit<RecordMeaning, "missing"> {
	readonly name: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	readonly missing?: readonly number[];
	/** Default: all. */
	readonly rows?: RowRange;
}

/** The column called `name`, also by its header with the unit: `x [m]`, `x (m)`. */
export function findColumn(table: Table, name: string): Column {
	const bare = (text: string): string => text.replace(/\s/g, "");
	const found = table.columns.filter(
		(c) =>
			c.name === name ||
			(c.unit !== undefined &&
				[`${c.name}[${c.unit}]`, `${c.name}(${c.unit})`, `${c.name}/${c.unit}`]
					.map(bare)
					.includes(bare(name))),
	);
	if (found.length === 1) {
		if (found[0].open) throw openDates(table.source, found[0].open);
		if (found[0].odd) throw new UnknownWord(found[0].odd);
		return found[0];
	}
	if (found.length > 1) {
		throw new InputError(
			table.source,
			`has ${found.length} columns called ${name}`,
			"Give them different names in the file.",
		);
	}
	const skipped = table.skipped?.find((c) => c.name === name);
	if (skipped !== undefined)
		throw new InputError(
			`${table.source}, column ${name}`,
			skipped.why,
			"A column has to hold numbers, or dates as 2024-05-01 12:30:00, 01.05.2024 or 05/01/2024 3:00 PM.",
		);
	const names = table.columns.map((c) => c.name);
	const near = nearestName(name, names);
	// A name that would read as two, or as none, stands in quotes.
	const shown = names
		.slice(0, 20)
		.map((each) => (/^$|[,"]|^\s|\s$/.test(each) ? JSON.stringify(each) : each));
	const listed = `${shown.join(", ")}${names.length > 20 ? ` and ${names.length - 20} more` : ""}`;
	throw new InputError(
		table.source,
		`has no column ${name}${near === undefined ? "" : `; did you mean ${near}?`}`,
		`Its columns are ${listed}.`,
	);
}

/** The column behind a name of the model. */
export function modelColumn(table: Table, spec: RecordSpec, name: string): Column {
	return findColumn(table, Object.hasOwn(spec.columns, name) ? spec.columns[name] : name);
}

/** The times of all `nRows` rows. */
export function recordTimes(table: Table, spec: RecordSpec, nRows: number): Float64Array {
	if ((spec.rate === undefined) === (spec.time === undefined)) {
		throw new InputError(
			spec.name,
			"needs either rate or time",
			"Give the rate in Hz, or name the column of times.",
		);
	}
	if (spec.time === undefined) return timesAtRate(spec, nRows);
	const { values } = findColumn(table, spec.time);
	const where = `${table.source}, column ${spec.time}`;
	const wrong: string[] = [];
	let nWrong = 0;
	for (let i = 0; i < nRows; i++) {
		if (!Number.isFinite(values[i])) {
			throw new InputError(where, `is ${values[i]} in row ${i} (counted from 0)`, "Every row needs a time.");
		}
		if (i > 0 && !(values[i] > values[i - 1]) && nWrong++ < 3) {
			wrong.push(`row ${i} has ${values[i]} after ${values[i - 1]}`);
		}
	}
	if (nWrong > 0) {
		throw new InputError(
			where,
			`does not increase: ${wrong.join(", ")}${nWrong > 3 ? ` and ${nWrong - 3} more` : ""}`,
			"Sort the rows by time and keep one row for each time, or give the rate.",
		);
	}
	return values;
}

function timesAtRate(spec: RecordSpec, nRows: number): Float64Array {
	const { rate = Number.NaN, start = 0 } = spec;
	if (!(rate > 0 && Number.isFinite(rate)))
		throw new InputError(spec.name, `has the rate ${rate}`, "Give samples a second, as 610.35.");
	if (!Number.isFinite(nRows / rate))
		throw new InputError(
			spec.name,
			`is longer than any number at the rate ${rate}`,
			"Give samples a second, as 610.35.",
		);
	if (!Number.isFinite(start))
		throw new InputError(spec.name, `has the start ${start}`, "Give a time in seconds.");
	return uniformTimes(start, rate, nRows);
}
