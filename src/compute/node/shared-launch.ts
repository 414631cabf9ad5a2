/**
 * A launch, or some of its lanes, in shared memory. What goes in is copied there and stands apart from what comes out,
 * so that a slice can be done again from what it was given, even when it was half written. Results go straight to the
 * launch's own buffers where these are shared, else they are collected from here.
 */
import type { Kernel } from "../../lower/ir.ts";
import type { Arguments } from "../compute.ts";
import { copyLanes, type LanePlace } from "../copy-lanes.ts";
import type { Slice } from "../inline.ts";

/** Shared memory from an element on. */
interface Region {
	readonly memory: SharedArrayBuffer;
	readonly offset: number;
	readonly length: number;
}
interface LaneRegion extends Region {
	readonly stride: number;
	readonly from: number;
}

/** What a worker is told of the buffers; a result that is not written is not there. */
export interface SharedBuffers {
	readonly inputs: readonly Region[];
	readonly results: readonly (LaneRegion | undefined)[];
}

/** Shared memory that is kept from launch to launch: fresh pages cost as much as the copy into them. */
export class Arena {
	#memory = new SharedArrayBuffer(0);
	#used = 0;

	clear(): void {
		this.#used = 0;
	}
	reserve(elements: number): void {
		if (this.#memory.byteLength < 8 * elements) this.#memory = new SharedArrayBuffer(8 * elements);
	}
	take(length: number): Region {
		const offset = this.#used;
		this.#used += paddedLength(length);
		return { memory: this.#memory, offset, length };
	}
	free(): void {
		this.#memory = new SharedArrayBuffer(0);
	}
}

/** Whole cache lines. */
function paddedLength(length: number): number {
	return Math.ceil(length / 8) * 8;
}

function isShared({ buffer }: Float64Array): boolean {
	return buffer instanceof SharedArrayBuffer;
}

/** Elements of the arena that some lanes of a launch need. */
export function sharedLength(kernel: Kernel, { batch, buffers }: Arguments, lanes: number): number {
	return kernel.buffers.reduce((sum, { kind, access }, i) => {
		if (kind === "uniform") return sum + paddedLength(buffers[i].length);
		const length = paddedLength((buffers[i].length / batch) * lanes);
		const out = access !== "read" && !isShared(buffers[i]);
		return sum + (access === "write" ? 0 : length) + (out ? length : 0);
	}, 0);
}

/** Copies in what the lanes of `part` need, and makes room for what they give. */
export function share(kernel: Kernel, args: Arguments, part: Slice, arena: Arena): SharedBuffers {
	const { batch, buffers } = args;
	const lanes = part.to - part.from;
	arena.clear();
	arena.reserve(sharedLength(kernel, args, lanes));
	const results = kernel.buffers.map(({ kind, access }, i): LaneRegion | undefined => {
		if (kind === "uniform" || access === "read") return undefined;
		const { buffer, byteOffset, length } = buffers[i];
		if (buffer instanceof SharedArrayBuffer)
			return { memory: buffer, offset: byteOffset / 8, length, stride: batch, from: part.from };
		return { ...arena.take((length / batch) * lanes), stride: lanes, from: 0 };
	});
	const inputs = kernel.buffers.map(({ kind, access }, i): Region => {
		const rows = buffers[i].length / batch;
		// Never read: only its length counts.
		if (kind === "lane" && access === "write") return { ...results[i]!, length: rows * lanes };
		const region = arena.take(kind === "lane" ? rows * lanes : buffers[i].length);
		const values = viewOf(region);
		if (kind === "uniform") values.set(buffers[i]);
		else
			copyLanes(
				{ values, stride: lanes, from: 0 },
				{ values: buffers[i], stride: batch, from: part.from },
				rows,
				lanes,
			);
		return region;
	});
	return { inputs, results };
}

/** Copies out what came of a slice of the lanes of `part`, where it is not in its place already. */
export function collect(
	kernel: Kernel,
	{ batch, buffers }: Arguments,
	part: Slice,
	slice: Slice,
	{ results }: SharedBuffers,
): void {
	for (const i of kernel.buffers.keys()) {
		const region = results[i];
		if (!region || isShared(buffers[i])) continue;
		copyLanes(
			{ values: buffers[i], stride: batch, from: part.from + slice.from },
			{ values: viewOf(region), stride: region.stride, from: slice.from },
			buffers[i].length / batch,
			slice.to - slice.from,
		);
	}
}

/** What a worker makes of it: buffers to read from, and places to write to. */
export function sharedViews({ inputs, results }: SharedBuffers): {
	buffers: Float64Array[];
	places: LanePlace[];
} {
	const none = new Float64Array(0);
	return {
		buffers: inputs.map(viewOf),
		places: results.map((region) =>
			region
				? { values: viewOf(region), stride: region.stride, from: region.from }
				: { values: none, stride: 1, from: 0 },
		),
	};
}

function viewOf({ memory, offset, length }: Region): Float64Array {
	return new Float64Array(memory, 8 * offset, length);
}
