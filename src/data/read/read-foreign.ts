/** Readers of foreign formats in the calling thread, each loaded when such a file comes. */
import { loadMat73 } from "../mat/mat73.ts";
import { loadParquet } from "../parquet/parquet.ts";
import type { Table } from "../table/table.ts";
import type { TableChoices } from "../table/table-choices.ts";
import type { ForeignFormat } from "./signatures.ts";

/** Reads a file whose first bytes say that it is of a foreign format. */
export type ForeignReader = (
	bytes: Uint8Array,
	fileName: string,
	format: ForeignFormat,
	choices: TableChoices,
) => Promise<Table>;

/** The reader of a format, ready to go: from here on only the file decides how long it takes. */
export async function loadForeign(
	format: ForeignFormat,
): Promise<(bytes: Uint8Array, source: string, choices: TableChoices) => Table> {
	if (format === "mat73") return loadMat73();
	if (format === "parquet") return loadParquet();
	if (format === "xlsx") return (await import("../xlsx/xlsx.ts")).readXlsx;
	return (await import("../mat/mat5.ts")).readMat5;
}

export const readForeign: ForeignReader = async (bytes, fileName, format, choices) =>
	(await loadForeign(format))(bytes, fileName, choices);
