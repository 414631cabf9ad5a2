/** What every reader returns: named columns of numbers, whatever the file was. */
import type { OddWord } from "./missing-words.ts";
import type { DateReading, Reading } from "./table-choices.ts";

export interface Table {
	/** The file's name, for messages. */
	source: string;
	columns: Column[];
	/** Length of the longest column. */
	nRows: number;
	/** What the file also holds and no column can: text, complex or sparse arrays, objects. */
	skipped?: SkippedColumn[];
	/** How the file was understood, where that could have been otherwise. */
	reading?: Reading;
}

export interface Column {
	name: string;
	unit?: string;
	/** Whoever asked for the file said this unit; it is not the file's. */
	isUnitAsked?: boolean;
	/** For dates with times: the one at which the column is 0. */
	origin?: string;
	/** Dates whose order nobody said and nothing tells: who wants this column has to. */
	open?: DateReading;
	/** A word among its numbers that nobody explained: who wants this column has to. */
	odd?: OddWord;
	/** As many as the table has rows; fewer only where a mat file holds arrays of different lengths. */
	values: Float64Array;
	/** 1 where the field was empty (the value is NaN there). Absent when no field was. */
	missing?: Uint8Array;
	/** -1 where the field was `<0.05`, 1 where it was `>100`: the value is that limit. Absent when no field was. */
	limits?: Int8Array;
}

export interface SkippedColumn {
	name: string;
	/** As a sentence without a subject: `holds text`. */
	why: string;
	/** Its words, row by row, where they are few enough to name groups. */
	labels?: readonly string[];
}

/** A table of these columns, its rows counted. */
export function tableOf(source: string, columns: Column[], skipped: SkippedColumn[] = []): Table {
	let nRows = 0;
	for (const column of columns) nRows = Math.max(nRows, column.values.length);
	return skipped.length > 0 ? { source, columns, nRows, skipped } : { source, columns, nRows };
}
