/** A kernel's module made ready to run, with a memory of its own that grows as needed. */
import { InputError } from "../../errors.ts";
import type { Kernel } from "../ir.ts";
import { emitWasm, reservedBytes, withFixedBuffers } from "./emit.ts";
import { encodeModule, type WasmModule } from "./module.ts";
import type { Shape } from "./values.ts";

const pageBytes = 65536;
const maxBytes = 65536 * pageBytes;

export class WasmKernel {
	readonly #memory: WebAssembly.Memory;
	readonly #run: (...args: number[]) => void;
	/** First byte that is free for buffers. */
	readonly #start: number;
	/** Lanes that one call does. */
	readonly block: number;

	constructor(kernel: Kernel, shape: Shape) {
		const module = emitWasm(kernel, shape);
		this.#start = reservedBytes(module);
		this.#memory = new WebAssembly.Memory({ initial: pagesFor(Math.max(1, this.#start)) });
		this.#run = instantiate(module, this.#memory).run as (...args: number[]) => void;
		this.block = shape.width * shape.groups;
	}

	/** Size of its memory. */
	get bytes(): number {
		return this.#memory.buffer.byteLength;
	}

	/** Room for buffers of these lengths: views of the memory, valid until the next call. */
	reserve(lengths: readonly number[]): Float64Array[] {
		const { offsets, end } = layout(this.#start, lengths);
		if (!(end <= maxBytes))
			throw new InputError(
				"batch",
				`needs ${(end / 2 ** 30).toFixed(1)} GB for ${this.block} lanes, WebAssembly has 4`,
				"Use fewer samples, outputs or sensitivities at a time.",
			);
		const missing = end - this.#memory.buffer.byteLength;
		if (missing > 0) this.#memory.grow(pagesFor(missing));
		const { buffer } = this.#memory;
		return lengths.map((length, i) => new Float64Array(buffer, offsets[i], length));
	}

	/**
	 * Runs the blocks of the first `lanes` lanes on buffers that `reserve` gave; `stride`, a multiple of `block`, is
	 * the number of lanes that lane buffers have room for.
	 */
	run(lanes: number, stride: number, buffers: readonly Float64Array[], scalars: readonly number[]): void {
		const addresses = buffers.map((buffer) => buffer.byteOffset);
		this.runAt(lanes, stride, addresses, scalars);
	}

	/** The same, on buffers that begin at these bytes of the memory. */
	runAt(lanes: number, stride: number, addresses: readonly number[], scalars: readonly number[]): void {
		const rest = [...addresses, ...scalars];
		for (let lane = 0; lane < lanes; lane += this.block) this.#run(lane, stride, ...rest);
	}
}

/**
 * Memories that functions share: each has a part of its own. An engine keeps gigabytes of addresses free behind every memory,
 * and has room for about a hundred of them.
 */
const sharedPages = 64;
let shared: { readonly memory: WebAssembly.Memory; used: number } | undefined;

/** A kernel without scalars for one lane, on buffers of fixed lengths: `run()` is but a call. */
export function oneLane(
	kernel: Kernel,
	lengths: readonly number[],
): { buffers: Float64Array[]; run: () => void } {
	const shape = { width: 1, groups: 1 } as const;
	const made = (base: number) => {
		const module = emitWasm(kernel, shape, base);
		return { module, ...layout(reservedBytes(module, base), lengths) };
	};
	let { module, offsets, end } = made(shared?.used ?? 0);
	if (!shared || end > shared.memory.buffer.byteLength) {
		({ module, offsets, end } = made(0));
		const pages = Math.max(sharedPages, pagesFor(end));
		shared = { memory: new WebAssembly.Memory({ initial: pages }), used: 0 };
	}
	shared.used = end;
	const { memory } = shared;
	const run = instantiate(withFixedBuffers(module, offsets), memory).runOne as () => void;
	return { buffers: lengths.map((length, i) => new Float64Array(memory.buffer, offsets[i], length)), run };
}

function instantiate(module: WasmModule, memory: WebAssembly.Memory): Record<string, unknown> {
	const compiled = new WebAssembly.Module(encodeModule(module));
	return new WebAssembly.Instance(compiled, { host: { memory } }).exports;
}

/** Buffers one after the other, each beginning on a cache line. */
function layout(start: number, lengths: readonly number[]): { offsets: number[]; end: number } {
	const offsets: number[] = [];
	let end = start;
	for (const length of lengths) {
		offsets.push(end);
		end += Math.ceil(length / 8) * 64;
	}
	return { offsets, end };
}

function pagesFor(bytes: number): number {
	return Math.ceil(bytes / pageBytes);
}
