/** What every reader returns: named columns of numbers, whatever the file was. */
export interface Table {
	/** The file's name, for messages. */
	source: string;
	columns: Column[];
	/** Length of the longest column. */
	nRows: number;
	/** What the file also holds and no column can: text, complex or sparse arrays, objects. */
	skipped?: SkippedColumn[];
}

export interface Column {
	name: string;
	unit?: string;
	/** For dates with times: the one at which the column is 0. */
	origin?: string;
	/** As many as the table has rows; fewer only where a mat file holds arrays of different lengths. */
	values: Float64Array;
	/** 1 where the field was empty (the value is NaN there). Absent when no field was. */
	missing?: Uint8Array;
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
