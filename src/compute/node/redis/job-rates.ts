/** How many operations of a kernel a worker's thread does in a second, as its jobs tell: operations are but estimates. */
import type { Kernel } from "../../../lower/ir.ts";

/** What is taken for true before the first job has told. */
const guess = 1e10;
/** Between these every rate must be; what a worker says is not believed beyond. */
const limits = { least: 1e8, most: 1e12 };
const newest = 0.3;

export class JobRates {
	readonly #rates = new WeakMap<Kernel, number>();

	/** Operations a second. */
	of(kernel: Kernel): number {
		return this.#rates.get(kernel) ?? guess;
	}

	note(kernel: Kernel, operations: number, seconds: number): void {
		if (!(seconds > 0)) return;
		const now = Math.min(limits.most, Math.max(limits.least, operations / seconds));
		const before = this.#rates.get(kernel) ?? now;
		this.#rates.set(kernel, before + newest * (now - before));
	}
}
