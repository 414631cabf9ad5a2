/**
 * Delimited text: comma, semicolon, tab, pipe or blanks, found out from the first lines; a decimal comma where the
 * delimiter is none; lines that start with # % or // are comments; lines of a title, a header and a row of units if there
 * are any. An empty field, `NA`, `NaN` and their like are missing values; `<0.05` and `>100` are limits of values. A column of dates becomes seconds since its
 * first. A column that starts with text is skipped and listed.
 */
import { InputError } from "../../errors.ts";
import { allocate } from "../read/limits.ts";
import { Labels } from "../table/labels.ts";
import { infinityOf, MissingWords, type OddWord } from "../table/missing-words.ts";
import { type Column, type SkippedColumn, type Table, tableOf } from "../table/table.ts";
import {
	checkChoices,
	type DateReading,
	type Decimal,
	type Reading,
	SEPARATORS,
	type Separator,
	type TableChoices,
} from "../table/table-choices.ts";
import { DateColumn } from "../time/date-column.ts";
import { numberEnd, scanNumber } from "../time/decimal.ts";
import { type CsvHead, csvHead, NUMBERS, STAMPS, shorten, TEXT } from "./csv-head.ts";
import { ERROR_VALUE, isDecimalComma, isLimit, isNumber, limitOf, WHITESPACE } from "./csv-line.ts";

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;
const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
/** A text decoded in one piece must fit a string. */
const MAX_UTF16_BYTES = 256 * 1024 * 1024;

export function readCsv(bytes: Uint8Array, source: string, choices: TableChoices = {}): Table {
	checkChoices(choices);
	const text = asUtf8(bytes, source);
	const head = csvHead(text, source, choices);
	if (choices.decimal !== "comma") {
		const rows = new Rows(text, head, source, POINT, choices);
		if (rows.read()) return rows.table();
	}
	const rows = new Rows(text, head, source, COMMA, choices);
	rows.read();
	return rows.table();
}

/** The rows of a file. Columns grow together; `read` is the one hot loop of this module. */
class Rows {
	private readonly data: Float64Array[] = [];
	private readonly missing: (Uint8Array | undefined)[] = [];
	private readonly limits: (Int8Array | undefined)[] = [];
	private readonly odd: (OddWord | undefined)[] = [];
	/** Words of the columns of text. */
	private readonly labels: (Labels | undefined)[] = [];
	private readonly dates: (DateColumn | undefined)[] = [];
	private readonly words: MissingWords;
	private readonly delimiter: number;
	private readonly blanks: boolean;
	private capacity: number;
	private nRows = 0;
	private line: number;
	/** The last row with a word for "no value". */
	private lastWord = -1;
	/** What `oddField` read. */
	private value = 0;

	constructor(
		private readonly bytes: Uint8Array,
		private readonly head: CsvHead,
		private readonly source: string,
		private readonly point: number,
		private readonly choices: TableChoices,
	) {
		this.words = new MissingWords(choices.words);
		this.delimiter = head.delimiter.charCodeAt(0);
		this.blanks = head.delimiter === WHITESPACE;
		this.line = head.line;
		this.capacity = Math.ceil(((bytes.length - head.start) / head.rowBytes) * 1.02) + 16;
		for (let c = 0; c < head.names.length; c++) {
			this.data.push(allocate(head.content[c] === TEXT ? 0 : this.capacity, source));
			this.missing.push(undefined);
			this.limits.push(undefined);
			this.labels.push(head.content[c] === TEXT ? new Labels() : undefined);
			this.dates.push(head.content[c] === STAMPS ? new DateColumn(choices.dates) : undefined);
		}
	}

	/** False when the numbers turn out to have decimal commas while points were looked for. */
	read(): boolean {
		const { bytes, delimiter, blanks, point, data } = this;
		const { content } = this.head;
		const end = bytes.length;
		const nColumns = data.length;
		let i = this.head.start;
		let row = 0;
		while (i < end) {
			i = skipBlanks(bytes, i, end, delimiter, blanks);
			if (isLineEnd(bytes, i, end) || isComment(bytes, i)) {
				while (!isLineEnd(bytes, i, end)) i++;
				i = this.endLine(i);
				continue;
			}
			if (row === this.capacity) this.grow();
			let column = 0;
			for (;;) {
				let value = scanNumber(bytes, i, end, point);
				let j = skipBlanks(bytes, numberEnd, end, delimiter, blanks);
				const atEnd = isLineEnd(bytes, j, end);
				const delimited = atEnd || (blanks ? j > numberEnd : bytes[j] === delimiter);
				if (numberEnd === i || !delimited || column >= nColumns || content[column] !== NUMBERS) {
					j = this.oddField(i, column, row);
					if (j < 0) return false;
					value = this.value;
				}
				if (column < nColumns) data[column][row] = value;
				i = j;
				if (isLineEnd(bytes, i, end)) break;
				column++;
				if (!blanks) i = skipBlanks(bytes, i + 1, end, delimiter, false);
			}
			if (column + 1 < nColumns) throw this.ragged(column + 1);
			row++;
			i = this.endLine(i);
		}
		this.nRows = row;
		return true;
	}

	table(): Table {
		this.dropEmptyEnd();
		const { head, nRows } = this;
		const columns: Column[] = [];
		const skipped: SkippedColumn[] = [];
		const dates: DateReading[] = [];
		for (let c = 0; c < head.names.length; c++) {
			const name = head.names[c] === "" ? `c${c + 1}` : head.names[c];
			if (head.content[c] === TEXT) {
				const labels = this.labels[c]!.rows(nRows);
				const why = `holds text: ${shorten(head.words[c] ?? "")}`;
				skipped.push({ name, why, ...(labels ? { labels } : {}) });
				continue;
			}
			const missing = this.missing[c]?.slice(0, nRows);
			// A delimiter at the end of every line makes no column.
			if (head.names[c] === "" && missing?.every((m) => m === 1)) continue;
			const whole = this.data[c];
			const column: Column = {
				name,
				values: whole.length > 1.2 * nRows ? whole.slice(0, nRows) : whole.subarray(0, nRows),
			};
			if (head.units[c] !== undefined) column.unit = head.units[c];
			if (missing?.includes(1)) column.missing = missing;
			const limits = this.limits[c]?.slice(0, nRows);
			if (limits) column.limits = limits;
			if (this.odd[c]) column.odd = this.odd[c];
			const read = this.dates[c]?.read(name, nRows);
			if (read !== undefined) {
				column.values = read.values;
				column.unit = "s";
				column.origin = read.reading.example;
				if (read.reading.isOpen) column.open = read.reading;
				dates.push(read.reading);
			}
			columns.push(column);
		}
		if (nRows === 0 || columns.length === 0)
			throw new InputError(
				this.source,
				"has no rows of numbers",
				"Below a header, each line holds the numbers of one sample. Is it the right file?",
			);
		return { ...tableOf(this.source, columns, skipped), reading: this.reading(dates) };
	}

	private reading(dates: readonly DateReading[]): Reading {
		const { head } = this;
		const separators = Object.entries(SEPARATORS) as [Separator, string][];
		const separator = separators.find(([, sign]) => sign === head.delimiter)?.[0];
		const decimal: Decimal = this.point === COMMA ? "comma" : "point";
		return {
			format: "text",
			titles: head.titles,
			...(head.header === undefined ? {} : { header: head.header }),
			...(head.unitLine === undefined ? {} : { unitLine: head.unitLine }),
			firstRow: head.line,
			...(separator === undefined ? {} : { separator }),
			decimal,
			dates,
			words: this.words.seen,
		};
	}

	/**
	 * A field that is not plainly a number: empty, a word, quoted, in a column of text, or one too many. Leaves its
	 * value in `value` and returns where the field ends; -1 when it has a decimal comma in the search for points.
	 */
	private oddField(start: number, column: number, row: number): number {
		const { bytes, delimiter, blanks } = this;
		const end = bytes.length;
		let from = start;
		let to = start;
		let j: number;
		if (start < end && bytes[start] === QUOTE) {
			to = this.closingQuote(start);
			from = start + 1;
			j = skipBlanks(bytes, to + 1, end, delimiter, blanks);
		} else {
			while (!isLineEnd(bytes, to, end) && !(blanks ? isBlank(bytes[to]) : bytes[to] === delimiter)) to++;
			j = blanks ? skipBlanks(bytes, to, end, delimiter, true) : to;
		}
		if (!isLineEnd(bytes, j, end) && !(blanks ? j > to : bytes[j] === delimiter)) {
			throw this.error(column, "goes on after its closing quote", "Write a quote inside quotes twice.");
		}
		while (from < to && isBlank(bytes[from])) from++;
		while (to > from && isBlank(bytes[to - 1])) to--;
		this.value = Number.NaN;
		if (column >= this.data.length) {
			if (column > this.data.length || to > from || !isLineEnd(bytes, j, end)) throw this.ragged(column + 1);
			return j;
		}
		const content = this.head.content[column];
		if (content === TEXT) {
			this.labels[column]?.add(row, bytes.subarray(from, Math.min(to, from + 200)), bytes[start] === QUOTE);
			return j;
		}
		if (content === NUMBERS) {
			this.value = scanNumber(bytes, from, to, this.point);
			if (numberEnd === to && to > from) return j;
		}
		const field = new TextDecoder().decode(bytes.subarray(from, Math.min(to, from + 200)));
		if (this.words.has(field)) {
			const flags = (this.missing[column] ??= new Uint8Array(this.capacity));
			flags[row] = 1;
			this.words.count(field);
			if (field !== "") this.lastWord = row;
			this.dates[column]?.skip(row);
			this.value = Number.NaN;
			return j;
		}
		if (content === NUMBERS && isLimit(field)) return this.limitField(field, column, row, j);
		const infinity = infinityOf(field);
		if (content === STAMPS) {
			const place = (): string => this.place(column);
			this.dates[column]!.add(row, field, this.line, place);
		} else if (infinity !== undefined) {
			this.value = infinity;
		} else if (this.point === POINT && isDecimalComma(field, this.head.delimiter)) {
			if (this.choices.decimal === undefined) return -1;
			throw this.error(
				column,
				`holds ${shorten(field)}, and decimals are said to have a point`,
				"Correct the field, or say  decimal: comma",
			);
		} else if (this.point === COMMA && isNumber(field)) {
			throw this.error(
				column,
				`holds ${shorten(field)}, elsewhere the file has decimal commas`,
				"Use one decimal mark.",
			);
		} else {
			// Who wants this column is told; of others it may be a remark.
			this.odd[column] ??= { place: this.place(column), word: field, shown: shorten(field) };
			const flags = (this.missing[column] ??= new Uint8Array(this.capacity));
			flags[row] = 1;
			this.value = Number.NaN;
		}
		return j;
	}

	/** `<0.05`: the limit is the value, and it is kept that it is one. Returns where the field ends, as `oddField` does. */
	private limitField(field: string, column: number, row: number, end: number): number {
		const limit = limitOf(field);
		const bytes = new TextEncoder().encode(limit);
		this.value = scanNumber(bytes, 0, bytes.length, this.point);
		if (numberEnd !== bytes.length) {
			const isOther = this.point === POINT && isDecimalComma(limit, this.head.delimiter);
			if (isOther && this.choices.decimal === undefined) return -1;
			throw this.error(
				column,
				`holds ${shorten(field)}, which is no limit of a number`,
				"Write, for example,  <0.05  or  >100, or leave the field empty if there is no value.",
			);
		}
		const flags = (this.limits[column] ??= new Int8Array(this.capacity));
		flags[row] = field.startsWith("<") ? -1 : 1;
		return end;
	}

	/** The quote that closes the one at `start`. */
	private closingQuote(start: number): number {
		const { bytes } = this;
		const line = this.line;
		for (let j = start + 1; j < bytes.length; j++) {
			if (bytes[j] === QUOTE) {
				if (bytes[j + 1] !== QUOTE) return j;
				j++;
			} else if (bytes[j] === NEWLINE || (bytes[j] === RETURN && bytes[j + 1] !== NEWLINE)) {
				this.line++;
			}
		}
		throw new InputError(
			`${this.source} line ${line}`,
			"opens a quote that is never closed",
			"Close or remove it.",
		);
	}

	/** Steps over the end of a line (or of the file) at `i`. */
	private endLine(i: number): number {
		this.line++;
		return i + (this.bytes[i] === RETURN && this.bytes[i + 1] === NEWLINE ? 2 : 1);
	}

	private grow(): void {
		this.capacity = Math.ceil(this.capacity * 1.5) + 64;
		for (let c = 0; c < this.data.length; c++) {
			if (this.head.content[c] === TEXT) continue;
			const data = allocate(this.capacity, this.source);
			data.set(this.data[c]);
			this.data[c] = data;
			const missing = this.missing[c];
			if (missing !== undefined) {
				this.missing[c] = new Uint8Array(this.capacity);
				this.missing[c]!.set(missing);
			}
			const limits = this.limits[c];
			if (limits !== undefined) {
				this.limits[c] = new Int8Array(this.capacity);
				this.limits[c]!.set(limits);
			}
		}
	}

	/** Spreadsheets may end with rows that are nothing but delimiters. */
	private dropEmptyEnd(): void {
		const flags = this.missing.filter((_, c) => this.head.content[c] !== TEXT);
		const isEmpty = (row: number): boolean => row > this.lastWord && flags.every((f) => f?.[row] === 1);
		while (this.nRows > 0 && isEmpty(this.nRows - 1)) this.nRows--;
	}

	private ragged(fields: number): InputError {
		const counted = (n: number): string => `${n} field${n === 1 ? "" : "s"}`;
		const found = fields > this.data.length ? `more than ${counted(this.data.length)}` : counted(fields);
		const first = this.head.names.some((name) => name !== "") ? "header" : "first row";
		return new InputError(
			`${this.source} line ${this.line}`,
			`has ${found}, the ${first} has ${this.data.length}`,
			"Give every row as many fields; leave a field empty where there is no value.",
		);
	}

	private place(column: number): string {
		return `${this.source} line ${this.line}, field ${column + 1}`;
	}

	private error(column: number, problem: string, remedy: string): InputError {
		return new InputError(this.place(column), problem, remedy);
	}
}

function isBlank(c: number): boolean {
	return c === BLANK || c === TAB;
}

function isLineEnd(bytes: Uint8Array, i: number, end: number): boolean {
	return i >= end || bytes[i] === NEWLINE || bytes[i] === RETURN;
}

/** Past blanks, and past tabs where a tab is no delimiter. */
function skipBlanks(bytes: Uint8Array, i: number, end: number, delimiter: number, blanks: boolean): number {
	while (i < end && (bytes[i] === BLANK || bytes[i] === TAB) && (blanks || bytes[i] !== delimiter)) i++;
	return i;
}

/** Whether `#`, `%` or `//` stands here; `#N/A` is none. */
function isComment(bytes: Uint8Array, i: number): boolean {
	if (bytes[i] === 35) return !ERROR_VALUE.test(String.fromCharCode(...bytes.subarray(i, i + 10)));
	return bytes[i] === 37 || (bytes[i] === 47 && bytes[i + 1] === 47);
}

/** Without a byte order mark, and from UTF-16 when the mark says so. */
function asUtf8(bytes: Uint8Array, source: string): Uint8Array {
	if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
	const little = bytes[0] === 0xff && bytes[1] === 0xfe;
	if (!little && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return bytes;
	if (bytes.length > MAX_UTF16_BYTES) {
		throw new InputError(source, "is a UTF-16 text of more than 256 MiB", "Save it as UTF-8.");
	}
	return new TextEncoder().encode(
		new TextDecoder(little ? "utf-16le" : "utf-16be").decode(bytes.subarray(2)),
	);
}
