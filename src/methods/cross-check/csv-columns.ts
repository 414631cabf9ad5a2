/** Columns of a table that a method wrote: numbers, separated by commas, with names in the first line. */
export interface Column {
	readonly name: string;
	readonly values: readonly number[];
}

export function columnsOf(text: string): Column[] {
	const [head, ...lines] = text.trimEnd().split("\n");
	const rows = lines.map((line) => line.split(",").map(Number));
	return head.split(",").map((name, i) => ({ name, values: rows.map((row) => row[i]) }));
}
