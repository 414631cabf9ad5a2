/**
 * A kernel as WebAssembly on a memory that all threads share: each runs its lanes where the launch stands, and nothing is
 * copied from thread to thread. Tables and constants at the beginning of the memory are written by the one who shares it.
 */
import type { Kernel } from "../../lower/ir.ts";
import { emitWasm, reservedBytes } from "../../lower/wasm/emit.ts";
import { encodeModule } from "../../lower/wasm/module.ts";
import { shapeFor } from "../../lower/wasm/shape.ts";
import type { Slice } from "../inline.ts";
import { addressesOf, piecesOf } from "../pieces.ts";
import { StackShift } from "../stack-shift.ts";

type Run = (...args: number[]) => void;

export class SharedKernel {
	/** Lanes that one call does. */
	readonly block: number;
	/** Bytes at the beginning of the memory that are the kernel's own. */
	readonly reserved: number;
	/** What must stand there, from the first byte on. */
	readonly tables: Float64Array;
	readonly #code: Uint8Array<ArrayBuffer>;
	/** Compiled by those who run it. */
	#module: WebAssembly.Module | undefined;
	/** By the memory that they run on, which they do not keep. */
	readonly #runs = new WeakMap<WebAssembly.Memory, Run>();
	readonly #shift = new StackShift();

	constructor(
		private readonly kernel: Kernel,
		widest: number,
	) {
		const shape = shapeFor(kernel, widest);
		const module = emitWasm(kernel, shape);
		this.block = shape.width * shape.groups;
		this.reserved = reservedBytes(module);
		this.tables = Float64Array.from(module.data.flatMap(({ values }) => values));
		this.#code = withSharedMemory(encodeModule({ ...module, data: [] }));
	}

	/** Compiles it for a memory. */
	prepare(memory: WebAssembly.Memory): Run {
		let run = this.#runs.get(memory);
		if (!run) {
			this.#module ??= new WebAssembly.Module(this.#code);
			const { exports } = new WebAssembly.Instance(this.#module, { host: { memory } });
			this.#runs.set(memory, (run = exports.run as Run));
		}
		return run;
	}

	/**
	 * Runs lanes of a slice; `stride`, not below `block`, is the room of each row. Where the last block would reach beyond it,
	 * it begins earlier and does some lanes once more: then nobody may go on from what another has left, and there is one piece.
	 */
	run(
		memory: WebAssembly.Memory,
		{ from, to }: Slice,
		stride: number,
		addresses: readonly number[],
		scalars: readonly number[],
	): void {
		const run = this.prepare(memory);
		const { block } = this;
		const last = stride - block;
		const isCovered = [stride, from, to].every((lane) => lane % block === 0);
		const pieces = piecesOf(isCovered ? this.kernel : { ...this.kernel, pieces: undefined }, stride, scalars);
		this.#shift.run(Math.ceil((to - from) / block), (first, end, extra) => {
			for (const piece of pieces) {
				const rest = [...addressesOf(piece, addresses), ...piece.scalars, ...extra];
				for (let i = first; i < end; i++) run(Math.min(from + i * block, last), stride, ...rest);
			}
		});
	}
}

/** Kernels that are kept ready; the one not used for longest goes first. */
const kept = 64;

export class SharedKernels {
	readonly #made = new Map<string, SharedKernel>();

	/** `number` stands for the kernel's text. */
	get(number: number, kernel: Kernel, widest: number): SharedKernel {
		const key = `${number}:${shapeFor(kernel, widest).groups}`;
		const made = this.#made.get(key) ?? new SharedKernel(kernel, widest);
		this.#made.delete(key);
		this.#made.set(key, made);
		for (const oldest of this.#made.keys()) if (this.#made.size > kept) this.#made.delete(oldest);
		return made;
	}
}

const importSection = 2;
/** `host.memory`, shared, from 1 page up to the 65,536 that there can be. */
const sharedImport = [
	1,
	...[4, ...Buffer.from("host")],
	...[6, ...Buffer.from("memory")],
	...[0x02, 0x03, 0x01, 0x80, 0x80, 0x04],
];

/** The same module with its memory declared as shared. */
function withSharedMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
	for (let at = 8; at < bytes.length; ) {
		const { value: length, next } = unsigned(bytes, at + 1);
		if (bytes[at] === importSection)
			return Uint8Array.from([
				...bytes.subarray(0, at),
				...[importSection, sharedImport.length, ...sharedImport],
				...bytes.subarray(next + length),
			]);
		at = next + length;
	}
	return Uint8Array.from(bytes);
}

function unsigned(bytes: Uint8Array, start: number): { value: number; next: number } {
	let [value, shift, next] = [0, 0, start];
	for (; ; shift += 7) {
		const byte = bytes[next++];
		value |= (byte & 127) << shift;
		if (byte < 128) return { value, next };
	}
}
