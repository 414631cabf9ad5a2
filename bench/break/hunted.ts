/** What a worker thread does with one seed: a random study with every method, gone through or resumed, or a damaged file. */

import { parentPort } from "node:worker_threads";
import { readDamaged } from "./damaged-files.ts";
import { resumedStudies } from "./resumed-studies.ts";
import { type Outcome, studyOutcomes } from "./study-outcomes.ts";

export interface Hunt {
	readonly kind: "models" | "resumes" | "files";
	readonly seed: number;
}

parentPort?.on("message", async ({ kind, seed }: Hunt) => {
	const say = (outcome: Outcome | "done"): void => parentPort!.postMessage(outcome);
	if (kind === "files") await readDamaged(seed, say);
	else if (kind === "resumes") await resumedStudies(seed, say);
	else await studyOutcomes(seed, say);
	say("done");
});
