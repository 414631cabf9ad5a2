/** Where the table begins in the first lines of a file: title lines, the line of names, the line of units, the rows. */

import { isUnitRow } from "../table/unit.ts";
import type { FieldKind } from "./csv-line.ts";

/** Places among the lines that were looked at. */
export interface Layout {
	readonly header?: number;
	readonly units?: number;
	readonly first: number;
}

/** The lines in which the table is surely: the later half, for titles stand above it. */
export function tailOf<T>(lines: readonly T[]): readonly T[] {
	return lines.slice(-Math.max(4, Math.ceil(lines.length / 2)));
}

/** As many fields as the last lines have; where these differ, as most of the later ones. */
function widthOf(rows: readonly (readonly string[])[]): number {
	const [last, before] = [rows.at(-1)!.length, rows.at(-2)?.length];
	return last === before ? last : commonest(tailOf(rows).map((row) => row.length));
}

/** The commonest of these, the first of them where several are. */
export function commonest(counts: readonly number[]): number {
	const seen = new Map<number, number>();
	for (const n of counts) seen.set(n, (seen.get(n) ?? 0) + 1);
	let best = counts[0];
	for (const [n, times] of seen) if (times > seen.get(best)!) best = n;
	return best;
}

export class LayoutSearch {
	readonly #width: number;
	/** What most rows hold in each column. */
	readonly #usual: readonly (FieldKind | undefined)[];

	constructor(
		private readonly rows: readonly (readonly string[])[],
		private readonly kinds: readonly (readonly FieldKind[])[],
	) {
		this.#width = widthOf(rows);
		this.#usual = this.#usualKinds();
	}

	/** With the line of names where somebody said so; `undefined` where no row of numbers is there. */
	find(asked?: number | "none"): Layout | undefined {
		if (typeof asked === "number") return this.#below(asked);
		const first = this.#firstRow();
		if (first === undefined) return undefined;
		if (asked === "none" || first === 0) return { first };
		const above = first - 1;
		if (!this.#names(above, first)) return { first };
		const isPair = above > 0 && this.#isWords(above) && this.#isFull(above - 1);
		if (isPair && isUnitRow(this.rows[above])) return { header: above - 1, units: above, first };
		return { header: above, first };
	}

	/** Names on a line that was given: a line of units may come next. */
	#below(header: number): Layout | undefined {
		const next = header + 1;
		if (next >= this.rows.length) return undefined;
		if (next + 1 < this.rows.length && this.#isWords(next) && this.#hasNumber(next + 1))
			return { header, units: next, first: next + 1 };
		return { header, first: next };
	}

	/** The first row that is like most rows; where none is, the first with a number, or without any word. */
	#firstRow(): number | undefined {
		const firstOf = (holds: (i: number) => boolean): number | undefined => [...this.rows.keys()].find(holds);
		const found =
			firstOf((i) => this.#hasNumber(i) && this.#isUsual(i)) ?? firstOf((i) => this.#hasNumber(i));
		if (found === undefined) return firstOf((i) => this.#isEmpty(i));
		let first = found;
		// Rows before it may lack every number: below a line of names, or where they hold nothing else.
		const isRow = (i: number): boolean =>
			this.#isEmpty(i) || (i > 0 && this.#isUsual(i) && this.#names(i - 1, found));
		while (first > 0 && this.kinds[first - 1].length === this.#width && isRow(first - 1)) first--;
		// Rows with numbers below a line of words are rows, though a column holds words in them and numbers later.
		let above = first - 1;
		while (above > 0 && this.kinds[above].length === this.#width && this.#hasNumber(above)) above--;
		if (above >= 0 && above < first - 1 && this.#isFull(above)) first = above + 1;
		// A line of numbers is no title: rows of another length are told as such when they are read.
		const numbers = firstOf(
			(i) => this.#hasNumber(i) && this.kinds[i].length > 1 && !this.kinds[i].includes("text"),
		);
		return Math.min(first, numbers ?? first);
	}

	#isUsual(i: number): boolean {
		const fits = (kind: FieldKind, c: number): boolean =>
			kind === "missing" || this.#usual[c] === undefined || kind === this.#usual[c];
		return this.kinds[i].length === this.#width && this.kinds[i].every(fits);
	}

	#isEmpty(i: number): boolean {
		return this.kinds[i].every((kind) => kind === "missing");
	}

	#usualKinds(): (FieldKind | undefined)[] {
		const rows = this.kinds.filter((kinds, i) => kinds.length === this.#width && this.#hasNumber(i));
		return Array.from({ length: this.#width }, (_, c) => {
			const counts = new Map<FieldKind, number>();
			for (const kinds of rows)
				if (kinds[c] !== "missing") counts.set(kinds[c], (counts.get(kinds[c]) ?? 0) + 1);
			let best: FieldKind | undefined;
			for (const [kind, n] of counts) if (best === undefined || n > counts.get(best)!) best = kind;
			return best;
		});
	}

	/** Whether line `i` names the columns of row `j`: words stand over numbers, and as many of them. */
	#names(i: number, j: number): boolean {
		const [over, under] = [this.kinds[i], this.kinds[j]];
		if (over.length === 1 && under.length > 1) return false;
		return over.some((kind, c) => kind === "text" && c < under.length && under[c] !== "text");
	}

	#hasNumber(i: number): boolean {
		return this.kinds[i].includes("number") || this.kinds[i].includes("stamp");
	}

	#isWords(i: number): boolean {
		return !this.#hasNumber(i) && this.kinds[i].length > 0;
	}

	/** A line of names has one for each column; a title that a spreadsheet wrote has one and empty fields. */
	#isFull(i: number): boolean {
		const { length } = this.rows[i];
		const said = this.rows[i].filter((field) => field !== "").length;
		return length === this.#width && this.#isWords(i) && 2 * said > length;
	}
}
