/**
 * Excel workbooks (.xlsx): a sheet becomes text with tabs, and is then read as any text is, so that title lines, names,
 * units and words for missing values mean the same. Formulas count with the value that was saved with them.
 */
import { InputError, nearestName } from "../../errors.ts";
import { readCsv } from "../csv/csv.ts";
import { ZipArchive } from "../read/zip.ts";
import type { Table } from "../table/table.ts";
import { checkChoices, type TableChoices } from "../table/table-choices.ts";
import { dateStyles } from "./xlsx-dates.ts";
import { SheetText } from "./xlsx-sheet.ts";
import { eachElement, eachText } from "./xlsx-xml.ts";

interface Sheet {
	readonly name: string;
	/** Its file in the archive. */
	readonly file: string;
}

export function readXlsx(bytes: Uint8Array, source: string, choices: TableChoices = {}): Table {
	checkChoices(choices);
	const archive = new ZipArchive(bytes, source);
	const workbook = new Workbook(archive, source);
	const sheets = workbook.sheets.map(({ name }) => name);
	for (const sheet of chosen(workbook.sheets, choices.sheet, source)) {
		const text = workbook.text(sheet);
		if (text === undefined) continue;
		const table = readCsv(new TextEncoder().encode(text), `${source}, sheet ${sheet.name}`, {
			...choices,
			separator: "tab",
		});
		const { separator: _, decimal: __, ...reading } = table.reading!;
		return { ...table, source, reading: { ...reading, format: "xlsx", sheets, sheet: sheet.name } };
	}
	throw new InputError(
		choices.sheet === undefined ? source : `${source}, sheet ${choices.sheet}`,
		`holds no numbers${choices.sheet === undefined && sheets.length > 1 ? ` in any of its sheets (${sheets.join(", ")})` : ""}`,
		"A sheet has one row for each sample, with a number in each column. Numbers that were typed as text count, too.",
	);
}

function chosen(sheets: readonly Sheet[], asked: string | undefined, source: string): readonly Sheet[] {
	if (asked === undefined) return sheets;
	const found = sheets.filter(({ name }) => name === asked);
	if (found.length > 0) return found;
	const names = sheets.map(({ name }) => name);
	const near = nearestName(asked, names);
	throw new InputError(
		source,
		`has no sheet ${asked}${near === undefined ? "" : `; did you mean ${near}?`}`,
		`Its sheets are ${names.join(", ")}.`,
	);
}

class Workbook {
	readonly sheets: readonly Sheet[];
	readonly #from1904: boolean;
	#strings: readonly string[] | undefined;
	#dates: ReadonlySet<number> | undefined;

	constructor(
		private readonly archive: ZipArchive,
		private readonly source: string,
	) {
		const xml = this.#part("xl/workbook.xml");
		if (xml === undefined)
			throw new InputError(source, "is no Excel workbook", "Save it as xlsx, or the sheet as csv.");
		const targets = this.#targets();
		const sheets: Sheet[] = [];
		let from1904 = false;
		eachElement(xml, source, (name, attribute) => {
			if (name === "workbookPr") from1904 = ["1", "true"].includes(attribute("date1904") ?? "");
			if (name !== "sheet") return;
			const file = targets.get(attribute("id") ?? "");
			// A sheet may hold nothing but a chart.
			if (file !== undefined && /worksheets\//.test(file))
				sheets.push({ name: attribute("name") ?? `sheet ${sheets.length + 1}`, file });
		});
		this.sheets = sheets;
		this.#from1904 = from1904;
	}

	/** The sheet as text with tabs; `undefined` where it holds no number. */
	text({ name, file }: Sheet): string | undefined {
		const subject = `${this.source}, sheet ${name}`;
		const xml = this.#part(file);
		if (xml === undefined) throw new InputError(subject, "is not in the file", "The file is damaged.");
		this.#strings ??= this.#sharedStrings();
		this.#dates ??= dateStyles(this.#part("xl/styles.xml"), this.source);
		return new SheetText(this.#strings, this.#dates, this.#from1904, subject).read(xml);
	}

	/** Where the sheets stand, by the ids that the workbook calls them. */
	#targets(): Map<string, string> {
		const targets = new Map<string, string>();
		const xml = this.#part("xl/_rels/workbook.xml.rels");
		if (xml === undefined) return targets;
		eachElement(xml, this.source, (name, attribute) => {
			const [id, target] = [attribute("Id"), attribute("Target")];
			if (name !== "Relationship" || id === undefined || target === undefined) return;
			targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
		});
		return targets;
	}

	#sharedStrings(): string[] {
		const xml = this.#part("xl/sharedStrings.xml");
		const strings: string[] = [];
		if (xml !== undefined) eachText(xml, this.source, "si", (text) => strings.push(text));
		return strings;
	}

	#part(name: string): Uint8Array | undefined {
		return this.archive.has(name) ? this.archive.bytes(name) : undefined;
	}
}
