/** A file's bytes to its columns, ready to be sent. */
import { readTable, type Table } from "../../src/data/index.ts";
import type { TableColumn, TableData } from "../contract.ts";

export async function readTableData(bytes: Uint8Array, name: string): Promise<TableData> {
	return tableData(await readTable(bytes, name));
}

export function tableData({ source, nRows, columns, skipped = [] }: Table): TableData {
	return {
		source,
		nRows,
		skipped,
		columns: columns.map(
			({ name, unit, values, missing }): TableColumn => ({
				name,
				...(unit === undefined ? {} : { unit }),
				...(missing ? { missing } : {}),
				// A view of a larger memory would take all of it along.
				values: values.byteLength === values.buffer.byteLength ? values : values.slice(),
			}),
		),
	};
}
