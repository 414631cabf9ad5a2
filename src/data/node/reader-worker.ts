/** The thread that reads one file of a foreign format. */
import { parentPort } from "node:worker_threads";
import { readOrdered } from "../read/read-ordered.ts";

// Not `once`: a thread that no longer listens, while its reader is loaded or when it is done, cannot be counted on to be ended.
parentPort!.on("message", (order) =>
	readOrdered(order, (reply, transfer) => parentPort!.postMessage(reply, transfer)),
);
