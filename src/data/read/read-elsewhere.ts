/**
 * Reads a file of a foreign format in a worker of its own, which is ended when it takes too long: what is in the file
 * decides where a reader goes on reading, and a damaged one can send it in a circle.
 */
import { InputError, InternalError } from "../../errors.ts";
import type { Table } from "../table/table.ts";
import type { TableChoices } from "../table/table-choices.ts";
import { unpackedLimit } from "./limits.ts";
import type { ReaderPort, ReadReply } from "./reader-port.ts";
import type { ForeignFormat } from "./signatures.ts";

const MiB = 1024 * 1024;

/**
 * Milliseconds that a file of this size is given once its reader is loaded. A sound one takes some milliseconds and, packed
 * as tight as it may be, 0.2 s a MiB; this leaves room for a machine that is ten times slower, or busy with other things.
 */
export function patienceFor(fileBytes: number): number {
	return 10_000 + 2000 * (fileBytes / MiB);
}

/** Readers that are started at most, where those before it were not loaded in time. */
const mostStarts = 2;

/** How often the watch looks. Looks are counted, not the clock: a machine that sleeps does not use up the time. */
const TICK = 100;

export interface ReadElsewhere {
	readonly start: () => ReaderPort;
	readonly bytes: Uint8Array;
	readonly fileName: string;
	readonly format: ForeignFormat;
	readonly choices?: TableChoices;
	/** Buffers that may move to the worker instead of being copied. */
	readonly transfer?: ArrayBuffer[];
	readonly patience?: number;
	/** Milliseconds that a reader may take to be loaded, then another one is started; without an end where it comes over a network. */
	readonly loading?: number;
	readonly mostMemory?: number;
}

export async function readElsewhere(order: ReadElsewhere): Promise<Table> {
	for (let start = 0; start < mostStarts; start++) {
		const table = await readOnce(order);
		if (table) return table;
	}
	throw new InternalError("no reader starts: none was loaded in time");
}

/** Nothing where the reader was not loaded in time. */
async function readOnce(order: ReadElsewhere): Promise<Table | undefined> {
	const { bytes, fileName, format, choices = {}, transfer = [], loading = Number.POSITIVE_INFINITY } = order;
	const patience = order.patience ?? patienceFor(bytes.length);
	// A dataset, and what it is made from.
	const mostMemory = order.mostMemory ?? 2 * unpackedLimit(bytes.length);
	const port = order.start();
	let watch: ReturnType<typeof setInterval> | undefined;
	try {
		return await new Promise<Table | undefined>((resolve, reject) => {
			let left = Math.ceil(loading / TICK);
			let begun = false;
			watch = setInterval(() => {
				if (--left >= 0) return;
				if (begun) reject(tooLong(fileName, patience));
				else resolve(undefined);
			}, TICK);
			port.onmessage = ({ data }) => {
				if (data.kind === "begun") {
					begun = true;
					left = Math.ceil(patience / TICK);
				} else if (data.kind === "read") resolve(data.table);
				else reject(errorOf(data));
			};
			port.onerror = ({ message = "it could not be loaded" }) =>
				reject(begun ? broken(fileName, message) : new InternalError(`no reader starts: ${message}`));
			port.postMessage({ bytes, fileName, format, choices, mostMemory }, transfer);
		});
	} finally {
		clearInterval(watch);
		port.terminate();
	}
}

function errorOf(reply: Extract<ReadReply, { kind: "refused" | "failed" }>): Error {
	return reply.kind === "refused"
		? new InputError(reply.subject, reply.problem, reply.remedy)
		: new InternalError(reply.message);
}

function tooLong(fileName: string, patience: number): InputError {
	const seconds = Math.max(1, Math.round(patience / 1000));
	return new InputError(
		fileName,
		`was not read within ${seconds} s, far longer than a sound file of its size takes`,
		"The file is damaged or made to be read for ever: fetch or save it again, or save it as csv.",
	);
}

function broken(fileName: string, message: string): InputError {
	return new InputError(
		fileName,
		`stopped its reader (${message})`,
		"The file is damaged or made to exhaust memory: fetch or save it again, or save it as csv.",
	);
}
