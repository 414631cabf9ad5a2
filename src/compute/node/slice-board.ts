/**
 * Who does which piece of a work: one shared word a piece, taken by compare-and-exchange. A piece is free, taken by a
 * thread, or done; what a dead thread had taken is made free again.
 */
import type { Slice } from "../inline.ts";

const free = 0;
const done = -1;
const closed = -2;

export class SliceBoard {
	readonly #words: Int32Array<SharedArrayBuffer>;
	/** Where this thread looks first. */
	#next = 0;

	constructor(
		readonly lanes: number,
		/** Lanes of each slice but the last. */
		readonly widest: number,
		/** A word for each slice, and one that changes with any of them. */
		readonly memory = new SharedArrayBuffer(4 * (Math.ceil(lanes / widest) + 1)),
	) {
		this.#words = new Int32Array(memory);
	}

	get size(): number {
		return this.#words.length - 1;
	}
	slice(index: number): Slice {
		const from = index * this.widest;
		return { from, to: Math.min(this.lanes, from + this.widest) };
	}
	/** Number of a slice that now belongs to `thread` (a number from 1), or -1 when none is free. */
	take(thread: number): number {
		for (let n = 0; n < this.size; n++) {
			const i = (this.#next + n) % this.size;
			if (Atomics.compareExchange(this.#words, i, free, thread) !== free) continue;
			this.#next = i + 1;
			return i;
		}
		return -1;
	}
	finish(index: number): void {
		Atomics.store(this.#words, index, done);
		this.#changed();
	}
	/** Whether all slices are done. */
	get isDone(): boolean {
		return this.#every((word) => word === done);
	}
	/** Slices that a thread has taken and not finished. */
	takenBy(thread: number): Slice[] {
		const taken: Slice[] = [];
		for (let i = 0; i < this.size; i++)
			if (Atomics.load(this.#words, i) === thread) taken.push(this.slice(i));
		return taken;
	}
	/** Gives back what a thread that is no more had taken. */
	release(thread: number): void {
		for (let i = 0; i < this.size; i++) Atomics.compareExchange(this.#words, i, thread, free);
		this.#changed();
	}
	/** No slice is taken from now on. */
	close(): void {
		for (let i = 0; i < this.size; i++) Atomics.compareExchange(this.#words, i, free, closed);
		this.#changed();
	}
	/** Whether some thread is at work on a slice. */
	get isBusy(): boolean {
		return !this.#every((word) => word <= 0);
	}
	/** Sleeps until all slices are done, but no longer than so many milliseconds. */
	waitUntilDone(milliseconds: number): void {
		const end = performance.now() + milliseconds;
		for (;;) {
			const before = Atomics.load(this.#words, this.size);
			const left = end - performance.now();
			if (this.isDone || !(left > 0)) return;
			Atomics.wait(this.#words, this.size, before, left);
		}
	}

	#changed(): void {
		Atomics.add(this.#words, this.size, 1);
		Atomics.notify(this.#words, this.size);
	}
	#every(holds: (word: number) => boolean): boolean {
		for (let i = 0; i < this.size; i++) if (!holds(Atomics.load(this.#words, i))) return false;
		return true;
	}
}
