/** How a file was understood, in a line: what was found out about it and could have been otherwise. */
import type { Table } from "../../data/table/table.ts";
import type { Reading } from "../../data/table/table-choices.ts";
import { counted } from "../../report/format.ts";

/** `undefined` for a plain file: names in its first line, points, no dates, nothing missing. */
export function readingLine({ source, reading }: Table): string | undefined {
	if (!reading) return undefined;
	const parts = [
		...(reading.sheet === undefined ? [] : [`sheet ${reading.sheet}`]),
		...headerPart(reading),
		...(reading.decimal === "comma" ? ["decimal commas"] : []),
		...reading.dates.map(({ column, order, example }) => datesPart(column, order, example)),
		...wordsPart(reading.words),
	];
	return parts.length === 0 ? undefined : `${source}: ${parts.join("; ")}`;
}

function headerPart({ header, titles, firstRow, format }: Reading): string[] {
	const line = format === "xlsx" ? "row" : "line";
	if (header === undefined)
		return firstRow === undefined ? [] : [`no names, rows from ${line} ${firstRow} on`];
	return titles.length > 0
		? [`names in ${line} ${header}, below ${counted(titles.length, "line")} of a title`]
		: [];
}

function datesPart(column: string, order: string | undefined, example: string): string {
	const words =
		order === "day-first" ? " with the day first" : order === "month-first" ? " with the month first" : "";
	return `${column} has dates${words}, from ${example} on`;
}

function wordsPart(words: Reading["words"]): string[] {
	const count = Object.values(words).reduce((sum, n) => sum + n, 0);
	const own = Object.keys(words).filter((word) => word !== "");
	if (count === 0) return [];
	return [
		`${counted(count, "field")} without a value${own.length > 0 ? ` (${own.slice(0, 5).join(", ")})` : ""}`,
	];
}
