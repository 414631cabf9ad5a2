/**
 * Who does which piece of a work: one shared word a piece, taken by compare-and-exchange. A piece is free, taken by a
 * thread, or done; what a dead thread had taken is made free again.
 */
import type { Slice } from "../inline.ts";

const free = 0;
const done = -1;
const closed = -2;
/** Milliseconds after which one who waits looks by himself. */
const patience = 50;

export class SliceBoard {
	readonly #words: Int32Array<SharedArrayBuffer>;

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
		for (let i = 0; i < this.size; i++)
			if (Atomics.compareExchange(this.#words, i, free, thread) === free) return i;
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
	get isClosed(): boolean {
		return !this.#every((word) => word !== closed);
	}
	/** Whether some thread is at work on a slice. */
	get isBusy(): boolean {
		return !this.#every((word) => word <= 0);
	}
	/** Sleeps until something changes that may bring this thread work; not for one that others wait for. */
	wait(): void {
		const before = Atomics.load(this.#words, this.size);
		const isIdle = this.#every((word) => word === done || word > 0);
		if (isIdle && !this.isDone) Atomics.wait(this.#words, this.size, before, patience);
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
