/** A thread that is given numbers of problems, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { entriesOf } from "./entries-of.ts";

const { asked } = workerData as { asked: readonly string[] };
parentPort!.on("message", async (number: number) => {
	await entriesOf(
		number,
		asked,
		(entry) => parentPort!.postMessage({ begun: entry }),
		(entry) => parentPort!.postMessage({ entry }),
	);
	parentPort!.postMessage({ done: number });
});
