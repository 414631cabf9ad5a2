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

/** Some lanes of a block, each of them so often, one after the other. */
export function chosen({ count, columns }: BoxBlock, lanes: Int32Array, times: 1 | 2): BoxBlock {
	const rows = columns.length / count;
	const size = times * lanes.length;
	const out = new Float64Array(rows * size);
	for (let i = 0, at = 0; i < rows; i++) {
		const from = i * count;
		for (let k = 0; k < lanes.length; k++) {
			const value = columns[from + lanes[k]];
			out[at++] = value;
			if (times === 2) out[at++] = value;
		}
	}
	return { count: size, columns: out };
}

/** Lanes from one on, as many. */
export function sliced({ count, columns }: BoxBlock, from: number, length: number): BoxBlock {
	if (from === 0 && length === count) return { count, columns };
	const rows = columns.length / count;
	const out = new Float64Array(rows * length);
	for (let i = 0; i < rows; i++)
		out.set(columns.subarray(i * count + from, i * count + from + length), i * length);
	return { count: length, columns: out };
}
