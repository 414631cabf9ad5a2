/** Small workbooks, written as Excel does: shared words, styles for dates, formulas with their values. */
import { strToU8, type Zippable, zipSync } from "fflate";

/** A number, words, a date (with a style), a formula with its value, an error, or nothing. */
export type Cell =
	| number
	| string
	| boolean
	| null
	| { readonly date: number; readonly style?: 1 | 2 }
	| { readonly formula: string; readonly value: number }
	| { readonly error: string }
	| { readonly inline: string };

export interface XlsxOptions {
	readonly from1904?: boolean;
	/** Prefix of the elements, as some writers have it. */
	readonly prefix?: string;
	readonly extra?: Zippable;
}

export function xlsxBytes(
	sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
	options: XlsxOptions = {},
): Uint8Array {
	const p = options.prefix ?? "";
	const strings: string[] = [];
	const escaped = (text: string): string =>
		text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
	const cellXml = (cell: Cell, r: string): string => {
		if (cell === null) return "";
		if (typeof cell === "number") return `<${p}c r="${r}"><${p}v>${cell}</${p}v></${p}c>`;
		if (typeof cell === "boolean") return `<${p}c r="${r}" t="b"><${p}v>${cell ? 1 : 0}</${p}v></${p}c>`;
		if (typeof cell === "string") {
			strings.push(cell);
			return `<${p}c r="${r}" t="s"><${p}v>${strings.length - 1}</${p}v></${p}c>`;
		}
		if ("date" in cell) return `<${p}c r="${r}" s="${cell.style ?? 1}"><${p}v>${cell.date}</${p}v></${p}c>`;
		if ("formula" in cell)
			return `<${p}c r="${r}"><${p}f>${escaped(cell.formula)}</${p}f><${p}v>${cell.value}</${p}v></${p}c>`;
		if ("inline" in cell)
			return `<${p}c r="${r}" t="inlineStr"><${p}is><${p}t>${escaped(cell.inline)}</${p}t></${p}is></${p}c>`;
		return `<${p}c r="${r}" t="e"><${p}v>${cell.error}</${p}v></${p}c>`;
	};
	const sheetXml = (rows: readonly (readonly Cell[])[]): string => {
		const lines = rows.map((row, i) => {
			const cells = row.map((cell, c) => cellXml(cell, `${letters(c)}${i + 1}`)).join("");
			return cells === "" ? "" : `<${p}row r="${i + 1}">${cells}</${p}row>`;
		});
		const space = p === "" ? "xmlns" : `xmlns:${p.slice(0, -1)}`;
		return `<?xml version="1.0"?><${p}worksheet ${space}="m"><${p}sheetData>${lines.join("")}</${p}sheetData></${p}worksheet>`;
	};
	const names = Object.keys(sheets);
	const files: Record<string, string> = {};
	for (const [i, name] of names.entries()) files[`xl/worksheets/sheet${i + 1}.xml`] = sheetXml(sheets[name]);
	files["xl/workbook.xml"] =
		`<workbook xmlns:r="r"><workbookPr date1904="${options.from1904 ? 1 : 0}"/><sheets>${names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`;
	files["xl/_rels/workbook.xml.rels"] =
		`<Relationships>${names.map((_, i) => `<Relationship Id="rId${i + 1}" Target="${i % 2 ? "/xl/" : ""}worksheets/sheet${i + 1}.xml"/>`).join("")}</Relationships>`;
	files["xl/sharedStrings.xml"] =
		`<sst>${strings.map((text) => `<si><r><t>${escaped(text.slice(0, 1))}</t></r><r><t xml:space="preserve">${escaped(text.slice(1))}</t></r><rPh><t>aloud</t></rPh></si>`).join("")}</sst>`;
	files["xl/styles.xml"] =
		'<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd.mm.yyyy\\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>';
	files["[Content_Types].xml"] = "<Types/>";
	const packed = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
	return zipSync({ ...packed, ...options.extra });
}

function letters(column: number): string {
	const low = String.fromCharCode(65 + (column % 26));
	return column < 26 ? low : letters(Math.floor(column / 26) - 1) + low;
}
