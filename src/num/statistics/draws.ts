/** Random choices of one seed, one after the other. */
import { type Stream, stream } from "../random.ts";

export class Draws {
	readonly #stream: Stream;
	#index = 0;

	constructor(
		readonly seed: number,
		purpose: string,
	) {
		this.#stream = stream(seed, purpose);
	}

	between(lo: number, hi: number): number {
		return lo + (hi - lo) * this.#stream.uniform(this.#index++);
	}
	normal(): number {
		return this.#stream.normal(this.#index++);
	}
	/** From `from` to `to`, both counted. */
	whole(from: number, to: number): number {
		return from + Math.floor((to - from + 1) * this.#stream.uniform(this.#index++));
	}
	chance(share: number): boolean {
		return this.#stream.uniform(this.#index++) < share;
	}
	pick<T>(list: readonly T[]): T {
		return list[this.whole(0, list.length - 1)];
	}
	/** One of several ways; only the one that is chosen is gone. */
	either<T>(...ways: readonly (() => T)[]): T {
		return this.pick(ways)();
	}
	/** Some of a list, in its order. */
	some<T>(list: readonly T[], share = 0.5): T[] {
		return list.filter(() => this.chance(share));
	}
	/** A decimal number with few digits, as people write them. */
	decimal(lo: number, hi: number): string {
		return String(Number(this.between(lo, hi).toPrecision(this.whole(1, 4))));
	}
}
