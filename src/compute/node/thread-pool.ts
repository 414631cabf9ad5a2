/** The workers behind `Threads`: started when first needed, told of each launch, replaced when they die. */
import { Worker } from "node:worker_threads";
import { type Kernel, kernelText } from "../../lower/ir.ts";
import { errorOf } from "./thread-failure.ts";
import type { ThreadJob, ThreadReport } from "./thread-worker.ts";

export interface PoolEvents {
	/** A worker has done a slice, or failed at one. */
	report(failure?: Error): void;
	/** A worker is no more; `failure` when too many were lost in one job to start another. */
	lost(thread: number, failure?: Error): void;
}

type Order = Omit<ThreadJob, "job" | "text" | "thread" | "memory"> & { readonly memory: WebAssembly.Memory };
interface Member {
	readonly worker: Worker;
	/** Kernels whose text it has. */
	readonly knows: Set<number>;
	/** The memory it has. */
	memory?: WebAssembly.Memory;
}

/** Workers lost in one job after which it is given up: what kills one after the other would kill the next. */
const mostLost = 8;

export class ThreadPool {
	readonly #members = new Map<number, Member>();
	readonly #numbers = new Map<string, number>();
	readonly #known = new WeakMap<Kernel, number>();
	readonly #texts: string[] = [];
	/** The caller is thread 1. */
	#nextThread = 2;
	#job = 0;
	#order: Order | undefined;
	#lost = 0;

	constructor(
		readonly size: number,
		readonly events: PoolEvents,
	) {}

	/** Thread numbers of the workers that are there. */
	get threads(): readonly number[] {
		return [...this.#members.keys()];
	}

	begin(order: Order): void {
		this.#job++;
		this.#lost = 0;
		this.#order = order;
		while (this.#members.size < this.size) this.#start();
		for (const [thread, member] of this.#members) {
			// An unanswered launch keeps the process alive, idle workers do not.
			member.worker.ref();
			this.#send(thread, member);
		}
	}

	finish(): void {
		this.#order = undefined;
		for (const { worker } of this.#members.values()) worker.unref();
	}

	end(thread: number): void {
		void this.#members.get(thread)?.worker.terminate();
	}

	async close(): Promise<void> {
		const workers = [...this.#members.values()].map(({ worker }) => worker);
		this.#members.clear();
		await Promise.all(workers.map((worker) => worker.terminate()));
	}

	#start(): [number, Member] {
		const thread = this.#nextThread++;
		const worker = new Worker(workerScript(), { execArgv: [] });
		const member: Member = { worker, knows: new Set<number>() };
		let reason: Error | undefined;
		member.worker.on("message", ({ job, failure }: ThreadReport) => {
			if (job === this.#job) this.events.report(failure && errorOf(failure));
		});
		member.worker.on("error", (error) => {
			reason = error;
		});
		member.worker.on("exit", () => this.#gone(thread, reason));
		member.worker.unref();
		this.#members.set(thread, member);
		return [thread, member];
	}

	#gone(thread: number, reason: Error | undefined): void {
		if (!this.#members.delete(thread) || !this.#order) return;
		this.#lost++;
		const last = reason ?? new Error("a worker thread was ended");
		if (this.#lost > mostLost) return this.events.lost(thread, last);
		const [next, member] = this.#start();
		member.worker.ref();
		// First freed, then told: it finds the slice.
		this.events.lost(thread);
		if (this.#order) this.#send(next, member);
	}

	#send(thread: number, member: Member): void {
		const { memory, ...rest } = this.#order!;
		const { kernel } = rest;
		const text = member.knows.has(kernel) ? undefined : this.#texts[kernel];
		member.knows.add(kernel);
		const job: ThreadJob = { job: this.#job, text, thread, ...rest };
		member.worker.postMessage(member.memory === memory ? job : { ...job, memory });
		member.memory = memory;
	}

	/** Stands for a kernel's text. */
	numberOf(kernel: Kernel): number {
		let number = this.#known.get(kernel);
		if (number !== undefined) return number;
		const text = kernelText(kernel);
		number = this.#numbers.get(text);
		if (number === undefined) {
			number = this.#texts.push(text) - 1;
			this.#numbers.set(text, number);
		}
		this.#known.set(kernel, number);
		return number;
	}
}

/** Beside this file as compiled; run from the sources (as tests do), the compiled one of the same project. */
function workerScript(): URL {
	const here = import.meta.url;
	return here.endsWith(".ts")
		? new URL("../../../dist/compute/node/thread-worker.js", here)
		: new URL("./thread-worker.js", here);
}
