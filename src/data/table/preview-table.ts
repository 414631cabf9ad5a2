/**
 * What was understood of a file, to be looked at before it is used: how it is written, its columns, its first rows as they
 * were read, and its first lines as they stand. A file that cannot be read has its lines and what is wrong.
 */
import { InputError } from "../../errors.ts";
import { splitFields } from "../csv/csv-line.ts";
import { sampleLines } from "../csv/csv-sample.ts";
import { type ForeignReader, readForeign } from "../read/read-foreign.ts";
import { readTableBy } from "../read/read-table.ts";
import { foreignFormatOf } from "../read/signatures.ts";
import { timeColumnOf } from "../time/time-column.ts";
import { refuseWords } from "./missing-words.ts";
import type { Column, Table } from "./table.ts";
import { type Reading, SEPARATORS, type TableChoices } from "./table-choices.ts";

const SHOWN_LINES = 40;
const SHOWN_ROWS = 20;
const SHOWN_FIELDS = 100;

export interface PreviewColumn {
	readonly name: string;
	readonly unit?: string;
	readonly kind: "numbers" | "dates" | "text";
	/** The first rows: numbers as read (seconds since the first, of dates), words of text; `null` for no value. */
	readonly first: readonly (number | string | null)[];
	/** How many rows have no value. */
	readonly missing: number;
	/** Another column has the same name: neither can be used. */
	readonly isTwin: boolean;
}

/** A line as it stands in the file. */
export interface PreviewLine {
	/** From 1. */
	readonly line: number;
	readonly fields: readonly string[];
	readonly role: "title" | "header" | "units" | "row";
}

export interface TablePreview {
	/** Name of the file. */
	readonly source: string;
	readonly nRows: number;
	readonly columns: readonly PreviewColumn[];
	/** How the file was understood; absent where it could not be read, and of formats that leave nothing open. */
	readonly reading?: Reading;
	/** The column that is probably the time. */
	readonly time?: string;
	/** The first lines; none of formats that have no lines. */
	readonly lines: readonly PreviewLine[];
	/** Why it cannot be read as it is: another choice may mend it. */
	readonly problem?: { readonly subject: string; readonly problem: string; readonly remedy: string };
}

export function previewTable(
	bytes: Uint8Array,
	fileName: string,
	choices?: TableChoices,
): Promise<TablePreview> {
	return previewTableBy(readForeign, bytes, fileName, choices);
}

/** With foreign formats read as `foreign` does. */
export async function previewTableBy(
	foreign: ForeignReader,
	bytes: Uint8Array,
	fileName: string,
	choices: TableChoices = {},
): Promise<TablePreview> {
	const isText = bytes.length > 0 && foreignFormatOf(bytes) === undefined;
	try {
		const table = refuseWords(await readTableBy(foreign, bytes, fileName, choices));
		return { ...previewOf(table), lines: isText ? linesOf(bytes, fileName, table.reading, choices) : [] };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const { subject, problem, remedy } = error;
		return {
			source: fileName,
			nRows: 0,
			columns: [],
			lines: isText ? linesOf(bytes, fileName, undefined, choices) : [],
			problem: { subject, problem, remedy },
		};
	}
}

/** The same of a table that was read elsewhere, without its lines. */
export function previewOf(table: Table): TablePreview {
	const time = timeColumnOf(table);
	const names = table.columns.map(({ name }) => name);
	const isTwin = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
	return {
		source: table.source,
		nRows: table.nRows,
		columns: [
			...table.columns.map((column) => columnOf(column, isTwin(column.name))),
			...(table.skipped ?? []).map(
				({ name, labels = [] }): PreviewColumn => ({
					name,
					kind: "text",
					first: labels.slice(0, SHOWN_ROWS),
					missing: labels.filter((label) => label === "").length,
					isTwin: false,
				}),
			),
		],
		...(table.reading ? { reading: table.reading } : {}),
		...(time === undefined ? {} : { time }),
		lines: [],
	};
}

function columnOf({ name, unit, values, missing, origin }: Column, isTwin: boolean): PreviewColumn {
	const isMissing = (row: number): boolean => missing?.[row] === 1;
	let nMissing = 0;
	for (const flag of missing ?? []) nMissing += flag;
	return {
		name,
		...(unit === undefined ? {} : { unit }),
		kind: origin === undefined ? "numbers" : "dates",
		first: Array.from(values.subarray(0, SHOWN_ROWS), (value, row) => (isMissing(row) ? null : value)),
		missing: nMissing,
		isTwin,
	};
}

function linesOf(
	bytes: Uint8Array,
	source: string,
	reading: Reading | undefined,
	choices: TableChoices,
): PreviewLine[] {
	const separator = reading?.separator ?? choices.separator ?? "comma";
	const roleOf = (line: number): PreviewLine["role"] => {
		if (line === reading?.header) return "header";
		if (line === reading?.unitLine) return "units";
		return reading?.firstRow !== undefined && line < reading.firstRow ? "title" : "row";
	};
	try {
		const { lines } = sampleLines(bytes, source);
		return lines.slice(0, SHOWN_LINES).map(({ text, line }) => ({
			line,
			fields: splitFields(text, SEPARATORS[separator]).slice(0, SHOWN_FIELDS),
			role: roleOf(line),
		}));
	} catch (error) {
		if (error instanceof InputError) return [];
		throw error;
	}
}
