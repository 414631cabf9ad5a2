/**
 * Who does which slice of a batch: one shared word a slice, taken by compare-and-exchange. A slice is free, taken by a
 * thread, or done; what a dead thread had taken is made free again.
 */
import type { Slice } from "../inline.ts";

const free = 0;
const done = -1;
const closed = -2;

export class SliceBoard {
	readonly #words: Int32Array<SharedArrayBuffer>;

	constructor(
		readonly lanes: number,
		/** Lanes of each slice but the last. */
		readonly widest: number,
		readonly memory = new SharedArrayBuffer(4 * Math.ceil(lanes / widest)),
	) {
		this.#words = new Int32Array(memory);
	}

	get size(): number {
		return this.#words.length;
	}
	slice(index: number): Slice {
		const from = index * this.widest;
		return { from, to: Math.min(this.lanes, from + this.widest) };
	}
	/** Number of a slice that now belongs to `thread` (a number from 1), or -1 when none is free. */
	take(thread: number): number {
		for (let i = 0; i < this.size; i++)
			if (Atomics.compareExchange(this.#words, i, free, thread) === free) return i;
		return -1;
	}
	finish(index: number): void {
		Atomics.store(this.#words, index, done);
	}
	isDone(index: number): boolean {
		return Atomics.load(this.#words, index) === done;
	}
	/** Gives back what a thread that is no more had taken. */
	release(thread: number): void {
		for (let i = 0; i < this.size; i++) Atomics.compareExchange(this.#words, i, thread, free);
	}
	/** No slice is taken from now on. */
	close(): void {
		for (let i = 0; i < this.size; i++) Atomics.compareExchange(this.#words, i, free, closed);
	}
	/** Whether some thread is at work on a slice. */
	get isBusy(): boolean {
		return this.#words.some((_, i) => Atomics.load(this.#words, i) > 0);
	}
}
