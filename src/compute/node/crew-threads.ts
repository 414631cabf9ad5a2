/**
 * Worker threads for work that is no kernel. They start when first needed and do not keep the process alive; each loads the module of the work, begins it once with what
 * all of it has in common, and takes the next item when it has done one. One that dies leaves its item to who asked for it.
 */
import { Worker } from "node:worker_threads";
import type { Crew } from "../compute.ts";
import type { CrewOrder, CrewReport } from "./crew-worker.ts";
import { errorOf } from "./thread-failure.ts";

interface Member {
	readonly worker: Worker;
	/** Crews that it has begun to work for. */
	readonly knows: Set<number>;
	/** What it is at. */
	job?: Job;
}

interface Job {
	readonly crew: number;
	readonly item: unknown;
	resolve(answer: unknown): void;
	reject(error: Error): void;
}

export class CrewThreads {
	readonly #members: Member[] = [];
	readonly #waiting: Job[] = [];
	readonly #crews = new Map<number, { readonly module: string; readonly common: unknown }>();
	#next = 1;

	constructor(readonly size: number) {}

	/** Undefined where there is one thread only: the calling one is as good. */
	crew<Item, Answer>(module: string, common: unknown): Crew<Item, Answer> | undefined {
		if (!(this.size > 1)) return undefined;
		const id = this.#next++;
		this.#crews.set(id, { module, common });
		return {
			size: this.size,
			do: (item: Item) =>
				new Promise<Answer>((resolve, reject) => {
					this.#waiting.push({ crew: id, item, resolve: resolve as (answer: unknown) => void, reject });
					this.#deal();
				}),
			close: () => this.#dismiss(id),
		};
	}

	/** Numbers of the workers' threads, for those who want to know. */
	get threads(): readonly number[] {
		return this.#members.map(({ worker }) => worker.threadId);
	}

	/** Ends the workers; they start again when needed. */
	async close(): Promise<void> {
		const members = this.#members.splice(0);
		for (const job of this.#waiting.splice(0)) job.reject(gone());
		await Promise.all(
			members.map(({ worker, job }) => {
				job?.reject(gone());
				return worker.terminate();
			}),
		);
	}

	#deal(): void {
		while (this.#waiting.length > 0) {
			const member = this.#members.find(({ job }) => job === undefined) ?? this.#start();
			if (!member) return;
			this.#give(member, this.#waiting.shift()!);
		}
	}

	#give(member: Member, job: Job): void {
		const known = member.knows.has(job.crew);
		member.knows.add(job.crew);
		member.job = job;
		// What was asked for keeps the process alive, idle workers do not.
		member.worker.ref();
		const order: CrewOrder = {
			crew: job.crew,
			item: job.item,
			...(known ? {} : { begin: this.#crews.get(job.crew) }),
		};
		member.worker.postMessage(order);
	}

	#start(): Member | undefined {
		if (this.#members.length >= this.size) return undefined;
		const member: Member = { worker: new Worker(workerScript(), { execArgv: [] }), knows: new Set() };
		member.worker.on("message", ({ answer, failure }: CrewReport) => {
			const { job } = member;
			member.job = undefined;
			member.worker.unref();
			if (failure) job?.reject(errorOf(failure));
			else job?.resolve(answer);
			this.#deal();
		});
		// What is wrong is told by the end that follows.
		member.worker.on("error", () => {});
		member.worker.on("exit", () => {
			const at = this.#members.indexOf(member);
			if (at < 0) return;
			this.#members.splice(at, 1);
			member.job?.reject(gone());
			this.#deal();
		});
		member.worker.unref();
		this.#members.push(member);
		return member;
	}

	#dismiss(crew: number): void {
		this.#crews.delete(crew);
		for (let i = this.#waiting.length - 1; i >= 0; i--)
			if (this.#waiting[i].crew === crew) this.#waiting.splice(i, 1)[0].reject(gone());
		for (const { worker, knows } of this.#members)
			if (knows.delete(crew)) worker.postMessage({ crew, forget: true } satisfies CrewOrder);
	}
}

function gone(): Error {
	return new Error("a worker thread was ended");
}

/** Beside this file as compiled; run from the sources (as tests do), the compiled one of the same project. */
function workerScript(): URL {
	const here = import.meta.url;
	return here.endsWith(".ts")
		? new URL("../../../dist/compute/node/crew-worker.js", here)
		: new URL("./crew-worker.js", here);
}
