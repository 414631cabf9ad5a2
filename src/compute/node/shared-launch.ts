/**
 * A launch, or some of its lanes, in a memory that all threads share. What goes in is copied there; results are copied out
 * when all lanes are done, whole rows at a time, by all threads where the launch's own buffers are shared. Until then the
 * launch's buffers are as they were, so that a slice can be done again, even when it was half written.
 */
import { InputError } from "../../errors.ts";
import type { Kernel } from "../../lower/ir.ts";
import type { Arguments } from "../compute.ts";
import { copyLanes, repeatLastLane } from "../copy-lanes.ts";
import type { Slice } from "../inline.ts";
import type { SharedKernel } from "./shared-kernel.ts";

/** Rows of a result that belong into shared memory of the launch. */
export interface Copy {
	readonly address: number;
	readonly rows: number;
	/** Where they go: element, room of a row, and first lane there. */
	readonly target: SharedArrayBuffer;
	readonly offset: number;
	readonly batch: number;
	readonly from: number;
}

/** Where a launch stands, as a worker is told. */
export interface SharedLaunch {
	readonly lanes: number;
	/** Room of a row. */
	readonly stride: number;
	/** First byte of each buffer. */
	readonly addresses: readonly number[];
	readonly copies: readonly Copy[];
}

const pageBytes = 65_536;
const mostPages = 65_536;
/** Elements from which on a result is worth more than one copy. */
const smallCopy = 1 << 15;

/** Kept from launch to launch: fresh pages cost as much as the copy into them. */
export class SharedMemory {
	#memory: WebAssembly.Memory | undefined;

	/** The memory, or a new one where it is too small. */
	reserve(bytes: number): WebAssembly.Memory {
		const pages = Math.ceil(bytes / pageBytes);
		if (!(pages <= mostPages))
			throw new InputError(
				"batch",
				`needs ${(bytes / 2 ** 30).toFixed(1)} GB for a few lanes, WebAssembly has 4`,
				"Use fewer samples, outputs or sensitivities at a time.",
			);
		if (!this.#memory || this.#memory.buffer.byteLength < bytes) {
			const some = Math.min(mostPages, Math.ceil(1.25 * pages));
			this.#memory = new WebAssembly.Memory({ initial: some, maximum: some, shared: true });
		}
		return this.#memory;
	}
	free(): void {
		this.#memory = undefined;
	}
}

/** The lanes `part` of a launch in shared memory. */
export class LaunchInMemory implements SharedLaunch {
	readonly lanes: number;
	readonly stride: number;
	readonly addresses: readonly number[];
	readonly copies: readonly Copy[];
	readonly memory: WebAssembly.Memory;

	constructor(
		readonly kernel: Kernel,
		readonly args: Arguments,
		readonly part: Slice,
		{ block, reserved, tables }: SharedKernel,
		memory: SharedMemory,
		pieces: number,
	) {
		this.lanes = part.to - part.from;
		this.stride = block * Math.ceil(this.lanes / block);
		let end = reserved;
		this.addresses = kernel.buffers.map((_, i) => {
			const address = end;
			end += 64 * Math.ceil(this.#length(i) / 8);
			return address;
		});
		this.memory = memory.reserve(end);
		new Float64Array(this.memory.buffer, 0, tables.length).set(tables);
		for (const [i, { kind }] of kernel.buffers.entries())
			if (kind === "uniform") this.#view(i).set(args.buffers[i]);
		this.fill({ from: 0, to: this.lanes });
		this.copies = this.#results().flatMap((i) => this.#copiesOf(i, pieces));
	}

	/** Puts in what lanes of a slice are given; also when some of it was overwritten. */
	fill({ from, to }: Slice): void {
		for (const [i, { kind, access }] of this.kernel.buffers.entries()) {
			if (kind === "uniform" || access === "write") continue;
			const { batch, buffers } = this.args;
			const place = { values: this.#view(i), stride: this.stride, from };
			const source = { values: buffers[i], stride: batch, from: this.part.from + from };
			copyLanes(place, source, this.#rows(i), to - from);
			if (to === this.lanes) repeatLastLane({ ...place, from: 0 }, this.#rows(i), this.lanes);
		}
	}

	/** Copies out the results that only the calling thread can reach. */
	collect(): void {
		const { batch, buffers } = this.args;
		for (const i of this.#results()) {
			if (isShared(buffers[i])) continue;
			const target = { values: buffers[i], stride: batch, from: this.part.from };
			copyLanes(target, { values: this.#view(i), stride: this.stride, from: 0 }, this.#rows(i), this.lanes);
		}
	}

	#results(): number[] {
		return this.kernel.buffers.flatMap(({ kind, access }, i) =>
			kind === "lane" && access !== "read" ? [i] : [],
		);
	}
	#rows(i: number): number {
		return this.args.buffers[i].length / this.args.batch;
	}
	#length(i: number): number {
		return this.kernel.buffers[i].kind === "uniform"
			? this.args.buffers[i].length
			: this.#rows(i) * this.stride;
	}
	#view(i: number): Float64Array {
		return new Float64Array(this.memory.buffer, this.addresses[i], this.#length(i));
	}

	#copiesOf(i: number, pieces: number): Copy[] {
		const { buffer, byteOffset } = this.args.buffers[i];
		if (!(buffer instanceof SharedArrayBuffer)) return [];
		const { batch } = this.args;
		const all = this.#rows(i);
		const count = Math.max(1, Math.min(pieces, Math.floor((all * this.stride) / smallCopy)));
		const rows = Math.ceil(all / count);
		const copies: Copy[] = [];
		for (let row = 0; row < all; row += rows)
			copies.push({
				address: this.addresses[i] + 8 * row * this.stride,
				rows: Math.min(rows, all - row),
				target: buffer,
				offset: byteOffset / 8 + row * batch,
				batch,
				from: this.part.from,
			});
		return copies;
	}
}

function isShared({ buffer }: Float64Array): boolean {
	return buffer instanceof SharedArrayBuffer;
}

/** Bytes that a lane takes. */
export function bytesPerLane(kernel: Kernel, { batch, buffers }: Arguments): number {
	return kernel.buffers.reduce(
		(sum, { kind }, i) => sum + (kind === "lane" ? (8 * buffers[i].length) / batch : 0),
		0,
	);
}

/** Does one of a launch's copies. */
export function copyRows(memory: WebAssembly.Memory, { lanes, stride }: SharedLaunch, copy: Copy): void {
	const { address, rows, target, offset, batch, from } = copy;
	const source = { values: new Float64Array(memory.buffer, address, rows * stride), stride, from: 0 };
	const place = { values: new Float64Array(target, 8 * offset, rows * batch), stride: batch, from };
	copyLanes(place, source, rows, lanes);
}
