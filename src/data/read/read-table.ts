/** Any known file to a table: what it is, is told by its first bytes, and only where they say nothing by its name. */
import { InputError } from "../../errors.ts";
import { readCsv } from "../csv/csv.ts";
import { findColumn } from "../record.ts";
import type { Table } from "../table/table.ts";
import { checkChoices, type TableChoices } from "../table/table-choices.ts";
import { type ForeignReader, readForeign } from "./read-foreign.ts";
import { foreignFormatOf } from "./signatures.ts";

export function readTable(bytes: Uint8Array, fileName: string, choices?: TableChoices): Promise<Table> {
	return readTableBy(readForeign, bytes, fileName, choices);
}

/** With foreign formats read as `foreign` does: the readers themselves need not be loaded here. */
export async function readTableBy(
	foreign: ForeignReader,
	bytes: Uint8Array,
	fileName: string,
	choices: TableChoices = {},
): Promise<Table> {
	checkChoices(choices);
	if (bytes.length === 0)
		throw new InputError(fileName, "is empty", "Is it the right file, and was it written to its end?");
	const format = foreignFormatOf(bytes);
	if (format !== undefined) return withUnits(await foreign(bytes, fileName, format, choices), choices);
	const known = KNOWN_OTHERS.find(([signature]) => signature.every((b, i) => bytes[i] === b));
	if (known !== undefined) throw new InputError(fileName, known[1], known[2]);
	const extension = /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase();
	if (extension === "mat") {
		throw new InputError(
			fileName,
			"is no MAT v5 or v7.3 file",
			"In MATLAB: save -v7. MAT v4 files are not read.",
		);
	}
	if (extension === "parquet")
		throw new InputError(fileName, "is no parquet file", "It may be cut or damaged.");
	return withUnits(readCsv(bytes, fileName, choices), choices);
}

/** Units that were asked for, over those of the file. */
function withUnits(table: Table, { units }: TableChoices): Table {
	if (units === undefined) return table;
	for (const [name, unit] of Object.entries(units)) {
		const column = findColumn(table, name);
		column.unit = unit;
		column.isUnitAsked = true;
	}
	return table;
}

const KNOWN_OTHERS: [number[], string, string][] = [
	[
		[0x50, 0x4b, 0x03, 0x04],
		"is a zip archive and no whole Excel workbook",
		"Unpack it, and name a file in it; or save the workbook again.",
	],
	[[0x1f, 0x8b], "is packed by gzip", "Unpack it with gunzip."],
	[[0x28, 0xb5, 0x2f, 0xfd], "is packed by zstd", "Unpack it with unzstd."],
	[[0xd0, 0xcf, 0x11, 0xe0], "is an old Excel workbook", "Save it as xlsx, or the sheet as csv."],
];
