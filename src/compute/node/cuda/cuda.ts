/**
 * The batch runs on a graphics processor: the kernel's CUDA text, compiled by NVRTC, one lane a thread. With `exact` there
 * is no fused multiply-add and the bits are those of WebAssembly; without it results differ in their last digits.
 */
import { availableParallelism } from "node:os";
import type { Kernel } from "../../../lower/ir.ts";
import { type Arguments, argumentsOf, type Compute, type Crew, type Launch } from "../../compute.ts";
import { runInline, type Slice } from "../../inline.ts";
import { validateKernel } from "../../validate-kernel.ts";
import { operationsOf } from "../../work.ts";
import { CrewThreads } from "../crew-threads.ts";
import { cudaText, threadsPerBlock } from "./cuda-text.ts";
import { type Argument, type Device, type DeviceFunction, type DevicePointer, openDevice } from "./device.ts";
import { DeviceConstants } from "./device-constants.ts";
import type { Libraries } from "./libraries.ts";
import { PinnedMemory } from "./pinned-memory.ts";

export interface CudaOptions {
	/** Without fused multiply-add: the bits of the other places. */
	readonly exact?: boolean;
	/** Lane operations up to which a launch runs inline. */
	readonly smallest?: number;
	/** Bytes of the device's memory to use at once (default: most of what is free). */
	readonly bytes?: number;
	/** CUDA's libraries, where they are not in their usual places. */
	readonly libraries?: Libraries;
}

/** Some milliseconds inline: below it the way there and back costs more. */
const smallest = 3e7;
const shareOfFree = 0.8;
/** Milliseconds that it is looked at without a pause. */
const shortKernel = 3;

/** Throws an `InputError` that says what is missing. */
export async function cuda(options: CudaOptions = {}): Promise<Cuda> {
	return new Cuda(await openDevice(options.libraries), options);
}

export class Cuda implements Compute {
	readonly name: string;
	/** Seconds on the device of the last launch, without transfers. */
	kernelSeconds = 0;
	readonly #functions = new WeakMap<Kernel, DeviceFunction>();
	readonly #constants: DeviceConstants;
	readonly #pinned: PinnedMemory;
	readonly #crews = new CrewThreads(availableParallelism());
	#lanes: { pointer: DevicePointer; bytes: number } | undefined;
	#last: Promise<unknown> = Promise.resolve();

	constructor(
		readonly device: Device,
		readonly options: CudaOptions,
	) {
		this.name = options.exact ? "cuda, exact" : "cuda";
		this.#constants = new DeviceConstants(device);
		this.#pinned = new PinnedMemory(device);
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const args = argumentsOf(kernel, launch);
		if (operationsOf(kernel, args) < (this.options.smallest ?? smallest)) return runInline(kernel, launch);
		// One at a time: they share the device's memory.
		const turn = this.#last.then(() => this.#runParts(kernel, args));
		this.#last = turn.catch(() => {});
		return turn;
	}

	/** What is no kernel has the machine's own cores. */
	crew<Item, Answer>(module: string, common: unknown): Crew<Item, Answer> | undefined {
		return this.#crews.crew(module, common);
	}

	async close(): Promise<void> {
		await this.#last;
		await this.#crews.close();
		this.#constants.free();
		this.#pinned.free();
		if (this.#lanes) this.device.free(this.#lanes.pointer);
		this.#lanes = undefined;
		this.device.close();
	}

	/** Bytes of launches' buffers that are locked in their places for faster transfers. */
	get pinnedBytes(): number {
		return this.#pinned.bytes;
	}

	/** Registers and local memory of a kernel, for those who want to know. */
	functionOf(kernel: Kernel): DeviceFunction {
		let made = this.#functions.get(kernel);
		if (!made) {
			const exact = (this.options.exact || kernel.exact) ?? false;
			made = this.device.load(cudaText(validateKernel(kernel)), { exact }, ["run"]).run;
			this.#functions.set(kernel, made);
		}
		return made;
	}

	async #runParts(kernel: Kernel, args: Arguments): Promise<void> {
		const { batch } = args;
		const made = this.functionOf(kernel);
		const uniforms = this.#constants.place(
			args.buffers.filter((_, i) => kernel.buffers[i].kind === "uniform"),
		);
		const rows = args.buffers.map(({ length }, i) =>
			kernel.buffers[i].kind === "lane" ? length / batch : 0,
		);
		const perLane = 8 * Math.max(1, sum(rows));
		const room = this.options.bytes ?? shareOfFree * (this.device.freeBytes + (this.#lanes?.bytes ?? 0));
		const widest = Math.max(1, Math.min(batch, Math.floor(room / perLane)));
		this.#reserve(perLane * widest);
		this.#pinned.prepare(args.buffers.filter((_, i) => kernel.buffers[i].kind === "lane"));
		this.kernelSeconds = 0;
		for (let from = 0; from < batch; from += widest)
			await this.#runPart(kernel, args, made, uniforms, rows, { from, to: Math.min(batch, from + widest) });
	}

	#reserve(bytes: number): void {
		if (this.#lanes && this.#lanes.bytes >= bytes) return;
		if (this.#lanes) this.device.free(this.#lanes.pointer);
		this.#lanes = undefined;
		this.#lanes = { pointer: this.device.allocate(bytes), bytes };
	}

	async #runPart(
		kernel: Kernel,
		{ batch, buffers, scalars }: Arguments,
		made: DeviceFunction,
		uniforms: readonly DevicePointer[],
		rows: readonly number[],
		{ from, to }: Slice,
	): Promise<void> {
		const count = to - from;
		let [next, uniform] = [this.#lanes!.pointer, 0];
		const pointers = kernel.buffers.map(({ kind }, i) => {
			if (kind === "uniform") return uniforms[uniform++];
			const own = next;
			next += BigInt(8 * rows[i] * count);
			return own;
		});
		type Copy = (there: DevicePointer, here: Float64Array) => void;
		const inPieces = (there: DevicePointer, here: Float64Array, copy: Copy): void => {
			for (const piece of this.#pinned.pieces(here))
				copy(there + BigInt(piece.byteOffset - here.byteOffset), piece);
		};
		/** Each row of a buffer's part, there and here; the whole buffer at once where it is the part. */
		const transfer = (i: number, copy: Copy): void => {
			if (count === batch) return inPieces(pointers[i], buffers[i], copy);
			for (let row = 0; row < rows[i]; row++)
				inPieces(
					pointers[i] + BigInt(8 * row * count),
					buffers[i].subarray(row * batch + from, row * batch + to),
					copy,
				);
		};
		for (const [i, { kind, access }] of kernel.buffers.entries())
			if (kind === "lane" && access !== "write")
				transfer(i, (there, here) => this.device.toDevice(there, here));
		const args: Argument[] = [
			{ int64: count },
			{ int64: count },
			...pointers.map((pointer) => ({ pointer })),
			...scalars.map((value, i) => (kernel.scalars[i].type === "int" ? { int32: value } : { double: value })),
		];
		const grid = [Math.ceil(count / threadsPerBlock), 1] as const;
		this.device.startClock();
		this.device.launch(made, { grid, block: [threadsPerBlock, 1] }, args);
		this.device.stopClock();
		await this.#wait();
		this.kernelSeconds += this.device.clockSeconds;
		for (const [i, { kind, access }] of kernel.buffers.entries())
			if (kind === "lane" && access !== "read") transfer(i, (there, here) => this.device.toHost(here, there));
	}

	/** Other things go on meanwhile. */
	async #wait(): Promise<void> {
		const start = performance.now();
		while (!this.device.isDone)
			await new Promise<void>((next) => {
				if (performance.now() - start < shortKernel) setImmediate(next);
				else setTimeout(next, 1);
			});
	}
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
