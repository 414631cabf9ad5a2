import { SampleTimes } from "../time/sample-times.ts";
import type { SampledSignal } from "./signal.ts";

/** Lines from sample to sample. */
export class SignalLinear implements SampledSignal {
	readonly knots: Float64Array;
	private readonly clock: SampleTimes;

	constructor(
		readonly times: Float64Array,
		readonly values: Float64Array,
	) {
		this.clock = new SampleTimes(times);
		this.knots = times;
	}

	at(t: number): number {
		const { times, values } = this;
		const last = times.length - 1;
		if (!(t > times[0])) return Number.isNaN(t) ? t : values[0];
		if (t >= times[last]) return values[last];
		const i = this.clock.before(t);
		const f = (t - times[i]) / (times[i + 1] - times[i]);
		return (1 - f) * values[i] + f * values[i + 1];
	}

	nodesInto(out: Float64Array, from: number, to: number, offsets: ArrayLike<number>): void {
		const { values } = this;
		const n = offsets.length;
		const last = values.length - 1;
		for (let i = from, k = 0; i < to; i++) {
			const left = values[Math.min(i, last)];
			const right = values[Math.min(i + 1, last)];
			for (let j = 0; j < n; j++) out[k++] = (1 - offsets[j]) * left + offsets[j] * right;
		}
	}
}
