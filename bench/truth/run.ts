/** Many problems over all threads of the machine; each entry is written at once, so that a run can be gone on with. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { bar } from "../../src/cli/terminal/progress-bar.ts";
import { designOf } from "../../src/prove/design.ts";
import type { Fault } from "../../src/prove/faults.ts";
import { million } from "../../src/prove/open/problem.ts";
import type { Entry } from "./entry.ts";

export interface TruthRun {
	readonly from: number;
	readonly to: number;
	readonly asked: readonly string[];
	/** Only problems with it, at the dose that an expert sees. */
	readonly fault: Fault | undefined;
	/** Lines of JSON; what it holds is not done again. */
	readonly ledger: string;
	readonly minutes: number;
	readonly threads: number;
	/** Seconds by the clock that one method may take for one problem. */
	readonly patience: number;
}

export interface TruthQuestion {
	readonly number: number;
	readonly asked: readonly string[];
}

interface Said {
	readonly begun?: Entry;
	readonly entry?: Entry;
	readonly done?: number;
}

export function readLedger(path: string): Entry[] {
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line.endsWith("}"))
		.map((line) => JSON.parse(line) as Entry);
}

export async function runTruth({
	from,
	to,
	asked,
	fault,
	ledger,
	minutes,
	threads,
	patience,
}: TruthRun): Promise<void> {
	const known = new Set(readLedger(ledger).map(({ number, method }) => `${number} ${method}`));
	const open = (number: number): string[] =>
		fault && !hasFault(number, fault) ? [] : asked.filter((method) => !known.has(`${number} ${method}`));
	const end = performance.now() + 60_000 * minutes;
	let next = from;
	while (next < to && open(next).length === 0) next++;
	const first = next;
	let nDone = 0;
	const take = (): number | undefined => {
		while (next < to && open(next).length === 0) next++;
		return next < to && performance.now() < end ? next++ : undefined;
	};
	const began = performance.now();
	const tell = (): void => {
		if (!process.stderr.isTTY) return;
		const total = Math.max(1, to - first);
		const share = Math.max(nDone / total, (performance.now() - began) / (end - began));
		const left = ((performance.now() - began) * (1 - share)) / Math.max(share, 1e-9);
		process.stderr.write(
			`\r${bar(share)} ${nDone} of ${total} problems, ${Math.ceil(left / 1000)} s to go  `,
		);
	};
	await Promise.all(
		Array.from({ length: threads }, async () => {
			let worker: Worker | undefined;
			for (let number = take(); number !== undefined; number = take()) {
				worker ??= new Worker(new URL("./worker.js", import.meta.url));
				const entries = await entriesFrom(worker, { number, asked: open(number) }, patience);
				if (!entries.isWhole) {
					void worker.terminate();
					worker = undefined;
				}
				for (const entry of entries.list) appendFileSync(ledger, `${JSON.stringify(entry)}\n`);
				nDone++;
				tell();
			}
			await worker?.terminate();
		}),
	);
}

function hasFault(number: number, { name, seenAt }: Fault): boolean {
	const drawn = number < million ? designOf(number).fault : undefined;
	return drawn?.kind.name === name && drawn.dose === seenAt;
}

function entriesFrom(
	worker: Worker,
	question: TruthQuestion,
	patience: number,
): Promise<{ list: Entry[]; isWhole: boolean }> {
	return new Promise((resolve, reject) => {
		const list: Entry[] = [];
		let begun: Entry | undefined;
		const finish = (isWhole: boolean, why = ""): void => {
			clearTimeout(timer);
			worker.off("message", listen);
			worker.off("error", fall);
			if (!isWhole && begun) list.push({ ...begun, outcome: why ? "bug" : "no end", why });
			resolve({ list, isWhole });
		};
		let timer = setTimeout(() => finish(false), 1000 * patience);
		// A thread that falls before it has begun anything would fall at every problem, and the ledger stay empty.
		const fall = (error: Error): void =>
			begun || list.length > 0 ? finish(false, error.message) : reject(error);
		const listen = ({ begun: starts, entry, done }: Said): void => {
			if (starts) {
				begun = starts;
				clearTimeout(timer);
				timer = setTimeout(() => finish(false), 1000 * patience);
			} else if (entry) {
				list.push(entry);
				begun = undefined;
			} else if (done !== undefined) finish(true);
		};
		worker.on("error", fall);
		worker.on("message", listen);
		worker.postMessage(question);
	});
}
