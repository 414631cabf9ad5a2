/**
 * The batch runs on several cores: in worker threads and in the calling one, as WebAssembly on one shared memory. Slices of
 * lanes are taken by whoever is free, and results are written where the launch wants them. Workers start when first needed,
 * do not keep the process alive, and one that dies is replaced and its slice repeated. A kernel travels as its text and is
 * compiled by the worker itself.
 */
import { availableParallelism } from "node:os";
import { InternalError } from "../../errors.ts";
import type { Kernel } from "../../lower/ir.ts";
import { type Arguments, argumentsOf, type Compute, type Crew, type Launch } from "../compute.ts";
import { runInline, type Slice } from "../inline.ts";
import { operationsOf } from "../work.ts";
import { CrewThreads } from "./crew-threads.ts";
import { Pace } from "./pace.ts";
import { type ResultMemory, roomForResults } from "./result-memory.ts";
import { type SharedKernel, SharedKernels } from "./shared-kernel.ts";
import { bytesPerLane, LaunchInMemory, placeOf, SharedMemory } from "./shared-launch.ts";
import { SliceBoard } from "./slice-board.ts";
import { ThreadPool } from "./thread-pool.ts";

export interface ThreadsOptions {
	/** Threads that compute at once, the calling one with them (default: one a core). */
	readonly threads?: number;
	/** Whether the calling thread computes too (default) or only waits, free for other things. */
	readonly callerHelps?: boolean;
	/** Lane operations up to which a launch runs inline. When given, it alone decides: see `Pace`. */
	readonly smallest?: number;
	/** Shared memory for the lanes of one launch; larger ones run in parts. */
	readonly sharedBytes?: number;
}

/** About half a millisecond; found by measuring (bench `compute`): below it the messages cost more than they bring. */
const smallest = 5e6;
const sharedBytes = 2 ** 28;
/** Slices of the lanes for each thread: many, for a fair end. */
const slicesPerThread = 16;
/** Milliseconds that the calling thread sleeps for the last slices of the others: messages wake it later. */
const shortWait = 2;
/** The most lanes that a kernel does side by side. */
const block = 8;
/** The calling thread's number. */
const caller = 1;

interface Job {
	readonly compiled: SharedKernel;
	readonly launch: LaunchInMemory;
	readonly slices: SliceBoard;
	failure?: Error;
	end(): void;
}

export class Threads implements Compute {
	readonly name = "threads";
	readonly threads: number;
	readonly #options: ThreadsOptions;
	readonly #pool: ThreadPool;
	readonly #memory = new SharedMemory();
	readonly #kernels = new SharedKernels();
	readonly #pace = new Pace();
	readonly #crews: CrewThreads;
	#last: Promise<unknown> = Promise.resolve();
	#job: Job | undefined;

	constructor(options: ThreadsOptions = {}) {
		this.#options = options;
		this.threads = options.threads ?? availableParallelism();
		this.#crews = new CrewThreads(this.threads);
		this.#pool = new ThreadPool(this.threads - (this.#callerHelps ? 1 : 0), {
			report: (failure) => this.#look(failure),
			lost: (thread, failure) => this.#lost(thread, failure),
		});
	}

	get #callerHelps(): boolean {
		return this.#options.callerHelps ?? true;
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const args = argumentsOf(kernel, launch);
		const { batch } = args;
		const operations = operationsOf(kernel, args);
		const isSmall = operations < (this.#options.smallest ?? smallest);
		if (this.#pool.size === 0 || isSmall || (this.#callerHelps && batch <= block / 2))
			return runInline(kernel, launch);
		// One launch at a time: it has all threads.
		const turn = this.#last.then(() => this.#runPaced(kernel, launch, args, operations));
		this.#last = turn.catch(() => {});
		return turn;
	}

	async #runPaced(kernel: Kernel, launch: Launch, args: Arguments, operations: number): Promise<void> {
		const isFree = this.#callerHelps && this.#options.smallest === undefined;
		const way = isFree ? this.#pace.choose(kernel, operations) : "threads";
		const start = performance.now();
		if (way === "inline") runInline(kernel, launch);
		else await this.#runParts(kernel, args);
		this.#pace.note(kernel, way, operations, performance.now() - start);
	}

	allocate(lengths: readonly number[]): Float64Array[] {
		return this.#pool.size === 0
			? lengths.map((length) => new Float64Array(length))
			: roomForResults(lengths);
	}

	crew<Item, Answer>(module: string, common: unknown): Crew<Item, Answer> | undefined {
		return this.#crews.crew(module, common);
	}

	/** Numbers of the workers that are there. */
	get workers(): readonly number[] {
		return this.#pool.threads;
	}

	/** Ends one worker at once; what it was at is done again by others. */
	endWorker(thread: number): void {
		this.#pool.end(thread);
	}

	/** Ends the workers; they start again when needed. */
	async close(): Promise<void> {
		await this.#last;
		await this.#pool.close();
		await this.#crews.close();
		this.#memory.free();
	}

	async #runParts(kernel: Kernel, args: Arguments): Promise<void> {
		const { batch } = args;
		const whole = { from: 0, to: batch };
		const home = placeOf(kernel, args, this.#compiled(kernel, batch));
		if (home) return this.#runPart(kernel, args, whole, home);
		const perBlock = block * bytesPerLane(kernel, args);
		const room = Math.floor((this.#options.sharedBytes ?? sharedBytes) / Math.max(perBlock, 1));
		const lanes = block * Math.max(this.threads, room);
		for (let from = 0; from < batch; from += lanes)
			await this.#runPart(kernel, args, { from, to: Math.min(batch, from + lanes) });
	}

	#compiled(kernel: Kernel, lanes: number): SharedKernel {
		return this.#kernels.get(this.#pool.numberOf(kernel), kernel, this.#widest(lanes));
	}

	async #runPart(kernel: Kernel, args: Arguments, part: Slice, home?: ResultMemory): Promise<void> {
		const lanes = part.to - part.from;
		const widest = this.#widest(lanes);
		const compiled = this.#compiled(kernel, lanes);
		const launch = new LaunchInMemory(kernel, args, part, compiled, this.#memory, home);
		const slices = new SliceBoard(lanes, widest);
		const job: Job = { compiled, launch, slices, end: () => {} };
		this.#job = job;
		const ended = new Promise<void>((resolve) => {
			job.end = resolve;
		});
		const { stride, addresses, memory } = launch;
		this.#pool.begin({
			kernel: this.#pool.numberOf(kernel),
			widest,
			scalars: args.scalars,
			launch: { lanes, stride, addresses },
			memory,
			slices: slices.memory,
		});
		this.#look();
		await ended;
		this.#pool.finish();
		this.#job = undefined;
		if (job.failure) throw job.failure;
		launch.collect();
	}

	/** Lanes of a slice: some slices for each thread, for a fair end. Of few lanes, half a block. */
	#widest(lanes: number): number {
		const each = lanes / this.threads;
		if (each < block) return block / 2;
		return block * Math.ceil(each / slicesPerThread / block);
	}

	/** Does what there is to do here, and ends the job when all is done. */
	#look(failure?: Error): void {
		const job = this.#job;
		if (!job) return;
		if (failure) this.#fail(job, failure);
		const { slices } = job;
		if (this.#callerHelps && !job.failure) this.#help(job);
		if (job.failure ? !slices.isBusy : slices.isDone) job.end();
	}

	/** The calling thread's share of the slices. */
	#help(job: Job): void {
		const { compiled, launch, slices } = job;
		const { memory, stride, addresses, args } = launch;
		try {
			for (let i = slices.take(caller); i >= 0; i = slices.take(caller)) {
				compiled.run(memory, slices.slice(i), stride, addresses, args.scalars);
				slices.finish(i);
			}
			slices.waitUntilDone(shortWait);
		} catch (error) {
			slices.release(caller);
			this.#fail(job, error as Error);
		}
	}

	#fail(job: Job, error: Error): void {
		job.failure ??= error;
		job.slices.close();
	}

	/** A worker died: what it had taken is free again, as it was given. */
	#lost(thread: number, failure?: Error): void {
		const job = this.#job;
		if (!job) return;
		for (const slice of job.slices.takenBy(thread)) job.launch.fill(slice);
		job.slices.release(thread);
		this.#look(failure && new InternalError(`threads end: ${failure.message}`, failure));
	}
}
