/** The thread that reads one file of a foreign format. */
import { parentPort } from "node:worker_threads";
import { readOrdered } from "../read/read-ordered.ts";

parentPort!.once("message", (order) =>
	readOrdered(order, (reply, transfer) => parentPort!.postMessage(reply, transfer)),
);
