import { fromBase64, toBase64 } from "../../../num/base64.ts";

/** Many boxes of n unknowns in columns, as kernels take them: number i of box b of a block at i·count + b. */
export interface BoxBlock {
	readonly count: number;
	readonly columns: Float64Array;
}

export class BoxList {
	readonly #blocks: BoxBlock[] = [];
	#length = 0;
	#made: readonly Float64Array[] = [];

	constructor(readonly n: number) {}

	get length(): number {
		return this.#length;
	}

	get blocks(): readonly BoxBlock[] {
		return this.#blocks;
	}

	add(block: BoxBlock): void {
		if (block.count === 0) return;
		this.#blocks.push(block);
		this.#length += block.count;
	}

	/** Widens a box until it holds all of these. */
	extend(hull: Float64Array): void {
		for (const { count, columns } of this.#blocks)
			for (let i = 0; i < 2 * this.n; i += 2)
				for (let b = 0; b < count; b++) {
					hull[i] = Math.min(hull[i], columns[i * count + b]);
					hull[i + 1] = Math.max(hull[i + 1], columns[(i + 1) * count + b]);
				}
	}

	/** One by one; made anew only where some have come. */
	get boxes(): readonly Float64Array[] {
		if (this.#made.length !== this.#length)
			this.#made = this.#blocks.flatMap(({ count, columns }) =>
				Array.from({ length: count }, (_, b) =>
					Float64Array.from({ length: 2 * this.n }, (_, i) => columns[i * count + b]),
				),
			);
		return this.#made;
	}
}

/** A list as text, the bits of its numbers. */
export type PlainBoxes = readonly { readonly count: number; readonly columns: string }[];

export function plainBoxes({ blocks }: BoxList): PlainBoxes {
	return blocks.map(({ count, columns }) => ({
		count,
		columns: toBase64(new Uint8Array(columns.buffer, columns.byteOffset, columns.byteLength)),
	}));
}

export function readBoxes(n: number, plain: PlainBoxes): BoxList {
	const list = new BoxList(n);
	for (const { count, columns } of plain)
		list.add({ count, columns: new Float64Array(fromBase64(columns).buffer) });
	return list;
}

/** Memory for blocks that come and go, used again: the same places are written and sent, level after level. */
export class BoxRoom {
	readonly #free: ArrayBuffer[] = [];
	readonly #lent = new Set<ArrayBuffer>();
	readonly #rows: number;

	constructor(
		n: number,
		/** Of one block at most. */
		readonly lanes: number,
	) {
		this.#rows = 2 * n;
	}

	take(count: number): Float64Array {
		const buffer = this.#free.pop() ?? new ArrayBuffer(8 * this.#rows * this.lanes);
		this.#lent.add(buffer);
		return new Float64Array(buffer, 0, this.#rows * count);
	}

	/** What is not of this room, or was kept, stays as it is. */
	give({ columns }: BoxBlock): void {
		const buffer = columns.buffer as ArrayBuffer;
		if (this.#lent.delete(buffer)) this.#free.push(buffer);
	}

	/** Some lanes of a block, where it is, if they are worth its memory; else as a copy. */
	kept(block: BoxBlock, lanes: Int32Array): BoxBlock {
		if (2 * lanes.length < this.lanes) return chosen(block, lanes);
		this.#lent.delete(block.columns.buffer as ArrayBuffer);
		return chosen(block, lanes, block.columns);
	}
}

/** Some lanes of a block; they may take the place of all of them. */
export function chosen(
	{ count, columns }: BoxBlock,
	lanes: Int32Array,
	place: Float64Array = new Float64Array((columns.length / count) * lanes.length),
): BoxBlock {
	const size = lanes.length;
	const out = place.subarray(0, (columns.length / count) * size);
	for (let from = 0, at = 0; at < out.length; from += count)
		for (let k = 0; k < size; k++) out[at++] = columns[from + lanes[k]];
	return { count: size, columns: out };
}

/** Some lanes of a block, each of them twice, one after the other. */
export function doubled({ count, columns }: BoxBlock, lanes: Int32Array, out: Float64Array): BoxBlock {
	for (let from = 0, at = 0; at < out.length; from += count)
		for (let k = 0; k < lanes.length; k++) {
			const value = columns[from + lanes[k]];
			out[at++] = value;
			out[at++] = value;
		}
	return { count: 2 * lanes.length, columns: out };
}

/** Lanes from one on, as many. */
export function sliced({ count, columns }: BoxBlock, from: number, length: number): BoxBlock {
	if (length === count) return { count, columns };
	const rows = columns.length / count;
	const out = new Float64Array(rows * length);
	for (let i = 0; i < rows; i++)
		out.set(columns.subarray(i * count + from, i * count + from + length), i * length);
	return { count: length, columns: out };
}
