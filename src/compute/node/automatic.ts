/**
 * What runs where nothing was asked for: WebAssembly on all cores, and machine code of a kernel as soon as that pays. A kernel
 * is compiled aside when it has cost as much time as its compilation will (so that a wrong guess at most doubles the cost);
 * one that is in the cache is used at once. The bits are the same either way; without a compiler nothing changes.
 */
import { availableParallelism } from "node:os";
import { emitC } from "../../lower/c/emit.ts";
import type { Kernel } from "../../lower/ir.ts";
import { argumentsOf, type Compute, type Crew, type Launch } from "../compute.ts";
import { inline } from "../inline.ts";
import { operationsOf } from "../work.ts";
import type { Native, NativeOptions } from "./native.ts";
import { Threads } from "./threads.ts";

/** Milliseconds of all kernels together from which on a compiler is looked for. */
const worthALook = 200;
/** Milliseconds of a compilation: in any case, and for each character of the text. As measured. */
const compileCost = { base: 100, perCharacter: 0.03 };

export interface AutomaticOptions {
	/** What runs before machine code is there (default: threads where there is more than one core). */
	readonly base?: Compute;
	/** How machine code is made (default: by the user's compiler). */
	readonly native?: NativeOptions;
	/** Milliseconds that a compilation of a kernel is taken to last. */
	readonly compileCost?: (kernel: Kernel) => number;
}

/** A kernel's state: what it has cost, and its machine code. */
interface Seen {
	milliseconds: number;
	/** By the number of groups, which depends on the batch. */
	readonly ready: Set<number>;
	readonly asked: Set<number>;
	/** Those that were looked for in the cache. */
	readonly sought: Set<number>;
}

export class Automatic implements Compute {
	readonly name = "automatic";
	readonly #base: Compute;
	readonly #options: AutomaticOptions;
	readonly #seen = new WeakMap<Kernel, Seen>();
	readonly #abort = new AbortController();
	#milliseconds = 0;
	#native: Native | undefined;
	/** Looked for once. */
	#looking: Promise<void> | undefined;
	/** Compilations, one after the other: the cores are for the work. */
	#compiling: Promise<void> = Promise.resolve();

	constructor(options: AutomaticOptions = {}) {
		this.#options = options;
		this.#base = options.base ?? (availableParallelism() > 1 ? new Threads() : inline);
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const seen = this.#of(kernel);
		const groups = this.#native?.groupsFor(kernel, launch.batch);
		if (groups !== undefined && seen.ready.has(groups)) return this.#native!.run(kernel, launch);
		if (this.#native) this.#consider(kernel, launch, seen);
		const start = performance.now();
		await this.#base.run(kernel, launch);
		const took = performance.now() - start;
		seen.milliseconds += took;
		this.#milliseconds += took;
		if (!this.#native && this.#milliseconds >= worthALook) this.#looking ??= this.#look();
	}

	allocate(lengths: readonly number[]): Float64Array[] {
		return this.#base.allocate?.(lengths) ?? lengths.map((length) => new Float64Array(length));
	}

	crew<Item, Answer>(module: string, common: unknown): Crew<Item, Answer> | undefined {
		return this.#base.crew?.(module, common);
	}

	/** Whether machine code is used for a kernel by now, and that is all there is to wait for. */
	async settled(kernel: Kernel): Promise<boolean> {
		await this.#looking;
		await this.#compiling;
		return this.#of(kernel).ready.size > 0;
	}

	async close(): Promise<void> {
		this.#abort.abort();
		await this.#compiling;
		await this.#base.close?.();
	}

	#of(kernel: Kernel): Seen {
		let seen = this.#seen.get(kernel);
		if (!seen)
			this.#seen.set(
				kernel,
				(seen = { milliseconds: 0, ready: new Set(), asked: new Set(), sought: new Set() }),
			);
		return seen;
	}

	async #look(): Promise<void> {
		try {
			const { native } = await import("./native.ts");
			this.#native = await native(this.#options.native);
		} catch {
			// No compiler, or no koffi: it goes on as it is.
		}
	}

	/** Has machine code made when it is there already, or when it will pay. */
	#consider(kernel: Kernel, launch: Launch, seen: Seen): void {
		const native = this.#native!;
		const groups = native.groupsFor(kernel, launch.batch);
		if (seen.asked.has(groups) || this.#abort.signal.aborted) return;
		const isFree = !seen.sought.has(groups) && native.isCached(kernel, groups);
		seen.sought.add(groups);
		const cost = this.#options.compileCost?.(kernel) ?? costOf(kernel, groups);
		if (!isFree && seen.milliseconds < cost && !isLong(kernel, launch, cost)) return;
		seen.asked.add(groups);
		this.#compiling = this.#compiling.then(async () => {
			try {
				await native.prepare(kernel, groups, this.#abort.signal);
				seen.ready.add(groups);
			} catch {
				// What cannot be compiled runs as before.
			}
		});
	}
}

const costs = new WeakMap<Kernel, number[]>();

function costOf(kernel: Kernel, groups: number): number {
	let own = costs.get(kernel);
	if (!own) costs.set(kernel, (own = []));
	own[groups] ??=
		compileCost.base + compileCost.perCharacter * emitC(kernel, { dialect: "native", groups }).length;
	return own[groups];
}

/** Operations in a millisecond, roughly. */
const perMillisecond = 1e7;

/** Whether this one launch is longer than a compilation: the next ones will be, too. */
function isLong(kernel: Kernel, launch: Launch, cost: number): boolean {
	return operationsOf(kernel, argumentsOf(kernel, launch)) / perMillisecond >= cost;
}
