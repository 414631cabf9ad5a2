/** Finds out how a text file is written: its delimiter, its header and units, and where its rows begin. */
import { InputError } from "../../errors.ts";
import { MAX_COLUMNS } from "../read/limits.ts";
import { MissingWords } from "../table/missing-words.ts";
import { SEPARATORS, type TableChoices } from "../table/table-choices.ts";
import { namesAndUnits, unitOf } from "../table/unit.ts";
import { commonest, type Layout, LayoutSearch, tailOf } from "./csv-layout.ts";
import { fieldKind, splitFields, WHITESPACE } from "./csv-line.ts";
import { type SampleLine, sampleLines } from "./csv-sample.ts";

/** In the order in which they win a draw. A blank stands for any run of blanks and tabs. */
const DELIMITERS = ["\t", ";", "|", ",", WHITESPACE];

export const NUMBERS = 0;
export const TEXT = 1;
/** Dates with times. */
export const STAMPS = 2;

export interface CsvHead {
	delimiter: string;
	/** Empty where the file names no column. */
	names: string[];
	units: (string | undefined)[];
	/** What each column holds: NUMBERS, TEXT or STAMPS. */
	content: Uint8Array;
	/** The first words of each column of TEXT, to be shown. */
	words: (string | undefined)[];
	/** Byte and line (from 1) of the first row. */
	start: number;
	line: number;
	/** Bytes of a row, for a first guess of their number. */
	rowBytes: number;
	/** Lines above the names, and the lines (from 1) of names and units. */
	titles: string[];
	header?: number;
	unitLine?: number;
}

export function csvHead(bytes: Uint8Array, source: string, choices: TableChoices = {}): CsvHead {
	const asked = typeof choices.header === "number" ? choices.header : 0;
	const { lines, comment } = sampleLines(bytes, source, asked);
	// Excel's own way to say the delimiter.
	const forced = /^sep=(.)$/i.exec(lines[0]?.text.trim() ?? "");
	if (forced !== null) lines.shift();
	if (lines.length === 0) {
		throw new InputError(source, "has no rows", "Give a file with one row of numbers for each sample.");
	}
	const missing = new MissingWords(choices.words);
	const delimiter = delimiterOf(choices, forced?.[1], lines, missing);
	const rows = lines.map((line) => splitFields(line.text, delimiter));
	const kinds = rows.map((row) => row.map((field) => fieldKind(field, delimiter, missing)));
	const { header, units, first } = layoutOf(choices, lines, new LayoutSearch(rows, kinds), source);

	const names = header === undefined ? namesInComment(comment, rows[first], delimiter) : rows[header];
	const nColumns = names?.length ?? rows[first].length;
	if (nColumns > MAX_COLUMNS) {
		throw new InputError(
			source,
			`has ${nColumns} columns, more than ${MAX_COLUMNS}`,
			"Keep the columns of the study.",
		);
	}
	const content = new Uint8Array(nColumns);
	const words = new Array<string | undefined>(nColumns);
	for (let c = 0; c < nColumns; c++) {
		const row = kinds.findIndex((kind, i) => i >= first && c < kind.length && kind[c] !== "missing");
		const kind = row < 0 ? "missing" : kinds[row][c];
		content[c] = kind === "text" ? TEXT : kind === "stamp" ? STAMPS : NUMBERS;
		if (kind === "text") words[c] = rows[row][c];
	}
	const last = lines[lines.length - 1];
	return {
		delimiter,
		...columnHeads(nColumns, names, units === undefined ? undefined : rows[units]),
		content,
		words,
		start: lines[first].start,
		line: lines[first].line,
		rowBytes: Math.max(2, (last.start + last.text.length - lines[first].start) / (lines.length - first)),
		titles: rows.slice(0, header ?? first).map((row) => titleOf(row, delimiter)),
		...(header === undefined ? {} : { header: lines[header].line }),
		...(units === undefined ? {} : { unitLine: lines[units].line }),
	};
}

/** As a sentence again, without the empty fields of a spreadsheet. */
function titleOf(fields: readonly string[], delimiter: string): string {
	const sign = delimiter === WHITESPACE || delimiter === "\t" ? " " : `${delimiter} `;
	return fields.filter((field) => field !== "").join(sign);
}

function layoutOf(
	{ header }: TableChoices,
	lines: readonly SampleLine[],
	search: LayoutSearch,
	source: string,
): Layout {
	const place = typeof header === "number" ? lines.findIndex(({ line }) => line === header) : header;
	if (place === -1)
		throw new InputError(
			`${source} line ${header}`,
			"is said to hold the names of the columns, and holds nothing",
			"Give the number of another line; lines count from 1.",
		);
	const layout = search.find(place);
	if (layout) return layout;
	throw new InputError(
		`${source} line ${lines[0].line}`,
		`holds no number and no row of numbers follows it: ${shorten(lines[0].text)}`,
		"A text file is optional lines of a title, one of names, one of units, then rows of numbers.",
	);
}

/** Names may stand in the comment right above the rows. */
function namesInComment(comment: string | undefined, row: readonly string[], delimiter: string) {
	if (comment === undefined) return undefined;
	const words = splitFields(comment, delimiter);
	const areNames =
		words.length > 1 && words.length === row.length && words.every((w) => /^[A-Za-z_]/.test(w));
	return areNames ? words : undefined;
}

function columnHeads(nColumns: number, header?: string[], unitRow?: string[]) {
	const heads = namesAndUnits(Array.from({ length: nColumns }, (_, c) => header?.[c] ?? ""));
	return {
		names: heads.map(({ name }) => name),
		units: heads.map(({ unit }, c) => (unitRow?.[c] === undefined ? undefined : unitOf(unitRow[c])) ?? unit),
	};
}

function delimiterOf(
	{ separator }: TableChoices,
	forced: string | undefined,
	lines: readonly SampleLine[],
	missing: MissingWords,
): string {
	return separator === undefined ? (forced ?? findDelimiter(lines, missing)) : SEPARATORS[separator];
}

/** The delimiter that makes most fields numbers in lines that have as many fields as most lines do. */
function findDelimiter(lines: readonly SampleLine[], missing: MissingWords): string {
	let best = ",";
	let bestScore = -Infinity;
	for (const delimiter of DELIMITERS) {
		const rows = tailOf(lines).map((line) => splitFields(line.text, delimiter));
		const width = commonest(rows.map((row) => row.length));
		if (width < 2) continue;
		let score = 0;
		let numbers = 0;
		for (const row of rows) {
			// A sign that takes the names apart in another way than the rows is hardly the one.
			if (row.length !== width) {
				score -= 0.5 * row.length;
				continue;
			}
			for (const field of row) {
				const kind = fieldKind(field, delimiter, missing);
				if (kind === "number" || kind === "stamp") numbers++;
				else if (kind === "text") score -= 0.5;
			}
		}
		score += numbers;
		if (numbers > 0 && score > bestScore) {
			best = delimiter;
			bestScore = score;
		}
	}
	return best;
}

export function shorten(text: string): string {
	const one = text.trim();
	return JSON.stringify(one.length > 40 ? `${one.slice(0, 37)}...` : one);
}
