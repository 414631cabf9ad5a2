/**
 * Band-limited interpolation [shannon1949]: the function without content above the Nyquist frequency that passes
 * through the samples, by a windowed sinc kernel (its error stands there). Sampling has to be uniform.
 *
 * At the ends of a record samples are missing: they are made by reflection through the end point, u(-k) = 2 u(0) -
 * u(k), which keeps value and slope. Nearer than 32 samples to an end of the record the error is therefore larger,
 * about the curvature that the signal has at the end.
 */
import { InputError } from "../../errors.ts";
import { SampleTimes } from "../time/sample-times.ts";
import type { SampledSignal } from "./signal.ts";
import { HALF_TAPS, sincWeightsInto, TAPS } from "./sinc-kernel.ts";

/** Largest departure from uniform sampling, in samples. It adds an error of up to pi times as much. */
const MAX_JITTER = 1e-4;

export class SignalSinc implements SampledSignal {
	/** None: the signal is smooth. */
	readonly knots = new Float64Array(0);
	/** The samples with HALF_TAPS made ones on either side. */
	private readonly padded: Float64Array;
	private readonly weights = new Float64Array(TAPS);
	private readonly clock: SampleTimes;

	constructor(
		readonly times: Float64Array,
		readonly values: Float64Array,
	) {
		const n = times.length;
		const perSecond = n > 1 ? (n - 1) / (times[n - 1] - times[0]) : 0;
		for (let i = 0; i < n; i++) {
			const jitter = Math.abs((times[i] - times[0]) * perSecond - i);
			if (!(jitter <= MAX_JITTER)) {
				throw new InputError(
					"input: sinc",
					`needs uniform sampling, and sample ${i} at time ${times[i]} is ${jitter.toPrecision(2)} samples off`,
					"Use input: cubic or linear, or give the rate in place of the time column.",
				);
			}
		}
		this.clock = new SampleTimes(times);
		this.padded = reflected(values);
	}

	at(t: number): number {
		const { times, values } = this;
		const last = times.length - 1;
		if (!(t > times[0])) return Number.isNaN(t) ? t : values[0];
		if (t >= times[last]) return values[last];
		const i = this.clock.before(t);
		sincWeightsInto(this.weights, (t - times[i]) / (times[i + 1] - times[i]));
		return this.dot(i);
	}

	nodesInto(out: Float64Array, from: number, to: number, offsets: ArrayLike<number>): void {
		const { values } = this;
		const n = offsets.length;
		const last = values.length - 1;
		for (let j = 0; j < n; j++) {
			const whole = offsets[j];
			if (whole === 0 || whole === 1) {
				for (let i = from, k = j; i < to; i++, k += n) out[k] = values[Math.min(i + whole, last)];
				continue;
			}
			sincWeightsInto(this.weights, offsets[j]);
			for (let i = from, k = j; i < to; i++, k += n) out[k] = i < last ? this.dot(i) : values[last];
		}
	}

	/** The kernel's weights times the samples around `i`, in four sums that run side by side. */
	private dot(i: number): number {
		const { padded, weights } = this;
		let a = 0;
		let b = 0;
		let c = 0;
		let d = 0;
		for (let k = 0, at = i + 1; k < TAPS; k += 4, at += 4) {
			a += weights[k] * padded[at];
			b += weights[k + 1] * padded[at + 1];
			c += weights[k + 2] * padded[at + 2];
			d += weights[k + 3] * padded[at + 3];
		}
		return a + c + (b + d);
	}
}

/** `values` with HALF_TAPS more on either side, reflected through the end points, outward so that short records work. */
function reflected(values: Float64Array): Float64Array {
	const n = values.length;
	const out = new Float64Array(n + TAPS);
	out.set(values, HALF_TAPS);
	const first = HALF_TAPS;
	const last = HALF_TAPS + n - 1;
	for (let k = 1; k <= HALF_TAPS; k++) {
		if (n === 1) {
			out[first - k] = out[last + k] = values[0];
		} else {
			out[first - k] = 2 * out[first] - out[first + k];
			out[last + k] = 2 * out[last] - out[last - k];
		}
	}
	return out;
}
