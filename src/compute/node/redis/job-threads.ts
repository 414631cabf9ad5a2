/** Threads for the jobs of a queue worker: its own thread stays free to keep in touch with the queue. */
import { Worker } from "node:worker_threads";
import type { ThreadAnswer, ThreadTask } from "./job-thread.ts";

interface Member {
	readonly worker: Worker;
	/** Kernels it has, by digest, oldest first; no more than it keeps. */
	readonly knows: Set<string>;
}
interface Waiting {
	start(member: Member): void;
}

/** A few below what a thread keeps. */
const known = 60;

export class JobThreads {
	readonly #free: Member[] = [];
	readonly #all = new Set<Member>();
	readonly #waiting: Waiting[] = [];
	#isClosed = false;

	constructor(readonly size: number) {}

	/** Runs a task when a thread is free; rejects when the thread dies or `signal` aborts, which ends the thread. */
	run(task: Omit<ThreadTask, "text">, text: string, signal: AbortSignal): Promise<ThreadAnswer> {
		return new Promise((resolve, reject) => {
			const waiting = { start: (member: Member) => this.#start(member, task, text, signal, resolve, reject) };
			if (this.#isClosed || signal.aborted) return reject(new Error("no longer wanted"));
			signal.addEventListener("abort", () => {
				const at = this.#waiting.indexOf(waiting);
				if (at < 0) return;
				this.#waiting.splice(at, 1);
				reject(new Error("no longer wanted"));
			});
			this.#waiting.push(waiting);
			this.#next();
		});
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await Promise.all([...this.#all].map(({ worker }) => worker.terminate()));
	}

	#next(): void {
		while (this.#waiting.length > 0 && (this.#free.length > 0 || this.#all.size < this.size))
			this.#waiting.shift()!.start(this.#free.pop() ?? this.#make());
	}

	#make(): Member {
		const member = { worker: new Worker(script(), { execArgv: [] }), knows: new Set<string>() };
		this.#all.add(member);
		// One that dies while idle must not end the process.
		member.worker.on("error", () => {});
		member.worker.on("exit", () => {
			this.#all.delete(member);
			const at = this.#free.indexOf(member);
			if (at >= 0) this.#free.splice(at, 1);
			this.#next();
		});
		return member;
	}

	#start(
		member: Member,
		task: Omit<ThreadTask, "text">,
		text: string,
		signal: AbortSignal,
		resolve: (answer: ThreadAnswer) => void,
		reject: (error: Error) => void,
	): void {
		const { worker, knows } = member;
		const digest = task.job.kernel;
		const isNew = !knows.delete(digest);
		knows.add(digest);
		for (const oldest of knows) if (knows.size > known) knows.delete(oldest);
		const end = (): void => {
			worker.off("message", answered);
			worker.off("error", failed);
			worker.off("exit", gone);
			signal.removeEventListener("abort", aborted);
		};
		const answered = (answer: ThreadAnswer): void => {
			end();
			// A text that was refused was not kept.
			if ("failure" in answer) knows.delete(digest);
			this.#free.push(member);
			resolve(answer);
			this.#next();
		};
		let reason: Error | undefined;
		const failed = (error: Error): void => {
			reason = error;
		};
		const gone = (): void => {
			end();
			reject(signal.aborted ? new Error("no longer wanted") : (reason ?? new Error("a thread ended")));
		};
		const aborted = (): void => void worker.terminate();
		worker.on("message", answered);
		worker.on("error", failed);
		worker.on("exit", gone);
		signal.addEventListener("abort", aborted);
		worker.postMessage(isNew ? { ...task, text } : task, [task.input.buffer as ArrayBuffer]);
	}
}

/** Beside this file as compiled; run from the sources (as tests do), the compiled one of the same project. */
function script(): URL {
	const here = import.meta.url;
	return here.endsWith(".ts")
		? new URL("../../../../dist/compute/node/redis/job-thread.js", here)
		: new URL("./job-thread.js", here);
}
