/** Tables of PEtab: tab-separated text with a header. */
import { InputError } from "../../errors.ts";
import { decimalNumber } from "../numbers.ts";

export interface PetabRow {
	/** Line of the file, from 1. */
	readonly line: number;
	/** Text of a cell; empty where the column is missing or the cell is empty. */
	get(column: string): string;
}

export interface PetabTable {
	readonly file: string;
	readonly columns: readonly string[];
	readonly rows: readonly PetabRow[];
}

/** Throws when a column that must be there is not, or when a row has more cells than the header. */
export function petabTable(text: string, file: string, needed: readonly string[]): PetabTable {
	const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
	const columns = lines[0].split("\t").map(plain);
	const missing = needed.filter((name) => !columns.includes(name));
	if (missing.length > 0)
		throw new InputError(
			`${file}:1`,
			`the table has no column ${missing.join(", ")}`,
			`It has ${columns.join(", ")}. Columns are separated by tabs.`,
		);
	const rows = lines.flatMap((line, i): PetabRow[] => {
		if (i === 0 || line.trim() === "") return [];
		const cells = line.split("\t").map(plain);
		if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== ""))
			throw new InputError(
				`${file}:${i + 1}`,
				`the row has ${cells.length} cells, the header ${columns.length}`,
				"Give each cell a column.",
			);
		const values = new Map(columns.map((name, c) => [name, cells[c] ?? ""]));
		return [{ line: i + 1, get: (column) => values.get(column) ?? "" }];
	});
	return { file, columns, rows };
}

/** Without the quotes that some programs put around a cell. */
function plain(cell: string): string {
	const text = cell.trim();
	return /^".*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
}

/** A number; `undefined` for an empty cell, NaN, and what is none. */
export function cellNumber(text: string): number | undefined {
	if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
	return decimalNumber(text);
}
