/**
 * The cubic spline through the samples with not-a-knot ends [deboor1978, ch. IV]: piecewise cubic, twice continuously
 * differentiable, exact on cubics. Two samples give a line, three a parabola.
 */
import { SampleTimes } from "../time/sample-times.ts";
import type { SampledSignal } from "./signal.ts";

export class SignalCubic implements SampledSignal {
	readonly knots: Float64Array;
	private readonly clock: SampleTimes;
	/** Second derivatives at the samples. */
	private readonly bends: Float64Array;

	constructor(
		readonly times: Float64Array,
		readonly values: Float64Array,
	) {
		this.clock = new SampleTimes(times);
		this.knots = times;
		this.bends = secondDerivatives(times, values);
	}

	at(t: number): number {
		const { times, values } = this;
		const last = times.length - 1;
		if (!(t > times[0])) return Number.isNaN(t) ? t : values[0];
		if (t >= times[last]) return values[last];
		const i = this.clock.before(t);
		return this.inside(i, (t - times[i]) / (times[i + 1] - times[i]));
	}

	nodesInto(out: Float64Array, from: number, to: number, offsets: ArrayLike<number>): void {
		const n = offsets.length;
		const last = this.values.length - 1;
		for (let i = from, k = 0; i < to; i++) {
			for (let j = 0; j < n; j++) out[k++] = i < last ? this.inside(i, offsets[j]) : this.values[last];
		}
	}

	/** The value at the fraction `f` of interval `i`. */
	private inside(i: number, f: number): number {
		const { times, values, bends } = this;
		const h = times[i + 1] - times[i];
		const g = 1 - f;
		// g^3 - g = -g f (1 + g), and the same with f and g exchanged: no cancellation at the ends.
		const bend = ((1 + g) * bends[i] + (1 + f) * bends[i + 1]) * ((h * h) / 6);
		return g * values[i] + f * values[i + 1] - f * g * bend;
	}
}

function secondDerivatives(times: Float64Array, values: Float64Array): Float64Array {
	const n = times.length;
	const bends = new Float64Array(n);
	if (n < 3) return bends;
	const step = (i: number) => times[i + 1] - times[i];
	const slope = (i: number) => (values[i + 1] - values[i]) / step(i);
	if (n === 3) return bends.fill((2 * (slope(1) - slope(0))) / (times[2] - times[0]));
	// Continuity of the slope at the inner samples is tridiagonal; not-a-knot eliminates the first and last unknown.
	const m = n - 2;
	const diagonal = new Float64Array(m);
	for (let i = 1; i <= m; i++) {
		const before = step(i - 1);
		const after = step(i);
		let lower = before;
		let main = 2 * (before + after);
		if (i === 1) main += before + (before * before) / after;
		if (i === m) {
			main += after + (after * after) / before;
			lower -= (after * after) / before;
		}
		let right = 6 * (slope(i) - slope(i - 1));
		if (i > 1) {
			const factor = lower / diagonal[i - 2];
			main -= factor * upperOf(times, i - 1);
			right -= factor * bends[i - 1];
		}
		diagonal[i - 1] = main;
		bends[i] = right;
	}
	bends[m] /= diagonal[m - 1];
	for (let i = m - 1; i >= 1; i--) bends[i] = (bends[i] - upperOf(times, i) * bends[i + 1]) / diagonal[i - 1];
	bends[0] = bends[1] + ((bends[1] - bends[2]) * step(0)) / step(1);
	bends[n - 1] = bends[n - 2] + ((bends[n - 2] - bends[n - 3]) * step(n - 2)) / step(n - 3);
	return bends;
}

/** The entry right of the diagonal in the row of inner sample `i`. */
function upperOf(times: Float64Array, i: number): number {
	const before = times[i] - times[i - 1];
	const after = times[i + 1] - times[i];
	return i === 1 ? after - (before * before) / after : after;
}
