/**
 * How much work a search may do, counted in products of coefficients: about so many are done in a second by one core of a usual machine. Clocks would give
 * another answer on every machine, and on every day.
 */
const perSecond = 2.2e8;

export class Effort {
	readonly #limit: number;
	#spent = 0;

	/** As much as about so many seconds of one core. */
	constructor(seconds: number) {
		this.#limit = seconds * perSecond;
	}

	spend(products: number): void {
		this.#spent += products;
	}

	/** What was spent, as a share of all. */
	get share(): number {
		return this.#spent / this.#limit;
	}

	get isSpent(): boolean {
		return !(this.#spent < this.#limit);
	}

	/** For checkpoints. */
	get spent(): number {
		return this.#spent;
	}
	set spent(products: number) {
		this.#spent = products;
	}
}

/** No end of it: for who steps by hand. */
export const endless = (): Effort => new Effort(Number.POSITIVE_INFINITY);
