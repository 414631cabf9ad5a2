/** Reads files of foreign formats in a thread that can be ended, and whose memory is its own. */
import { Worker } from "node:worker_threads";
import { readElsewhere } from "../read/read-elsewhere.ts";
import type { ForeignReader } from "../read/read-foreign.ts";
import type { ReaderPort } from "../read/reader-port.ts";

const MiB = 1024 * 1024;

/** Objects of a reader (names, descriptions), beside the columns, which lie elsewhere. */
const heapLimit = (fileBytes: number): number => Math.ceil(512 + 4 * (fileBytes / MiB));

/** Some hundred times what it takes to load a reader: a thread that has not come up by then never will. */
const loading = 60_000;

export const readInThread: ForeignReader = (bytes, fileName, format, choices) =>
	readElsewhere({ start: () => startThread(bytes.length), bytes, fileName, format, choices, loading });

export function startThread(fileBytes: number): ReaderPort {
	const worker = new Worker(script(), {
		execArgv: [],
		// The HDF5 library warns of what it finds on its way; what there is to be said comes as an error.
		stdout: true,
		stderr: true,
		resourceLimits: { maxOldGenerationSizeMb: heapLimit(fileBytes) },
	});
	const port: ReaderPort = {
		postMessage: (order, transfer) => worker.postMessage(order, transfer),
		onmessage: null,
		onerror: null,
		terminate: () => worker.terminate(),
	};
	worker.on("message", (data) => port.onmessage?.({ data }));
	worker.on("error", ({ message }) => port.onerror?.({ message }));
	worker.on("exit", (code) => port.onerror?.({ message: `ended with code ${code}` }));
	return port;
}

/** Beside this file as compiled; run from the sources (as tests do), the compiled one of the same project. */
function script(): URL {
	const here = import.meta.url;
	return here.endsWith(".ts")
		? new URL("../../../dist/data/node/reader-worker.js", here)
		: new URL("./reader-worker.js", here);
}
