/** `train` and `test`: rows of the records (`1000..40000`, 0-based, half-open), or other records to test on. */

import type { Rows, Selection } from "../study.ts";
import { oneOrMany, type Place, type Shape } from "../text/schema.ts";

const words = "rows like 1000..40000 (from 0, the end not included)";

/** `100..200`, `100..` to the end, `..200` from the start. */
function readRows(place: Place, expects: string): Rows | undefined {
	const { tree } = place;
	const value = tree.kind === "scalar" ? String(tree.value) : "";
	const match = /^\s*(\d{0,15})\s*\.\.\s*(\d{0,15})\s*$/.exec(value.replaceAll("_", ""));
	if (!match || (match[1] === "" && match[2] === "")) {
		const slip = /^\s*(\d+)\s*(?::|-|,|to|\.\.\.)\s*(\d+)\s*$/.exec(value);
		return place.expected(expects, slip ? `Write  ${slip[1]}..${slip[2]}` : "");
	}
	const from = match[1] === "" ? 0 : Number(match[1]);
	const to = match[2] === "" ? Infinity : Number(match[2]);
	if (!(from < to)) {
		return place.wrong(
			`${place.path}: the range ${value} is empty`,
			"The first row is counted, the last is not: 0..100 are the first 100 rows.",
		);
	}
	return { from, to };
}

export const rowsShape: Shape<Rows> = { expects: words, read: (place) => readRows(place, words) };

const selectionShape: Shape<Selection> = {
	expects: `${words}, or none`,
	read(place) {
		if (place.tree.kind === "scalar" && place.tree.value === "none") return "none";
		return readRows(place, this.expects);
	},
};

export const trainShape: Shape<Selection[]> = oneOrMany(selectionShape);

export type TestEntry<R> =
	| { readonly kind: "rows"; readonly rows: Selection }
	| { readonly kind: "record"; readonly record: R };

export function testShape<R>(record: Shape<R>): Shape<TestEntry<R>[]> {
	return oneOrMany({
		expects: `${words}, or a record like { file: other.csv }`,
		read(place): TestEntry<R> | undefined {
			if (place.tree.kind === "map") {
				const read = record.read(place);
				return read && { kind: "record", record: read };
			}
			const rows = place.tree.kind === "list" ? place.expected(this.expects) : selectionShape.read(place);
			return rows && { kind: "rows", rows };
		},
	});
}
