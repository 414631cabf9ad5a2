/**
 * The batch runs on several cores: in worker threads and in the calling one, each with its own WebAssembly. Slices of
 * lanes are taken by whoever is free. Workers start when first needed, do not keep the process alive, and one that
 * dies is replaced and its slice repeated. A kernel travels as its text and is compiled by the worker itself.
 */
import { availableParallelism } from "node:os";
import { InternalError } from "../../errors.ts";
import type { Kernel } from "../../lower/ir.ts";
import { type Arguments, argumentsOf, type Compute, type Launch } from "../compute.ts";
import { ownPlaces, runInline, runSlices, type Slice } from "../inline.ts";
import { operationsOf } from "../work.ts";
import { Pace } from "./pace.ts";
import { Arena, collect, type SharedBuffers, share, sharedLength } from "./shared-launch.ts";
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
/** Lanes from which on a slice need not be wider. */
const wideSlice = 256;
/** Results smaller than this are not worth a memory of their own. */
const smallResult = 1 << 13;
/** The most lanes that a kernel does side by side. */
const block = 8;

interface Job {
	readonly kernel: Kernel;
	readonly args: Arguments;
	readonly part: Slice;
	readonly board: SliceBoard;
	readonly shared: SharedBuffers;
	readonly collected: boolean[];
	failure?: Error;
	end(): void;
}

export class Threads implements Compute {
	readonly name = "threads";
	readonly threads: number;
	readonly #options: ThreadsOptions;
	readonly #pool: ThreadPool;
	readonly #arena = new Arena();
	readonly #pace = new Pace();
	#last: Promise<unknown> = Promise.resolve();
	#job: Job | undefined;

	constructor(options: ThreadsOptions = {}) {
		this.#options = options;
		this.threads = options.threads ?? availableParallelism();
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

	allocate(length: number): Float64Array {
		if (this.#pool.size === 0 || length < smallResult) return new Float64Array(length);
		return new Float64Array(new SharedArrayBuffer(8 * length));
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
		this.#arena.free();
	}

	async #runParts(kernel: Kernel, args: Arguments): Promise<void> {
		const { batch } = args;
		const perBlock = 8 * (sharedLength(kernel, args, 2 * block) - sharedLength(kernel, args, block));
		const room = Math.floor((this.#options.sharedBytes ?? sharedBytes) / Math.max(perBlock, 1));
		const lanes = block * Math.max(this.threads, room);
		for (let from = 0; from < batch; from += lanes)
			await this.#runPart(kernel, args, { from, to: Math.min(batch, from + lanes) });
	}

	async #runPart(kernel: Kernel, args: Arguments, part: Slice): Promise<void> {
		const lanes = part.to - part.from;
		const shared = share(kernel, args, part, this.#arena);
		const board = new SliceBoard(lanes, this.#widest(lanes));
		const job: Job = {
			kernel,
			args,
			part,
			board,
			shared,
			collected: new Array(board.size).fill(false),
			end: () => {},
		};
		this.#job = job;
		const ended = new Promise<void>((resolve) => {
			job.end = resolve;
		});
		this.#pool.begin(kernel, {
			lanes,
			widest: board.widest,
			scalars: args.scalars,
			shared,
			board: board.memory,
		});
		if (this.#callerHelps) this.#help(job);
		this.#look();
		await ended;
		this.#pool.finish();
		this.#job = undefined;
		if (job.failure) throw job.failure;
	}

	/**
	 * Lanes of a slice: as many slices for each thread, for a fair end, but wide ones, whose rows are copied faster. Of few
	 * lanes each thread gets some, even if the registers are then not filled.
	 */
	#widest(lanes: number): number {
		const each = lanes / this.threads;
		if (each < block) return block / 2;
		const slices = Math.max(2, Math.min(6, Math.round(each / wideSlice)));
		return block * Math.ceil(each / slices / block);
	}

	/** The calling thread's share: straight from the launch's buffers into them. */
	#help(job: Job): void {
		const { kernel, args, part, board, collected } = job;
		const take = (): number => board.take(1);
		function* slices(look: () => void): Generator<Slice> {
			for (let i = take(); i >= 0; i = take()) {
				const { from, to } = board.slice(i);
				yield { from: part.from + from, to: part.from + to };
				collected[i] = true;
				board.finish(i);
				look();
			}
		}
		try {
			runSlices(
				kernel,
				args,
				ownPlaces(args),
				slices(() => this.#collect(job)),
				board.widest,
			);
		} catch (error) {
			board.release(1);
			this.#fail(job, error as Error);
		}
	}

	/** Takes what is done, and ends the job when all is. */
	#look(failure?: Error): void {
		const job = this.#job;
		if (!job) return;
		if (failure) this.#fail(job, failure);
		this.#collect(job);
		if (job.failure ? !job.board.isBusy : job.collected.every(Boolean)) job.end();
	}

	#collect({ kernel, args, part, board, shared, collected }: Job): void {
		for (let i = 0; i < board.size; i++)
			if (!collected[i] && board.isDone(i)) {
				collect(kernel, args, part, board.slice(i), shared);
				collected[i] = true;
			}
	}

	#fail(job: Job, error: Error): void {
		job.failure ??= error;
		job.board.close();
	}

	/** A worker died: what it had taken is free again. */
	#lost(thread: number, failure?: Error): void {
		const job = this.#job;
		if (!job) return;
		job.board.release(thread);
		if (failure) this.#fail(job, new InternalError(`threads end: ${failure.message}`, failure));
		else if (this.#callerHelps) this.#help(job);
		this.#look();
	}
}
