/** The instants of one period at which everything is computed: equal intervals with Gauss nodes inside. */
import type { GaussRule } from "../../../num/gauss-legendre.ts";

export interface Grid {
	readonly period: number;
	readonly intervals: number;
	readonly rule: GaussRule;
	/** Length of an interval. */
	readonly h: number;
	/** Number of nodes. */
	readonly count: number;
}

export function gridOf(period: number, intervals: number, rule: GaussRule): Grid {
	return { period, intervals, rule, h: period / intervals, count: intervals * rule.stages };
}

/** The measured state at the nodes, and at the start of each interval. */
export interface Sampled {
	readonly nodes: Float64Array;
	readonly starts: Float64Array;
}

/** A function of the phase (0 to 2π) on a grid. */
export function sampleOn({ intervals, rule }: Grid, f: (phi: number) => number): Sampled {
	const { stages } = rule;
	const nodes = new Float64Array(intervals * stages);
	const starts = new Float64Array(intervals);
	const step = (2 * Math.PI) / intervals;
	for (let k = 0; k < intervals; k++) {
		starts[k] = f(k * step);
		for (let i = 0; i < stages; i++) nodes[k * stages + i] = f((k + rule.nodes[i]) * step);
	}
	return { nodes, starts };
}
