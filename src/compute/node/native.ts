/**
 * The batch runs as machine code of this processor: the kernel's C text, compiled by the user's compiler and called
 * through FFI on all cores. Whole blocks of lanes run on the launch's own buffers, the rest on a padded copy. The bits
 * are those of WebAssembly, but with `fast`, where the compiler may contract a·b + c to one rounding.
 */
import { availableParallelism } from "node:os";
import { InputError } from "../../errors.ts";
import { emitC } from "../../lower/c/emit.ts";
import type { Kernel } from "../../lower/ir.ts";
import { shapeFor } from "../../lower/wasm/shape.ts";
import { workOf } from "../../lower/wasm/work.ts";
import { type Arguments, argumentsOf, type Compute, type Crew, type Launch } from "../compute.ts";
import { copyLanes, repeatLastLane } from "../copy-lanes.ts";
import { validateKernel } from "../validate-kernel.ts";
import { operationsOf } from "../work.ts";
import { type CCompiler, compileLibrary, findCompiler, isInCache, notLoaded } from "./c-compiler.ts";
import { CrewThreads } from "./crew-threads.ts";
import { type Koffi, loadKoffi } from "./koffi.ts";
import { Pace } from "./pace.ts";

export interface NativeOptions {
	/** Threads that compute at once (default: one a core). */
	readonly threads?: number;
	/** Allow contraction: faster, no longer bit for bit what the other places give. */
	readonly fast?: boolean;
	readonly compiler?: string;
	/** Lane operations up to which a launch runs in the calling thread. When given, it alone decides: see `Pace`. */
	readonly smallest?: number;
}

type Run = ReturnType<ReturnType<Koffi["load"]>["func"]>;

const signature = "void run(int64_t from, int64_t to, int64_t batch, void *buffers, void *scalars)";
/** About a third of a millisecond. */
const smallest = 1e7;
/** Slices a thread, for a fair end; all of them wait in koffi's queue, which has 256 places. */
const slicesPerThread = 4;
const mostSlices = 64;
/** Lane operations of a round from which on C that carries much from round to round is fastest with one group: up to twice as fast as with two. */
const longCode = 250;

/** Throws an `InputError` that says what is missing. */
export async function native(options: NativeOptions = {}): Promise<Native> {
	const compiler = await findCompiler(options.compiler);
	return new Native(await loadKoffi("--compute native"), compiler, options);
}

export class Native implements Compute {
	readonly name: string;
	readonly threads: number;
	readonly #libraries = new WeakMap<Kernel, Promise<Run>[]>();
	/** Buffers that machine code works on must not be collected. */
	readonly #inUse = new Set<unknown>();
	readonly #pace = new Pace();
	readonly #crews: CrewThreads;
	#last: Promise<unknown> = Promise.resolve();

	constructor(
		readonly koffi: Koffi,
		readonly compiler: CCompiler,
		readonly options: NativeOptions,
	) {
		this.name = options.fast ? "native, fast" : "native";
		this.threads = options.threads ?? availableParallelism();
		this.#crews = new CrewThreads(this.threads);
	}

	crew<Item, Answer>(module: string, common: unknown): Crew<Item, Answer> | undefined {
		return this.#crews.crew(module, common);
	}

	close(): Promise<void> {
		return this.#crews.close();
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const args = argumentsOf(kernel, launch);
		const groups = this.groupsFor(kernel, args.batch);
		const run = await this.#library(kernel, groups);
		const block = groups * this.compiler.width;
		const operations = operationsOf(kernel, args);
		if (this.threads === 1 || operations < (this.options.smallest ?? smallest))
			return this.#runHere(kernel, args, run, block);
		const turn = this.#last.then(() => this.#runPaced(kernel, args, run, block, operations));
		this.#last = turn.catch(() => {});
		return turn;
	}

	async #runPaced(
		kernel: Kernel,
		args: Arguments,
		run: Run,
		block: number,
		operations: number,
	): Promise<void> {
		const way = this.options.smallest === undefined ? this.#pace.choose(kernel, operations) : "threads";
		const start = performance.now();
		if (way === "inline") this.#runHere(kernel, args, run, block);
		else await this.#runSlices(kernel, args, run, block);
		this.#pace.note(kernel, way, operations, performance.now() - start);
	}

	/** Groups of lanes side by side, no more than the batch fills. */
	groupsFor(kernel: Kernel, batch: number): number {
		const { width } = this.compiler;
		const { operations, carriesMuch } = workOf(kernel);
		if (carriesMuch && operations > longCode) return 1;
		return Math.min(shapeFor(kernel, 8).groups, batch > 2 * width ? 4 : batch > width ? 2 : 1);
	}

	/** Whether a kernel's library is made already. */
	isCached(kernel: Kernel, groups: number): boolean {
		const text = emitC(kernel, { dialect: "native", groups });
		return isInCache(text, this.compiler, this.options);
	}

	/** Makes it, for those who want to go on meanwhile. */
	async prepare(kernel: Kernel, groups: number, signal?: AbortSignal): Promise<void> {
		await this.#library(kernel, groups, signal);
	}

	#library(kernel: Kernel, groups: number, signal?: AbortSignal): Promise<Run> {
		let all = this.#libraries.get(kernel);
		if (!all) this.#libraries.set(kernel, (all = []));
		all[groups] ??= this.#compile(kernel, groups, signal);
		return all[groups];
	}

	async #compile(kernel: Kernel, groups: number, signal?: AbortSignal): Promise<Run> {
		validateKernel(kernel);
		const text = emitC(kernel, { dialect: "native", groups });
		const fast = this.options.fast === true && !kernel.exact;
		const load = (path: string): Run => this.koffi.load(path).func(signature);
		try {
			return load(await compileLibrary(text, this.compiler, { fast, signal }));
		} catch (error) {
			if (error instanceof InputError) throw error;
			// What the cache had does not load: once more, from the text.
			const library = await compileLibrary(text, this.compiler, { fast, anew: true, signal });
			try {
				return load(library);
			} catch (again) {
				throw notLoaded(this.compiler, again);
			}
		}
	}

	#runHere(kernel: Kernel, args: Arguments, run: Run, block: number): void {
		const whole = args.batch - (args.batch % block);
		const scalars = this.#scalars(args);
		if (whole > 0) run(0, whole, args.batch, this.#pointers(args.buffers), scalars);
		if (whole === args.batch) return;
		const rest = paddedRest(kernel, args, whole, block);
		run(0, block, block, this.#pointers(rest.buffers), scalars);
		rest.collect();
	}

	async #runSlices(kernel: Kernel, args: Arguments, run: Run, block: number): Promise<void> {
		const { batch } = args;
		const whole = batch - (batch % block);
		const scalars = this.#scalars(args);
		const pointers = this.#pointers(args.buffers);
		const rest = whole < batch ? paddedRest(kernel, args, whole, block) : undefined;
		const restPointers = rest && this.#pointers(rest.buffers);
		const slices = Math.min(mostSlices, slicesPerThread * this.threads);
		const widest = block * Math.max(1, Math.ceil(whole / block / slices));
		const held = [args, rest, scalars, pointers, restPointers];
		this.#inUse.add(held);
		try {
			const calls: Promise<void>[] = [];
			if (rest) calls.push(called(run, 0, block, block, restPointers!, scalars));
			for (let from = 0; from < whole; from += widest)
				calls.push(called(run, from, Math.min(whole, from + widest), batch, pointers, scalars));
			// All of them, even when one fails: none may go on to write behind our back.
			const ends = await Promise.allSettled(calls);
			for (const end of ends) if (end.status === "rejected") throw end.reason;
			rest?.collect();
		} finally {
			this.#inUse.delete(held);
		}
	}

	#pointers(buffers: readonly Float64Array[]): BigUint64Array {
		return BigUint64Array.from(buffers, (buffer) => {
			// Asking for its memory moves a small array out of the engine's heap, where it could be moved.
			if (buffer.buffer.byteLength === 0 || buffer.length === 0) return 0n;
			return this.koffi.address(buffer);
		});
	}

	/** Never empty: an address is wanted. */
	#scalars({ scalars }: Arguments): Float64Array {
		return Float64Array.of(...scalars, 0);
	}
}

function called(
	run: Run,
	from: number,
	to: number,
	batch: number,
	pointers: BigUint64Array,
	scalars: Float64Array,
): Promise<void> {
	return new Promise((resolve, reject) => {
		run.async(from, to, batch, pointers, scalars, (error: unknown) => (error ? reject(error) : resolve()));
	});
}

/** The lanes from `whole` on, as one block of their own. */
function paddedRest(
	kernel: Kernel,
	{ batch, buffers }: Arguments,
	whole: number,
	block: number,
): { buffers: Float64Array[]; collect(): void } {
	const count = batch - whole;
	const isLane = (i: number): boolean => kernel.buffers[i].kind === "lane";
	const rows = buffers.map(({ length }) => length / batch);
	const own = buffers.map((buffer, i) => (isLane(i) ? new Float64Array(rows[i] * block) : buffer));
	for (const [i, { access }] of kernel.buffers.entries()) {
		if (!isLane(i) || access === "write") continue;
		const place = { values: own[i], stride: block, from: 0 };
		copyLanes(place, { values: buffers[i], stride: batch, from: whole }, rows[i], count);
		repeatLastLane(place, rows[i], count);
	}
	return {
		buffers: own,
		collect() {
			for (const [i, { access }] of kernel.buffers.entries()) {
				if (!isLane(i) || access === "read") continue;
				const source = { values: own[i], stride: block, from: 0 };
				copyLanes({ values: buffers[i], stride: batch, from: whole }, source, rows[i], count);
			}
		},
	};
}
