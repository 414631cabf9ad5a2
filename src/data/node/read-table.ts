/** The readers of bytes, where Node runs them. */
import { readTableBy } from "../read-table.ts";
import type { Table } from "../table.ts";
import { readInThread } from "./reader-thread.ts";

export function readTable(bytes: Uint8Array, fileName: string): Promise<Table> {
	return readTableBy(readInThread, bytes, fileName);
}

export function readMat73(bytes: Uint8Array, source: string): Promise<Table> {
	return readInThread(bytes, source, "mat73");
}

export function readParquet(bytes: Uint8Array, source: string): Promise<Table> {
	return readInThread(bytes, source, "parquet");
}
