/**
 * A launch in pieces of its steps: all lanes do the first steps, then the next ones. A block of lanes writes one line of the cache to
 * each row of an output; over a whole long record these are thousands of pages, one after the other, and the blocks next to it come
 * back to every one of them when it is long forgotten. That was seen to cost a quarter of the speed on processors of Intel, nothing on
 * those of AMD. Results are the same bits: a piece begins with the state that the one before it ended with.
 */
import type { Kernel } from "../lower/ir.ts";

/** Rows that a piece writes, found by measuring: 32 and 64 are as fast, 256 are as slow as a whole record. */
const rowsAtOnce = 64;
/** Steps of a piece at least: a call takes as long as a step or two. */
const leastSteps = 32;
/** Bytes of results up to which nothing is gained. */
const cachedBytes = 1 << 20;

export interface Piece {
	readonly scalars: readonly number[];
	/** The place of each buffer: that of buffer number `of`, so many numbers further on. */
	readonly buffers: readonly { readonly of: number; readonly ahead: number }[];
}

/** Where the buffers of a piece begin, in bytes. */
export function addressesOf({ buffers }: Piece, addresses: readonly number[]): number[] {
	return buffers.map(({ of, ahead }) => addresses[of] + 8 * ahead);
}

/** One after the other; a kernel that cannot be cut, or need not be, is one piece. `stride`: lanes of a row. */
export function piecesOf(kernel: Kernel, stride: number, scalars: readonly number[]): Piece[] {
	const { pieces, buffers } = kernel;
	const whole = { scalars, buffers: buffers.map((_, of) => ({ of, ahead: 0 })) };
	if (!pieces) return [whole];
	const at = kernel.scalars.findIndex(({ name }) => name === pieces.steps);
	const nSteps = scalars[at];
	if (!(8 * stride * nSteps * pieces.rows > cachedBytes)) return [whole];
	const number = (name: string): number => buffers.findIndex((buffer) => buffer.name === name);
	const steps = Math.max(leastSteps, Math.floor(rowsAtOnce / pieces.rows));
	return Array.from({ length: Math.ceil(nSteps / steps) }, (_, k): Piece => {
		const from = k * steps;
		return {
			scalars: scalars.map((value, i) => (i === at ? Math.min(steps, nSteps - from) : value)),
			buffers: buffers.map(({ name }, i) => ({
				of: k > 0 && pieces.state[name] !== undefined ? number(pieces.state[name]) : i,
				ahead: from * (pieces.along[name] ?? 0),
			})),
		};
	});
}
