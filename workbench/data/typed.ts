/** What is typed beside the plot of a record. */
import type { RowRange } from "../contract.ts";

/** `0..40`, `40..`, `none`; `all` and nothing at all stand for what is usual; `"no range"` for anything else. */
export function rowsOf(text: string): RowRange | "none" | "usual" | "no range" {
	const word = text.trim();
	if (word === "" || word === "all") return "usual";
	if (word === "none") return "none";
	const match = /^(\d*)\s*\.\.\s*(\d*)$/.exec(word);
	if (!match) return "no range";
	const from = Number(match[1] || 0);
	if (match[2] === "") return { from };
	const to = Number(match[2]);
	return from < to ? { from, to } : "no range";
}

export function rowsText(rows: RowRange | "none" | undefined, usual: string): string {
	if (rows === undefined) return usual;
	return rows === "none" ? "none" : `${rows.from}..${rows.to ?? ""}`;
}

/** Numbers that stand for no value: NaN and the infinities may, as YAML or as files write them. */
export function markersOf(text: string): number[] {
	return text
		.split(/[\s,;]+/)
		.filter(Boolean)
		.flatMap((word) => {
			const special = /^([+-]?)\.?(nan|inf|infinity)$/i.exec(word);
			if (!special) return Number.isFinite(Number(word)) ? [Number(word)] : [];
			if (special[2].toLowerCase() === "nan") return [Number.NaN];
			return [special[1] === "-" ? -Infinity : Infinity];
		});
}
