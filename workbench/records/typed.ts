/** What is typed beside the plot of a record. */
import type { RowRange } from "../contract.ts";
import type { Typed } from "../page/typed.ts";

/** `0..40`, `40..`, `none`; `all` and nothing at all stand for what is usual. */
export function rowsOf(text: string): Typed<RowRange | "none" | "usual"> {
	const word = text.trim();
	if (word === "" || word === "all") return { value: "usual" };
	if (word === "none") return { value: "none" };
	const why = "is no range: write 0..40, 40.., all or none, the smaller row first";
	const match = /^(\d*)\s*\.\.\s*(\d*)$/.exec(word);
	if (!match) return { why };
	const from = Number(match[1] || 0);
	if (match[2] === "") return { value: { from } };
	const to = Number(match[2]);
	return from < to ? { value: { from, to } } : { why };
}

export function rowsText(rows: RowRange | "none" | undefined, usual: string): string {
	if (rows === undefined) return usual;
	return rows === "none" ? "none" : `${rows.from}..${rows.to ?? ""}`;
}

/** Numbers that stand for no value: NaN and the infinities may, as YAML or as files write them. */
export function markersOf(text: string): Typed<number[]> {
	const markers = text
		.split(/[\s,;]+/)
		.filter(Boolean)
		.map((word) => {
			const special = /^([+-]?)\.?(nan|inf|infinity)$/i.exec(word);
			if (!special) return Number.isFinite(Number(word)) ? Number(word) : undefined;
			if (special[2].toLowerCase() === "nan") return Number.NaN;
			return special[1] === "-" ? -Infinity : Infinity;
		});
	const read = markers.filter((each) => each !== undefined);
	return read.length === markers.length ? { value: read } : { why: "is not a list of numbers, NaN or inf" };
}
