/** A thread that is given numbers of problems, one after the other. */
import { parentPort } from "node:worker_threads";
import { entriesOf } from "./entries-of.ts";
import type { TruthQuestion } from "./run.ts";

parentPort!.on("message", async ({ number, asked }: TruthQuestion) => {
	await entriesOf(
		number,
		asked,
		(entry) => parentPort!.postMessage({ begun: entry }),
		(entry) => parentPort!.postMessage({ entry }),
	);
	parentPort!.postMessage({ done: number });
});
