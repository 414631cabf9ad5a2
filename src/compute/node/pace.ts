/**
 * Whether threads pay, as seen: on a machine that is busy with other things, waiting for the slower thread can cost more
 * than the others bring. For each kernel the time per operation with and without threads is remembered, the faster way is
 * taken, and now and then the other is tried again. Long launches always have threads. Only time depends on this.
 */
import type { Kernel } from "../../lower/ir.ts";

export type Way = "inline" | "threads";

interface Seen {
	launches: number;
	/** Time per operation, smoothed. */
	readonly cost: Partial<Record<Way, number>>;
}

/** Some 50 ms: longer than a thread is kept waiting by others. */
const longOperations = 5e8;
/** The first launches with threads start and compile: they are not counted. */
const firstLaunches = 3;
const tryAgainEvery = 32;
const newest = 0.3;

export class Pace {
	readonly #seen = new WeakMap<Kernel, Seen>();

	choose(kernel: Kernel, operations: number): Way {
		if (operations > longOperations) return "threads";
		const { launches, cost } = this.#of(kernel);
		if (launches < firstLaunches || cost.threads === undefined) return "threads";
		if (cost.inline === undefined) return "inline";
		const better: Way = cost.inline < cost.threads ? "inline" : "threads";
		if (launches % tryAgainEvery > 0) return better;
		return better === "inline" ? "threads" : "inline";
	}

	note(kernel: Kernel, way: Way, operations: number, milliseconds: number): void {
		const seen = this.#of(kernel);
		if (seen.launches++ < firstLaunches) return;
		const cost = milliseconds / operations;
		const before = seen.cost[way];
		seen.cost[way] = before === undefined ? cost : before + newest * (cost - before);
	}

	#of(kernel: Kernel): Seen {
		let seen = this.#seen.get(kernel);
		if (!seen) this.#seen.set(kernel, (seen = { launches: 0, cost: {} }));
		return seen;
	}
}
