/** When to write a checkpoint, and the state of a moment ago: what is kept of a step that is broken off. */

/** Saving costs at most one part of so many. */
const share = 20;
/** Milliseconds between two states that are kept in memory. */
const rememberEvery = 1000;

export class KeptState {
	bytes: Uint8Array | undefined;
	#nextWrite: number;
	#nextSave = 0;

	constructor(
		private readonly save: () => Uint8Array,
		/** Milliseconds between checkpoints; longer where saving takes long. */
		private readonly every: number,
	) {
		this.#nextWrite = performance.now() + every;
	}

	get isTime(): boolean {
		return performance.now() >= this.#nextWrite;
	}

	/** Before a step. */
	remember(): void {
		const start = performance.now();
		if (start < this.#nextSave) return;
		this.bytes = this.save();
		const end = performance.now();
		this.#nextSave = end + Math.max(rememberEvery, share * (end - start));
	}

	async write(to: () => void | Promise<void>): Promise<void> {
		const start = performance.now();
		await to();
		const end = performance.now();
		this.#nextWrite = end + Math.max(this.every, share * (end - start));
	}
}
