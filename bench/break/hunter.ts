/** A thread that does one seed after the other; one that does not come back is ended, and is a finding. */
import { Worker } from "node:worker_threads";
import { randomStudy } from "../../test/random/studies.ts";
import { damagedFiles } from "./damaged-files.ts";
import type { Finding, Findings } from "./findings.ts";
import type { Hunt } from "./hunted.ts";
import type { Outcome } from "./study-outcomes.ts";

/**
 * Seconds of the processor that a study, or a file, may take: others may be at work on it too. Of a file that is more than its reader
 * allows itself: two threads that do not come up within a minute each, and what a file may take.
 */
const patience = { models: 240, resumes: 240, files: 150 };
/** What waits without working has no end either: so many times longer by the clock. */
const longestWait = 20;
const memory = { maxOldGenerationSizeMb: 2048 };

export class Hunter {
	/** Threads at work: they share the processor's time. */
	static #atWork = 0;
	/** One for each kind: a damaged file may stop the HDF5 library of its thread. */
	readonly #workers = new Map<Hunt["kind"], Worker>();
	#said: (outcome: Outcome | "done") => void = () => {};
	#fell: (how: string) => void = () => {};

	constructor(readonly findings: Findings) {}

	async hunt(hunt: Hunt): Promise<void> {
		const worker = this.#workers.get(hunt.kind) ?? this.#start();
		this.#workers.set(hunt.kind, worker);
		let begun = "";
		const faults: Outcome[] = [];
		const limit = patience[hunt.kind];
		const end = await new Promise<string>((resolve) => {
			Hunter.#atWork++;
			let before = process.cpuUsage();
			let used = 0;
			const start = performance.now();
			const timer = setInterval(() => {
				const { user, system } = process.cpuUsage(before);
				before = process.cpuUsage();
				used += (user + system) / Hunter.#atWork;
				const waited = (performance.now() - start) / 1000;
				if (used > 1e6 * limit || waited > longestWait * limit) this.#fell(`took more than ${limit} s`);
			}, 500);
			let isOver = false;
			this.#fell = (how) => {
				clearInterval(timer);
				if (!isOver) Hunter.#atWork--;
				isOver = true;
				resolve(how);
			};
			this.#said = (outcome) => {
				if (outcome === "done") this.#fell("");
				else if (outcome.begun !== undefined) begun = outcome.begun;
				else if (outcome.isFault) faults.push(outcome);
				else this.findings.count(hunt.kind, outcome.what);
			};
			worker.postMessage(hunt);
		});
		for (const { what, why } of faults) this.findings.add({ ...hunt, what, why, files: await filesOf(hunt) });
		if (end === "") return;
		const what = `${end.startsWith("took") ? "no end" : "fall"} in ${begun || "its beginning"}`;
		this.findings.add({ ...hunt, what, why: end, files: await filesOf(hunt) });
		this.#workers.delete(hunt.kind);
		await worker.terminate();
	}

	async close(): Promise<void> {
		for (const worker of this.#workers.values()) await worker.terminate();
		this.#workers.clear();
	}

	#start(): Worker {
		const worker = new Worker(new URL("./hunted.js", import.meta.url), { resourceLimits: memory });
		worker.on("message", (outcome) => this.#said(outcome));
		worker.on("error", (error) => this.#fell(`the thread fell: ${error.stack ?? error.message}`));
		worker.on("exit", (code) => this.#fell(`the thread ended with ${code}`));
		return worker;
	}
}

async function filesOf({ kind, seed }: Hunt): Promise<Finding["files"]> {
	if (kind === "files") return (await damagedFiles(seed)).files;
	const random = randomStudy(seed);
	return { ...random.files, "study.yaml": random.studyText("all") };
}
