/** Finds out how a text file is written: its delimiter, its header and units, and where its rows begin. */
import { InputError } from "../errors.ts";
import { fieldKind, nameAndUnit, splitFields, unitOf, WHITESPACE } from "./csv-line.ts";
import { MAX_COLUMNS } from "./limits.ts";

const SAMPLE_LINES = 50;
const SAMPLE_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
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
}

interface SampleLine {
	text: string;
	start: number;
	line: number;
}

export function csvHead(bytes: Uint8Array, source: string): CsvHead {
	const { lines, comment } = sampleLines(bytes, source);
	// Excel's own way to say the delimiter.
	const forced = /^sep=(.)$/i.exec(lines[0]?.text.trim() ?? "");
	if (forced !== null) lines.shift();
	if (lines.length === 0) {
		throw new InputError(source, "has no rows", "Give a file with one row of numbers for each sample.");
	}
	const delimiter = forced === null ? findDelimiter(lines) : forced[1];
	const rows = lines.map((line) => splitFields(line.text, delimiter));
	const kinds = rows.map((row) => row.map((field) => fieldKind(field, delimiter)));
	const isHeader = (i: number, j: number) =>
		j < rows.length &&
		kinds[i].some((kind, c) => kind === "text" && c < kinds[j].length && kinds[j][c] !== "text");
	const isWords = (i: number) =>
		i < rows.length && !kinds[i].includes("number") && !kinds[i].includes("stamp");

	let first = 0;
	let header: string[] | undefined;
	let unitRow: string[] | undefined;
	if (isWords(0) && isWords(1) && isHeader(1, 2) && rows[0].length === rows[1].length) {
		header = rows[0];
		unitRow = rows[1];
		first = 2;
	} else if (isHeader(0, 1)) {
		header = rows[0];
		first = 1;
	} else if (isWords(0)) {
		throw new InputError(
			`${source} line ${lines[0].line}`,
			`holds no number and no row of numbers follows it: ${shorten(lines[0].text)}`,
			"A text file is one optional line of names, one optional line of units, then rows of numbers.",
		);
	} else if (comment !== undefined) {
		const words = splitFields(comment, delimiter);
		if (words.length > 1 && words.length === rows[0].length && words.every((w) => /^[A-Za-z_]/.test(w)))
			header = words;
	}
	const nColumns = header?.length ?? rows[first].length;
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
		...namesAndUnits(nColumns, header, unitRow),
		content,
		words,
		start: lines[first].start,
		line: lines[first].line,
		rowBytes: Math.max(2, (last.start + last.text.length - lines[first].start) / (lines.length - first)),
	};
}

function namesAndUnits(nColumns: number, header?: string[], unitRow?: string[]) {
	const names: string[] = [];
	const units: (string | undefined)[] = [];
	for (let c = 0; c < nColumns; c++) {
		const { name, unit } = nameAndUnit(header?.[c] ?? "");
		names.push(name);
		units.push(unit ?? (unitRow === undefined ? undefined : unitOf(unitRow[c])));
	}
	// `x [m]` and `x [mm]` side by side keep their headers whole.
	const times = new Map<string, number>();
	for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
	return { names: names.map((name, c) => (times.get(name)! > 1 && header?.[c] ? header[c] : name)), units };
}

/** The delimiter that makes most fields numbers in lines that have as many fields as most lines do. */
function findDelimiter(lines: SampleLine[]): string {
	let best = ",";
	let bestScore = 0;
	for (const delimiter of DELIMITERS) {
		const rows = lines.map((line) => splitFields(line.text, delimiter));
		const width = commonest(rows.map((row) => row.length));
		if (width < 2) continue;
		let score = 0;
		for (const row of rows) {
			if (row.length !== width) continue;
			for (const field of row) {
				const kind = fieldKind(field, delimiter);
				score += kind === "number" || kind === "stamp" ? 1 : kind === "text" ? -0.5 : 0;
			}
		}
		if (score > bestScore) {
			best = delimiter;
			bestScore = score;
		}
	}
	return best;
}

function commonest(counts: number[]): number {
	const seen = new Map<number, number>();
	for (const n of counts) seen.set(n, (seen.get(n) ?? 0) + 1);
	let best = counts[0];
	for (const [n, times] of seen) if (times > seen.get(best)!) best = n;
	return best;
}

/** The first lines that are no comment and not blank, and the comment right before them, without its mark. */
function sampleLines(
	bytes: Uint8Array,
	source: string,
): { lines: SampleLine[]; comment: string | undefined } {
	const decoder = new TextDecoder();
	const lines: SampleLine[] = [];
	let comment: string | undefined;
	let line = 1;
	for (let start = 0; start < bytes.length; line++) {
		let end = start;
		while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) {
			if (bytes[end] === 0) {
				throw new InputError(
					`${source} line ${line}`,
					"holds a zero byte, so this is no text file",
					"Known are text (csv, tsv), MAT v5 and v7.3, and parquet.",
				);
			}
			if (++end - start > MAX_LINE_BYTES) {
				throw new InputError(
					`${source} line ${line}`,
					"is longer than 16 MiB",
					"Give one row for each sample.",
				);
			}
		}
		const text = decoder.decode(bytes.subarray(start, end));
		const bare = text.trim();
		const mark = commentMark(bare);
		if (mark > 0) {
			if (lines.length === 0)
				comment = bare
					.slice(mark)
					.replace(/^[#%/]+/, "")
					.trim();
		} else if (bare !== "") {
			lines.push({ text, start, line });
		}
		start = end + (bytes[end] === 13 && bytes[end + 1] === 10 ? 2 : 1);
		if (lines.length >= SAMPLE_LINES || (lines.length >= 4 && start > SAMPLE_BYTES)) break;
	}
	return { lines, comment };
}

function commentMark(bare: string): number {
	return bare.startsWith("#") || bare.startsWith("%") ? 1 : bare.startsWith("//") ? 2 : 0;
}

export function shorten(text: string): string {
	const one = text.trim();
	return JSON.stringify(one.length > 40 ? `${one.slice(0, 37)}...` : one);
}
