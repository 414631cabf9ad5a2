/** Ranges of rows: `49278..52350` is from row 49278 up to but not including 52350, counted from 0. */
import { InputError } from "../../errors.ts";

export interface RowRange {
	from: number;
	/** The first row after the range. */
	to: number;
}

export function parseRows(text: string, subject = "rows"): RowRange {
	const match = /^\s*(\d+)\s*\.\.\s*(\d+)\s*$/.exec(text);
	if (match === null) {
		throw new InputError(subject, `is ${JSON.stringify(text)}, no range of rows`, "Write it as 1000..40000.");
	}
	const range = { from: Number(match[1]), to: Number(match[2]) };
	if (!(range.from < range.to && Number.isSafeInteger(range.to))) {
		throw new InputError(
			subject,
			`is ${text.trim()}, which holds no row`,
			"Write the smaller row first; the last row is not in it.",
		);
	}
	return range;
}

/** One range or several, as a list or separated by commas, in the order given. */
export function parseRowList(text: string | readonly string[], subject = "rows"): RowRange[] {
	const parts = typeof text === "string" ? text.split(",") : text;
	return parts.map((part) => parseRows(part, subject));
}

export function rowsText({ from, to }: RowRange): string {
	return `${from}..${to}`;
}
