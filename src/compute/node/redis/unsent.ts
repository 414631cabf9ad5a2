/** Lanes of a launch that are still to be sent, cut into jobs: long enough to be worth their way, short ones at the end. */
import type { Kernel } from "../../../lower/ir.ts";
import type { Arguments } from "../../compute.ts";
import type { Slice } from "../../inline.ts";

/** The most lanes that a kernel does side by side. */
const block = 8;
/** Jobs for each thread that what is left should do for. */
const perThread = 3;
/** Share of a job's work below which it is not cut further. */
const least = 0.1;
const mostBytes = 2 ** 25;

export class Unsent {
	readonly #batch: number;
	readonly #bytesPerLane: number;
	readonly #operationsPerLane: number;
	readonly #returned: Slice[] = [];
	#next = 0;

	constructor(kernel: Kernel, { batch, buffers }: Arguments, operations: number) {
		this.#batch = batch;
		this.#operationsPerLane = operations / batch;
		this.#bytesPerLane = kernel.buffers.reduce(
			(sum, { kind }, i) => sum + (kind === "lane" ? (8 * buffers[i].length) / batch : 0),
			8,
		);
	}

	get isEmpty(): boolean {
		return this.#next >= this.#batch && this.#returned.length === 0;
	}

	/** The next job, of `perJob` operations at most, for workers with so many threads together. */
	take(perJob: number, threads: number): Slice | undefined {
		const again = this.#returned.shift();
		if (again || this.#next >= this.#batch) return again;
		const whole = perJob / this.#operationsPerLane;
		const fair = (this.#batch - this.#next) / (perThread * Math.max(1, threads));
		const wanted = Math.min(whole, Math.max(fair, least * whole), mostBytes / this.#bytesPerLane);
		const from = this.#next;
		this.#next = Math.min(this.#batch, from + block * Math.max(1, Math.ceil(wanted / block)));
		return { from, to: this.#next };
	}

	/** One that was sent and is to be done after all. */
	giveBack(slice: Slice): void {
		this.#returned.push(slice);
	}
}
