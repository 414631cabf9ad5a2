/** The conditions and events of a model on the way of one solution. */
import type { CompiledFunction } from "../../lower/compile-function.ts";
import type { EventFollower, Switching } from "../ivp.ts";
import type { EventQueue } from "./event-queue.ts";

export class ModelSwitching implements Switching {
	/** Whether the right-hand side is that of the sides that are held. */
	holds = true;
	private readonly present: Float64Array;

	constructor(
		readonly count: number,
		private readonly values: CompiledFunction,
		private readonly inputsAt: (t: number) => Float64Array,
		/** Parameters, and behind them the sides that are held: the first `nHeld` values. */
		private readonly p: Float64Array,
		private readonly nHeld: number,
		readonly knots: Switching["knots"],
		private readonly queue: EventQueue | undefined,
	) {
		this.present = new Float64Array(count);
	}

	get next(): number {
		return this.queue?.next ?? Infinity;
	}

	valuesInto(out: Float64Array, t: number, x: Float64Array): void {
		this.values(t, x, this.inputsAt(t), this.p, out);
		if (!this.holds) out.fill(0, 0, this.nHeld);
	}

	arrive(t: number, x: Float64Array, _crossed?: boolean, follower?: EventFollower): boolean {
		const happened = this.queue?.happen(t, x, follower) ?? false;
		this.valuesInto(this.present, t, x);
		this.p.set(this.present.subarray(0, this.nHeld), this.p.length - this.nHeld);
		return happened;
	}

	thaw(): void {
		this.holds = false;
	}
}
