/** Dates of a workbook are numbers of days; that they are dates stands in the style of their cells. */
import { eachElement } from "./xlsx-xml.ts";

/** Formats that every workbook has without saying so. */
function isBuiltIn(id: number): boolean {
	return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** Whether a format of numbers shows a date or a time: its letters, without what is quoted, escaped or in brackets. */
export function isDateFormat(code: string): boolean {
	if (/^\[(h+|m+|s+)\]/i.test(code)) return true;
	const bare = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, "");
	return /[dmyhs]/i.test(bare) && !/general|[0#?]\.?[0#?]*e[+-]/i.test(bare);
}

/** The styles whose numbers are dates. */
export function dateStyles(xml: Uint8Array | undefined, source: string): Set<number> {
	const dates = new Set<number>();
	if (xml === undefined) return dates;
	const formats = new Map<number, string>();
	let inCells = false;
	let style = 0;
	eachElement(xml, source, (name, attribute) => {
		if (name === "numFmt") formats.set(Number(attribute("numFmtId")), attribute("formatCode") ?? "");
		else if (name === "cellXfs" || name === "cellStyleXfs" || name === "cellStyles")
			inCells = name === "cellXfs";
		else if (name === "xf" && inCells) {
			const id = Number(attribute("numFmtId"));
			const code = formats.get(id);
			if (code === undefined ? isBuiltIn(id) : isDateFormat(code)) dates.add(style);
			style++;
		}
	});
	return dates;
}

const DAY = 86_400_000;

/** The date that a number of days stands for, to the millisecond; `undefined` for what no calendar of Excel has. */
export function serialDate(days: number, from1904: boolean): string | undefined {
	if (!(days >= 0 && days < 2_958_466)) return undefined;
	const origin = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
	const text = new Date(origin + Math.round(days * DAY)).toISOString();
	return text
		.slice(0, 23)
		.replace("T", " ")
		.replace(/\.000$/, "");
}
