/** What a worker does that was started to read one file: it reads that, and says how it went. */
import { InputError } from "../../errors.ts";
import type { Table } from "../table/table.ts";
import { loadForeign } from "./read-foreign.ts";
import type { ReadOrder, ReadReply } from "./reader-port.ts";

export async function readOrdered(
	order: ReadOrder,
	post: (reply: ReadReply, transfer: ArrayBuffer[]) => void,
): Promise<void> {
	const reply = await replyTo(order, () => post({ kind: "begun" }, []));
	post(reply, reply.kind === "read" ? buffersOf(reply.table) : []);
}

async function replyTo(
	{ bytes, fileName, format, choices, mostMemory }: ReadOrder,
	begun: () => void,
): Promise<ReadReply> {
	try {
		const read = await loadForeign(format);
		boundMemory(mostMemory);
		begun();
		return { kind: "read", table: ownColumns(read(bytes, fileName, choices ?? {})) };
	} catch (error) {
		if (error instanceof InputError) {
			const { subject, problem, remedy } = error;
			return { kind: "refused", subject, problem, remedy };
		}
		return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
	}
}

/** A view of a larger memory would take all of it along. */
function ownColumns(table: Table): Table {
	for (const column of table.columns)
		if (column.values.byteLength < column.values.buffer.byteLength) column.values = column.values.slice();
	return table;
}

function buffersOf({ columns }: Table): ArrayBuffer[] {
	const all = columns.flatMap(({ values, missing, limits }) => [
		values.buffer,
		...(missing ? [missing.buffer] : []),
		...(limits ? [limits.buffer] : []),
	]);
	return [...new Set(all)] as ArrayBuffer[];
}

const PAGE = 65_536;

/**
 * The HDF5 library unpacks whatever comes, up to the 2 GiB that its memory may have. Nothing else in this worker has a
 * memory of that kind, so the bound can stand where all of them grow: the library finds no more, and gives the file up.
 */
function boundMemory(most: number): void {
	const memory = WebAssembly.Memory.prototype;
	const { grow } = memory;
	memory.grow = function (this: WebAssembly.Memory, pages: number): number {
		if (!(this.buffer.byteLength + PAGE * pages <= most))
			throw new RangeError("no more memory for this file");
		return grow.call(this, pages);
	};
}
