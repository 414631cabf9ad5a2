/**
 * A launch, or some of its lanes, in a memory that all threads share. What goes in is copied there. Results stand where the
 * launch wants them if that is a memory of results; others are copied out when all lanes are done. Until then what the
 * launch is given is as it was, so that a slice can be done again, even when it was half written.
 */
import { InputError } from "../../errors.ts";
import type { Kernel } from "../../lower/ir.ts";
import type { Arguments } from "../compute.ts";
import { copyLanes, repeatLastLane } from "../copy-lanes.ts";
import type { Slice } from "../inline.ts";
import { homeOf, type ResultMemory } from "./result-memory.ts";
import type { SharedKernel } from "./shared-kernel.ts";

/** Where a launch stands, as a worker is told. */
export interface SharedLaunch {
	readonly lanes: number;
	/** Room of a row. */
	readonly stride: number;
	/** First byte of each buffer. */
	readonly addresses: readonly number[];
}

const pageBytes = 65_536;
const mostPages = 65_536;

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

/** The memory of results that the whole launch can run on, if there is one. */
export function placeOf(
	kernel: Kernel,
	args: Arguments,
	{ block, reserved }: SharedKernel,
): ResultMemory | undefined {
	const { batch, buffers } = args;
	const written = kernel.buffers.flatMap(({ kind, access }, i) =>
		kind === "lane" && access === "write" && buffers[i].length > 0 ? [buffers[i]] : [],
	);
	const home = homeOf(written);
	if (!home || batch < block) return undefined;
	// The last block covers some lanes twice where they fill no block: what is updated would be so twice, and what two
	// blocks work in would overlap.
	if (batch % block > 0 && kernel.buffers.some(({ access, perLane }) => access === "update" || perLane))
		return undefined;
	const given = kernel.buffers.reduce((sum, _, i) => sum + roomOf(buffers[i].length), reserved);
	const inPlace = written.reduce((sum, { length }) => sum + roomOf(length), 0);
	return given - inPlace <= home.head ? home : undefined;
}

/** The lanes `part` of a launch in shared memory. */
export class LaunchInMemory implements SharedLaunch {
	readonly lanes: number;
	readonly stride: number;
	readonly addresses: readonly number[];
	readonly memory: WebAssembly.Memory;

	constructor(
		readonly kernel: Kernel,
		readonly args: Arguments,
		readonly part: Slice,
		{ block, reserved, tables }: SharedKernel,
		memory: SharedMemory,
		/** Where its results are, if it is to run there. */
		readonly home?: ResultMemory,
	) {
		this.lanes = part.to - part.from;
		this.stride = home ? this.lanes : block * Math.ceil(this.lanes / block);
		let end = reserved;
		this.addresses = kernel.buffers.map((_, i) => {
			if (this.#isInPlace(i)) return args.buffers[i].byteOffset;
			const address = end;
			end += roomOf(this.#length(i));
			return address;
		});
		this.memory = home?.memory ?? memory.reserve(end);
		new Float64Array(this.memory.buffer, 0, tables.length).set(tables);
		for (const [i, { kind }] of kernel.buffers.entries())
			if (kind === "uniform") this.#view(i).set(args.buffers[i]);
		this.fill({ from: 0, to: this.lanes });
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

	/** Copies out the results that are not in their places. */
	collect(): void {
		const { batch, buffers } = this.args;
		for (const [i, { kind, access }] of this.kernel.buffers.entries()) {
			if (kind === "uniform" || access === "read" || this.#isInPlace(i)) continue;
			const target = { values: buffers[i], stride: batch, from: this.part.from };
			copyLanes(target, { values: this.#view(i), stride: this.stride, from: 0 }, this.#rows(i), this.lanes);
		}
	}

	#isInPlace(i: number): boolean {
		const { kind, access } = this.kernel.buffers[i];
		return (
			this.home !== undefined && kind === "lane" && access === "write" && this.args.buffers[i].length > 0
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
}

/** Bytes that a lane takes. */
export function bytesPerLane(kernel: Kernel, { batch, buffers }: Arguments): number {
	return kernel.buffers.reduce(
		(sum, { kind }, i) => sum + (kind === "lane" ? (8 * buffers[i].length) / batch : 0),
		0,
	);
}

/** Bytes of so many numbers, to the end of a line of the cache. */
function roomOf(length: number): number {
	return 64 * Math.ceil(length / 8);
}
