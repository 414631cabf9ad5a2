import { SampleTimes } from "../time/sample-times.ts";
import type { SampledSignal } from "./signal.ts";

/** Zero-order hold: each sample lasts until the next. */
export class SignalZoh implements SampledSignal {
	readonly knots: Float64Array;
	private readonly clock: SampleTimes;

	constructor(
		readonly times: Float64Array,
		readonly values: Float64Array,
	) {
		this.clock = new SampleTimes(times);
		// Where a sample equals the one before there is no jump to step onto.
		this.knots = times.filter((_, i) => i > 0 && values[i] !== values[i - 1]);
	}

	at(t: number, side: -1 | 1 = 1): number {
		const { times, values } = this;
		if (!(t > times[0])) return Number.isNaN(t) ? t : values[0];
		const i = this.clock.before(t);
		return values[side === -1 && times[i] === t ? i - 1 : i];
	}

	nodesInto(out: Float64Array, from: number, to: number, offsets: ArrayLike<number>): void {
		const n = offsets.length;
		const last = this.values.length - 1;
		for (let i = from; i < to; i++) {
			const value = this.values[Math.min(i, last)];
			for (let j = 0, k = (i - from) * n; j < n; j++) out[k + j] = value;
		}
	}
}
