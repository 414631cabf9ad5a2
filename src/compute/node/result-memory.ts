/**
 * Arrays for the results of a launch in a WebAssembly memory of their own, so that threads write them where they are read.
 * The beginning of the memory is left free for what the kernel is given. It goes when the last of its arrays does.
 */

export interface ResultMemory {
	readonly memory: WebAssembly.Memory;
	/** Bytes that are free at its beginning. */
	readonly head: number;
}

const pageBytes = 65_536;
const mostPages = 65_536;
/** Free for inputs: so much, and this share of the results. What is not written to takes no memory. */
const headRoom = { bytes: 1 << 24, share: 0.25 };
/** Results that are smaller than this together are as well copied. */
const smallResults = 1 << 13;

const homes = new WeakMap<ArrayBufferLike, ResultMemory>();

export function roomForResults(lengths: readonly number[]): Float64Array[] {
	const rooms = lengths.map((length) => 64 * Math.ceil(length / 8));
	const total = rooms.reduce((sum, bytes) => sum + bytes, 0);
	const head = pageBytes * Math.ceil((headRoom.bytes + headRoom.share * total) / pageBytes);
	const made = total < 8 * smallResults ? undefined : memoryOf(head + total);
	if (!made) return lengths.map((length) => new Float64Array(length));
	homes.set(made.buffer, { memory: made, head });
	let at = head;
	return lengths.map((length, i) => new Float64Array(made.buffer, (at += rooms[i]) - rooms[i], length));
}

/** The memory that all these arrays are in, if it is one. */
export function homeOf(arrays: readonly Float64Array[]): ResultMemory | undefined {
	const [first, ...others] = arrays;
	return others.every(({ buffer }) => buffer === first.buffer) ? homes.get(first?.buffer) : undefined;
}

/** Undefined where it does not fit, or the system has no room for another one. */
function memoryOf(bytes: number): WebAssembly.Memory | undefined {
	const pages = Math.ceil(bytes / pageBytes);
	if (!(pages <= mostPages)) return undefined;
	try {
		return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}
