/** A problem with known truth: what is asked, what is true, and how any other value would go. */
import type { Experiment, Series } from "../../../../src/data/experiment.ts";
import type { SampledSignal } from "../../../../src/data/signal/signal.ts";
import type { GuaranteedOptions } from "../../../../src/methods/guaranteed/guaranteed-run.ts";

/** Values of all unknowns by their names, as `k` or `x(0) of b`. */
export type Values = Readonly<Record<string, number>>;

/** The states and outputs of one record at some times, rising; nothing where there is no solution to the last of them. */
export type Course = (
	values: Values,
	record: string,
	times: readonly number[],
) => { readonly states: number[][]; readonly outputs: Readonly<Record<string, number[]>> } | undefined;

export interface TruthProblem {
	readonly family: string;
	readonly text: string;
	readonly train: readonly Experiment[];
	readonly test: readonly Experiment[];
	readonly options: Partial<GuaranteedOptions>;
	readonly truth: Values;
	/** The declared set of each unknown. */
	readonly sets: Readonly<Record<string, readonly [number, number]>>;
	readonly course: Course;
	/** Whether values, and the states of a record at its times, are as the model assumes, with a margin where that is to be sure. */
	readonly assumed?: (values: Values, states: readonly number[][], isSure: boolean) => boolean;
	/** Largest error of each output. */
	readonly bars: Readonly<Record<string, number>>;
	/** Error of a course itself, beside 1 + |value|. */
	readonly slack: number;
	readonly draw: Draw;
}

/** Random numbers of one problem. */
export interface Draw {
	(lo: number, hi: number): number;
	whole(lo: number, hi: number): number;
	pick<T>(list: readonly T[]): T;
}

/** A record whose outputs are each measured at times of their own, with errors up to their bars and often there. */
export function measured(
	name: string,
	start: number,
	samples: Readonly<Record<string, readonly number[]>>,
	clean: (times: readonly number[]) => Readonly<Record<string, number[]>>,
	bars: Readonly<Record<string, number>>,
	draw: Draw,
	rest: { conditions?: Record<string, number>; inputs?: Record<string, SampledSignal> } = {},
): Experiment {
	const times = [...new Set([start, ...Object.values(samples).flat()])].sort((a, b) => a - b);
	const values = clean(times);
	const outputs = new Map(
		Object.entries(samples).map(([output, own]): [string, Series] => [
			output,
			{
				times: Float64Array.from(own),
				values: Float64Array.from(own, (t) => {
					const error = Math.min(Math.max(draw(-1.5, 1.5), -1), 1) * bars[output] * (1 - 1e-6);
					return values[output][times.indexOf(t)] + error;
				}),
				rows: Int32Array.from(own, (t) => times.indexOf(t)),
			},
		]),
	);
	return {
		name,
		times: Float64Array.from(times),
		rows: { from: 0, to: times.length },
		inputs: new Map(Object.entries(rest.inputs ?? {})),
		outputs,
		conditions: rest.conditions ?? {},
		removed: {},
	};
}

/** Some rising times after a start; at a rate now and then. */
export function someTimes(draw: Draw, start: number, end: number, most: number): number[] {
	const n = draw.whole(1, most);
	if (draw(0, 1) < 0.3) return Array.from({ length: n }, (_, i) => start + ((end - start) * (i + 1)) / n);
	const times = Array.from({ length: n }, () => Number(draw(start + 0.02 * (end - start), end).toFixed(4)));
	return [...new Set(times)].sort((a, b) => a - b);
}

/** A set around a value, which is often at its end; as text and as numbers. */
export function setAround(
	draw: Draw,
	value: number,
	width: number,
): { text: string; set: readonly [number, number] } {
	const part = Math.min(Math.max(draw(-0.3, 1.3), 0), 1);
	const lo = value - part * width;
	const hi = value + (1 - part) * width;
	return { text: `[${lo}, ${hi}]`, set: [lo, hi] };
}
