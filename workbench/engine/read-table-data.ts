/** A file's bytes to its columns, ready to be sent. */
import { readTable, refuseWords, type Table, type TableChoices } from "../../src/data/index.ts";
import type { TableColumn, TableData } from "../contract.ts";

export async function readTableData(
	bytes: Uint8Array,
	name: string,
	choices?: TableChoices,
): Promise<TableData> {
	return tableData(refuseWords(await readTable(bytes, name, choices)));
}

export function tableData({ source, nRows, columns, skipped = [], reading }: Table): TableData {
	return {
		source,
		nRows,
		skipped,
		...(reading ? { reading } : {}),
		columns: columns.map(
			({ values, ...said }): TableColumn => ({
				...said,
				// A view of a larger memory would take all of it along.
				values: values.byteLength === values.buffer.byteLength ? values : values.slice(),
			}),
		),
	};
}
