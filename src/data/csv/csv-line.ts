/** Lines and fields of delimited text, for the head of a file and for messages; rows of numbers have a faster way. */
import { infinityOf, type MissingWords } from "../table/missing-words.ts";
import { dateReadings } from "../time/time-stamp.ts";

export const WHITESPACE = " ";

/** A number with a decimal point. */
// Each digit has one place to go: a long name of digits is told from a number in one pass.
const POINT_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eEdD][+-]?\d+)?$/;
const COMMA_NUMBER = /^[+-]?(\d+(,\d*)?|,\d+)([eEdD][+-]?\d+)?$/;

export type FieldKind = "number" | "stamp" | "missing" | "text";

/** What a trimmed field without quotes is. `delimiter` decides whether a comma can be a decimal mark. */
export function fieldKind(field: string, delimiter: string, missing: MissingWords): FieldKind {
	if (missing.has(field)) return "missing";
	if (isNumber(field) || infinityOf(field) !== undefined) return "number";
	if (isDecimalComma(field, delimiter)) return "number";
	if (isLimit(field) && delimiter !== WHITESPACE) return fieldKind(limitOf(field), delimiter, missing);
	return dateReadings(field) ? "stamp" : "text";
}

/** `<0.05` or `> 100`: a value that an instrument could not tell. */
export function isLimit(field: string): boolean {
	return /^[<>]\s*[-+.,\d]/.test(field);
}

/** What stands behind the sign. */
export function limitOf(field: string): string {
	return field.slice(1).trimStart();
}

export function isNumber(field: string): boolean {
	return POINT_NUMBER.test(field);
}

export function isDecimalComma(field: string, delimiter: string): boolean {
	return delimiter !== "," && COMMA_NUMBER.test(field);
}

/** The fields of one line, trimmed, their quotes taken off. */
export function splitFields(line: string, delimiter: string): string[] {
	if (!line.includes('"')) {
		const text = line.trim();
		if (delimiter === WHITESPACE) return text === "" ? [] : text.split(/[ \t]+/);
		return line.split(delimiter).map((field) => field.trim());
	}
	const fields: string[] = [];
	const isDelimiter = (c: string) => (delimiter === WHITESPACE ? c === " " || c === "\t" : c === delimiter);
	let field = "";
	let quoted = false;
	let wasQuoted = false;
	// Kept beside the field: to look at the whole of it at every sign takes a time that grows with its square.
	let isBlank = true;
	const add = (c: string): void => {
		field += c;
		isBlank &&= c.trim() === "";
	};
	for (let i = 0; i < line.length; i++) {
		const c = line[i];
		if (quoted) {
			if (c !== '"') add(c);
			else if (line[i + 1] === '"') add(line[i++]);
			else quoted = false;
		} else if (c === '"' && isBlank) {
			quoted = true;
			wasQuoted = true;
			field = "";
		} else if (isDelimiter(c)) {
			if (delimiter !== WHITESPACE || field !== "" || wasQuoted) fields.push(field.trim());
			field = "";
			wasQuoted = false;
			isBlank = true;
		} else add(c);
	}
	if (delimiter !== WHITESPACE || field !== "" || wasQuoted) fields.push(field.trim());
	return fields;
}

/** Where a comment begins in a line without blanks at its ends: the length of its mark, 0 where it is none. */
export function commentMark(bare: string): number {
	if (bare.startsWith("#")) return ERROR_VALUE.test(bare) ? 0 : 1;
	return bare.startsWith("%") ? 1 : bare.startsWith("//") ? 2 : 0;
}

/** What spreadsheets write for a formula that failed: it is no comment. */
export const ERROR_VALUE = /^#(?:N\/A|NA|DIV\/0!|NUM!|VALUE!|REF!|NAME\?|NULL!)(?=[\s,;|]|$)/;
