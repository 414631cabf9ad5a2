/** Any known file to a table: what it is, is told by its first bytes, and only where they say nothing by its name. */
import { InputError } from "../errors.ts";
import { readCsv } from "./csv.ts";
import { type ForeignReader, readForeign } from "./read-foreign.ts";
import { foreignFormatOf } from "./signatures.ts";
import type { Table } from "./table.ts";

export function readTable(bytes: Uint8Array, fileName: string): Promise<Table> {
	return readTableBy(readForeign, bytes, fileName);
}

/** With foreign formats read as `foreign` does: the readers themselves need not be loaded here. */
export async function readTableBy(
	foreign: ForeignReader,
	bytes: Uint8Array,
	fileName: string,
): Promise<Table> {
	if (bytes.length === 0)
		throw new InputError(fileName, "is empty", "Is it the right file, and was it written to its end?");
	const format = foreignFormatOf(bytes);
	if (format !== undefined) return foreign(bytes, fileName, format);
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
	return readCsv(bytes, fileName);
}

const KNOWN_OTHERS: [number[], string, string][] = [
	[[0x50, 0x4b, 0x03, 0x04], "is a zip archive or an Excel workbook", "Unpack it, or save the sheet as csv."],
	[[0x1f, 0x8b], "is packed by gzip", "Unpack it with gunzip."],
	[[0x28, 0xb5, 0x2f, 0xfd], "is packed by zstd", "Unpack it with unzstd."],
	[[0xd0, 0xcf, 0x11, 0xe0], "is an old Excel workbook", "Save the sheet as csv."],
];
