/** A record from a file's bytes, where Node reads them. */
import { type DataRecord, type RecordOptions, recordOf } from "../../data/data-record.ts";
import { readTable } from "../../data/node/read-table.ts";

export async function recordFromFile(
	bytes: Uint8Array<ArrayBuffer>,
	fileName: string,
	options: RecordOptions = {},
): Promise<DataRecord> {
	return recordOf(await readTable(bytes, fileName, options.reading), fileName, options);
}
