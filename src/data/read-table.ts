/** Any known file to a table: what it is, is told by its first bytes, and only where they say nothing by its name. */
import { InputError } from "../errors.ts";
import { readCsv } from "./csv.ts";
import { isMat5, readMat5 } from "./mat5.ts";
import { isHdf5, readMat73 } from "./mat73.ts";
import { isParquet, readParquet } from "./parquet.ts";
import type { Table } from "./table.ts";

export async function readTable(bytes: Uint8Array, fileName: string): Promise<Table> {
	if (bytes.length === 0)
		throw new InputError(fileName, "is empty", "Is it the right file, and was it written to its end?");
	if (isMat5(bytes)) return readMat5(bytes, fileName);
	if (isParquet(bytes)) return readParquet(bytes, fileName);
	if (isHdf5(bytes)) return readMat73(bytes, fileName);
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
