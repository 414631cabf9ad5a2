/** A sheet as text with tabs: its rows in their places, so that a line of the text is a row of the sheet. */
import { InputError } from "../../errors.ts";
import { isNumber } from "../csv/csv-line.ts";
import { MAX_COLUMNS } from "../read/limits.ts";
import { serialDate } from "./xlsx-dates.ts";
import { parseXml } from "./xlsx-xml.ts";

const MAX_ROWS = 1_048_576;
/** Of the whole sheet, empty ones between counted. */
const MAX_CELLS = 60_000_000;

export class SheetText {
	/** By row, from 0; holes are empty rows. */
	readonly #rows: (string[] | undefined)[] = [];
	#width = 0;
	#hasNumber = false;
	#row = -1;
	#column = -1;
	#type = "n";
	#style = 0;
	#value = "";
	#inValue = false;

	constructor(
		private readonly strings: readonly string[],
		private readonly dates: ReadonlySet<number>,
		private readonly from1904: boolean,
		private readonly subject: string,
	) {}

	/** `undefined` where no cell holds a number. */
	read(xml: Uint8Array): string | undefined {
		parseXml(xml, this.subject, {
			open: (name, attribute) => {
				if (name === "row") this.#beginRow(attribute("r"));
				else if (name === "c") this.#beginCell(attribute("r"), attribute("t"), attribute("s"));
				else if (name === "v" || name === "t") this.#inValue = true;
				else if (name === "rPh") this.#inValue = false;
			},
			text: (part) => {
				if (this.#inValue) this.#value += part;
			},
			close: (name) => {
				if (name === "v" || name === "t") this.#inValue = false;
				else if (name === "c") this.#endCell();
			},
		});
		if (!this.#hasNumber) return undefined;
		if (this.#rows.length * this.#width > MAX_CELLS)
			throw new InputError(
				this.subject,
				`spans ${this.#rows.length} rows and ${this.#width} columns, more than is read`,
				"Keep the columns of the study, and save them as csv.",
			);
		const lines = Array.from(this.#rows, (cells) =>
			cells === undefined ? "" : Array.from({ length: this.#width }, (_, c) => cells[c] ?? "").join("\t"),
		);
		return `${lines.join("\n")}\n`;
	}

	#beginRow(at: string | undefined): void {
		const row = at === undefined ? this.#row + 1 : Number(at) - 1;
		if (!(Number.isInteger(row) && row > this.#row && row < MAX_ROWS))
			throw this.#damaged(
				`has ${at === undefined ? "one more row" : `the row ${at}`} after the row ${this.#row + 1}`,
			);
		this.#row = row;
		this.#column = -1;
	}

	#beginCell(at: string | undefined, type = "n", style = "0"): void {
		const letters = at === undefined ? undefined : /^[A-Z]{1,3}/.exec(at)?.[0];
		if (at !== undefined && letters === undefined) throw this.#damaged(`has a cell ${at}`);
		this.#column = letters === undefined ? this.#column + 1 : columnOf(letters);
		if (!(this.#column < MAX_COLUMNS)) throw this.#damaged(`has more than ${MAX_COLUMNS} columns`);
		this.#type = type;
		this.#style = Number(style);
		this.#value = "";
	}

	#endCell(): void {
		const field = this.#field();
		if (field === "" || this.#row < 0) return;
		const cells = (this.#rows[this.#row] ??= []);
		cells[this.#column] = field;
		this.#width = Math.max(this.#width, this.#column + 1);
	}

	#field(): string {
		const value = this.#value;
		switch (this.#type) {
			case "s":
				return this.#words(this.strings[Number(value)] ?? "");
			case "str":
			case "inlineStr":
				return this.#words(value);
			case "b":
			case "e":
				return value.trim();
			case "d":
				return this.#number(value.trim().replace("T", " "));
			default: {
				const text = value.trim();
				if (text === "") return "";
				if (this.dates.has(this.#style)) return this.#number(serialDate(Number(text), this.from1904) ?? text);
				return isNumber(text) ? this.#number(text) : this.#words(text);
			}
		}
	}

	#number(text: string): string {
		this.#hasNumber = true;
		return text;
	}

	/** Quoted, so that nothing in them is a comment or a separator; numbers that were typed as text stay numbers. */
	#words(text: string): string {
		const one = text.replace(/[\t\r\n]+/g, " ").trim();
		if (one === "") return "";
		return isNumber(one) ? this.#number(one) : `"${one.replaceAll('"', '""')}"`;
	}

	#damaged(problem: string): InputError {
		return new InputError(this.subject, problem, "The file is damaged: save it again.");
	}
}

function columnOf(letters: string): number {
	let column = 0;
	for (const letter of letters) column = 26 * column + letter.charCodeAt(0) - 64;
	return column - 1;
}
