/** A signal on a regular sub-grid of nodes, in bulk: integrators of a batch need u at the same nodes for all. */
import type { SampledSignal, Signal } from "./signal.ts";

/**
 * The values at `times[i] + offset (times[i + 1] - times[i])` for every interval of `times` and every offset (0 to
 * 1), interval by interval. Where the signal jumps these are limits from inside the interval.
 */
export function resample(signal: Signal, times: Float64Array, offsets: ArrayLike<number>): Float64Array {
	const out = new Float64Array(Math.max(0, times.length - 1) * offsets.length);
	resampleInto(out, signal, times, offsets);
	return out;
}

export function resampleInto(
	out: Float64Array,
	signal: Signal,
	times: Float64Array,
	offsets: ArrayLike<number>,
): void {
	const nIntervals = times.length - 1;
	if (isSampled(signal)) {
		const from = rowOf(signal.times, times);
		if (from >= 0) {
			signal.nodesInto(out, from, from + nIntervals, offsets);
			return;
		}
	}
	for (let i = 0, k = 0; i < nIntervals; i++) {
		const step = times[i + 1] - times[i];
		for (let j = 0; j < offsets.length; j++) {
			const f = offsets[j];
			out[k++] = f === 1 ? signal.at(times[i + 1], -1) : signal.at(times[i] + f * step, 1);
		}
	}
}

function isSampled(signal: Signal): signal is SampledSignal {
	return "nodesInto" in signal;
}

/** Where `part` lies in `whole` as a run of the same times; -1 when it does not. */
function rowOf(whole: Float64Array, part: Float64Array): number {
	let lo = 0;
	let hi = whole.length;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (whole[middle] < part[0]) lo = middle + 1;
		else hi = middle;
	}
	if (lo + part.length > whole.length) return -1;
	for (let i = 0; i < part.length; i++) if (whole[lo + i] !== part[i]) return -1;
	return lo;
}
