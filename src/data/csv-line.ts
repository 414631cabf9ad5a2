/** Lines and fields of delimited text, for the head of a file and for messages; rows of numbers have a faster way. */

import { parseTimeStamp } from "./time-stamp.ts";

export const WHITESPACE = " ";

/** A number with a decimal point. */
// Each digit has one place to go: a long name of digits is told from a number in one pass.
const POINT_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eEdD][+-]?\d+)?$/;
const COMMA_NUMBER = /^[+-]?(\d+(,\d*)?|,\d+)([eEdD][+-]?\d+)?$/;

export type FieldKind = "number" | "stamp" | "missing" | "text";

/** What a trimmed field without quotes is. `delimiter` decides whether a comma can be a decimal mark. */
export function fieldKind(field: string, delimiter: string): FieldKind {
	const word = wordValue(field);
	if (word !== undefined) return word === "missing" ? "missing" : "number";
	if (POINT_NUMBER.test(field)) return "number";
	if (isDecimalComma(field, delimiter)) return "number";
	return parseTimeStamp(field) ? "stamp" : "text";
}

export function isDecimalComma(field: string, delimiter: string): boolean {
	return delimiter !== "," && COMMA_NUMBER.test(field);
}

/** The value of a field that is a word: NaN and infinities are values, an empty field and `NA` are none. */
export function wordValue(field: string): number | "missing" | undefined {
	if (field.length > 9) return undefined;
	switch (field.toLowerCase()) {
		case "":
		case "na":
		case "n/a":
		case "null":
			return "missing";
		case "nan":
		case "+nan":
		case "-nan":
			return Number.NaN;
		case "inf":
		case "+inf":
		case "infinity":
		case "+infinity":
			return Number.POSITIVE_INFINITY;
		case "-inf":
		case "-infinity":
			return Number.NEGATIVE_INFINITY;
		default:
			return undefined;
	}
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
	for (let i = 0; i < line.length; i++) {
		const c = line[i];
		if (quoted) {
			if (c !== '"') field += c;
			else if (line[i + 1] === '"') field += line[i++];
			else quoted = false;
		} else if (c === '"' && field.trim() === "") {
			quoted = true;
			wasQuoted = true;
			field = "";
		} else if (isDelimiter(c)) {
			if (delimiter !== WHITESPACE || field !== "" || wasQuoted) fields.push(field.trim());
			field = "";
			wasQuoted = false;
		} else {
			field += c;
		}
	}
	if (delimiter !== WHITESPACE || field !== "" || wasQuoted) fields.push(field.trim());
	return fields;
}

/** A field of a header: `x [m]` and `x (m)` are a name and a unit. */
export function nameAndUnit(header: string): { name: string; unit?: string } {
	const [open, close] = header.endsWith("]") ? "[]" : "()";
	const at = header.lastIndexOf(open);
	if (at < 0 || !header.endsWith(close)) return { name: header };
	const [front, unit] = [header.slice(0, at), header.slice(at + 1, -1)];
	const name = front.trimEnd();
	// f(x) is a name.
	const isApart = open === "[" || name.length < front.length;
	if (unit.includes(close) || name === "" || !isApart) return { name: header };
	return unit === "" ? { name } : { name, unit };
}

/** The unit in a field of a row of units: `[m/s]`, `(V)`, `s`. */
export function unitOf(field: string): string | undefined {
	const bare = /^[[(](.*)[\])]$/.exec(field);
	const unit = (bare === null ? field : bare[1]).trim();
	return unit === "" || unit === "-" ? undefined : unit;
}
