/** The readers of bytes, where Node runs them. */

import { readTableBy } from "../read/read-table.ts";
import { previewTableBy, type TablePreview } from "../table/preview-table.ts";
import type { Table } from "../table/table.ts";
import type { TableChoices } from "../table/table-choices.ts";
import { readInThread } from "./reader-thread.ts";

export function readTable(bytes: Uint8Array, fileName: string, choices?: TableChoices): Promise<Table> {
	return readTableBy(readInThread, bytes, fileName, choices);
}

export function readMat73(bytes: Uint8Array, source: string): Promise<Table> {
	return readInThread(bytes, source, "mat73", {});
}

export function readParquet(bytes: Uint8Array, source: string): Promise<Table> {
	return readInThread(bytes, source, "parquet", {});
}

export function previewTable(
	bytes: Uint8Array,
	fileName: string,
	choices?: TableChoices,
): Promise<TablePreview> {
	return previewTableBy(readInThread, bytes, fileName, choices);
}
