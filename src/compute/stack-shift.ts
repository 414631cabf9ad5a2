/**
 * Where a kernel's stack frame begins. V8 gives WebAssembly frames that begin at any multiple of 8 bytes, and kernels whose
 * values do not all fit into registers keep vectors of 16 bytes there: at every other address they cross lines of the cache,
 * which was seen to cost from a seventh to half of the speed. One more argument, which nobody reads, moves the frame by 8
 * bytes. Where it would be without depends on the callers and on how far they are optimised, so both are tried now and then.
 * Only time depends on it.
 */

const extras: readonly (readonly number[])[] = [[], [0]];
/** Blocks of one trial: each way in turn. */
const trialBlocks = 6;
/** Blocks between trials: few at first, while code is still being optimised. */
const between = { first: 16, most: 512 };

export class StackShift {
	#chosen = 0;
	#period = between.first;
	/** Blocks until the next trial; none while there is one. */
	#left = 0;
	#tried = 0;
	/** The shortest time of each way in the present trial. */
	readonly #best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

	/** Runs so many blocks; `run` does those from `from` below `to` with more arguments at the end of each call. */
	run(blocks: number, run: (from: number, to: number, extra: readonly number[]) => void): void {
		for (let from = 0; from < blocks; ) {
			const isTrial = this.#left === 0;
			const way = isTrial ? this.#tried % 2 : this.#chosen;
			const to = isTrial ? from + 1 : Math.min(blocks, from + this.#left);
			const start = performance.now();
			run(from, to, extras[way]);
			if (isTrial) this.#note(way, performance.now() - start);
			else this.#left -= to - from;
			from = to;
		}
	}

	#note(way: number, milliseconds: number): void {
		const best = this.#best;
		best[way] = Math.min(best[way], milliseconds);
		if (++this.#tried < trialBlocks) return;
		this.#chosen = best[1] < best[0] ? 1 : 0;
		this.#left = this.#period;
		this.#period = Math.min(between.most, 2 * this.#period);
		this.#tried = 0;
		best.fill(Number.POSITIVE_INFINITY);
	}
}
