/** A file that was given to the page, read. */
import { foreignFormatOf, type ReaderPort, readElsewhere, type TableChoices } from "../../src/data/index.ts";
import { InputError } from "../../src/index.ts";
import type { TableData } from "../contract.ts";
import { failureOf } from "../engine/failure.ts";
import { tableData } from "../engine/read-table-data.ts";
import { type Engine, EngineError, startWorker } from "./engine.ts";

/**
 * One of a foreign format is read in an engine of its own: a damaged one may keep its reader for ever. The same script does
 * it, since that has the HDF5 library already, to write with.
 */
export async function readFile(
	engine: Engine,
	name: string,
	bytes: Uint8Array<ArrayBuffer>,
	choices: TableChoices = {},
): Promise<TableData> {
	const format = foreignFormatOf(bytes);
	const own = bytes.slice();
	if (format === undefined) {
		const table = await engine.ask("table", { name, bytes: own, choices }, [own.buffer]);
		return { ...table, bytes };
	}
	try {
		const read = { start: startReader, bytes: own, fileName: name, format, choices, transfer: [own.buffer] };
		return { ...tableData(await readElsewhere(read)), bytes };
	} catch (error) {
		throw error instanceof InputError ? new EngineError(failureOf(error)) : error;
	}
}

/** What the engine needs of a table. */
export function withoutFile({ bytes: _, ...table }: TableData): TableData {
	return table;
}

function startReader(): ReaderPort {
	const worker = startWorker();
	const port: ReaderPort = {
		postMessage: (read, transfer) => worker.postMessage({ read }, transfer),
		onmessage: null,
		onerror: null,
		terminate: () => worker.terminate(),
	};
	worker.onmessage = ({ data }) => port.onmessage?.({ data });
	worker.onerror = (event) => {
		event.preventDefault();
		port.onerror?.(event);
	};
	return port;
}
