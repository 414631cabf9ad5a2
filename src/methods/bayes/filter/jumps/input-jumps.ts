/** Where inputs that are held from row to row jump: the solver steps exactly onto these instants. */
import type { Signal } from "../../../../data/signal/signal.ts";

/** Instants of jumps after `t0` and before `end`, rising. */
export function jumpTimes(signals: readonly Signal[], t0: number, end: number): Float64Array {
	const times = new Set<number>();
	for (const signal of signals)
		for (const t of signal.knots) if (t > t0 && t < end && signal.at(t, -1) !== signal.at(t, 1)) times.add(t);
	return Float64Array.from(times).sort();
}

/**
 * Uniform buffers of the jumps. `jumpOf`: of each step 0, or which jump stands where it begins, counted from 1. `jumps`: of each
 * jump the time, the inputs before it, and those after it.
 */
export function jumpBuffers(
	signals: readonly Signal[],
	stepTimes: Float64Array,
): { jumpOf: Float64Array; jumps: Float64Array } {
	const jumpOf = new Float64Array(Math.max(1, stepTimes.length));
	const rows: number[] = [];
	let count = 0;
	for (let step = 1; step < stepTimes.length; step++) {
		const t = stepTimes[step - 1];
		if (signals.every((signal) => signal.at(t, -1) === signal.at(t, 1))) continue;
		jumpOf[step] = ++count;
		rows.push(t, ...signals.map((signal) => signal.at(t, -1)), ...signals.map((signal) => signal.at(t, 1)));
	}
	return { jumpOf, jumps: Float64Array.from(rows.length > 0 ? rows : [0]) };
}
