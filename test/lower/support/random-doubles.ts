/** Seeded doubles for tests. */
export class RandomDoubles {
	#state: bigint;
	constructor(seed: number) {
		this.#state = BigInt(seed) * 0x9e3779b97f4a7c15n + 1n;
	}
	/** From 0 below 1. */
	next(): number {
		this.#state = (this.#state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
		return Number(this.#state >> 11n) / 2 ** 53;
	}
	between(lo: number, hi: number): number {
		return lo + (hi - lo) * this.next();
	}
	/** Of either sign, with a magnitude from 2^lo to 2^hi. */
	magnitude(lo: number, hi: number): number {
		const size = 2 ** this.between(lo, hi);
		return this.next() < 0.5 ? -size : size;
	}
	whole(below: number): number {
		return Math.floor(this.next() * below);
	}
}
