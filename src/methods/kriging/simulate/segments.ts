/**
 * Where a record is cut before its trajectory is fitted: an error of the first state must not grow so much along a segment
 * that the linearisation is lost. Systems that forget or oscillate are followed from end to end.
 */

import { identity } from "../../../num/linear/dense.ts";
import { squared } from "../../../num/whole-power.ts";
import { BoundDynamics, type Dynamics } from "../dynamics.ts";
import type { Segment } from "../field/flow-data.ts";
import type { KernelSum } from "../field/kernel-sum.ts";
import { type SmoothedRecord, smoothedState, withConditions } from "../time/smoothed-record.ts";
import { learningPatience, linearPath, product } from "./path.ts";

/** Largest growth of an error (in units of the spread of each state) along one segment. */
const largestGrowth = 30;
/** Shortest segment, in sample times. */
export const shortest = 6;

/** What becomes of errors between the sample times of a record. */
export interface Transitions {
	readonly n: number;
	readonly spread: Float64Array;
	/** From each sample time to the next: factors of Φ, and whether the way there was found. */
	readonly gaps: readonly { readonly factors: readonly Float64Array[]; readonly isFound: boolean }[];
}

/** In pieces, one for each way from a sample time to the next. */
export function* transitionsOf(
	dynamics: Dynamics,
	records: readonly SmoothedRecord[],
	functions: readonly KernelSum[],
	params: Float64Array,
): Generator<void, Transitions[]> {
	const { n } = dynamics;
	const transitions: Transitions[] = [];
	for (const smoothed of records) {
		const { record } = smoothed;
		const { grid } = record;
		const bound = new BoundDynamics(dynamics, functions, withConditions(params, record), record.signals);
		const states = Array.from(grid, (_, i) => smoothedState(dynamics, smoothed, i));
		const spread = Float64Array.from({ length: n }, (_, c) => spreadOf(states.map((x) => x[c])));
		const gaps: { factors: Float64Array[]; isFound: boolean }[] = [];
		for (const [i, x] of states.slice(0, -1).entries()) {
			yield;
			const next = grid.subarray(i + 1, i + 2);
			const { steps, outcome } = linearPath(bound, grid[i], x, next, undefined, learningPatience);
			gaps.push({ factors: steps.map(({ a }) => a), isFound: outcome === "converged" });
		}
		transitions.push({ n, spread, gaps });
	}
	return transitions;
}

/** Positions in the grid of each record at which a segment starts; `longest`: sample times in one of them, at most. */
export function cutsOf(records: readonly Transitions[], longest: number): number[][] {
	return records.map(({ n, spread, gaps }) => {
		const cuts = [0];
		let phi = identity(n);
		gaps.forEach(({ factors, isFound }, i) => {
			for (const a of factors) phi = product(a, phi, n, n);
			const length = i + 1 - cuts[cuts.length - 1];
			const grown = !isFound || length >= longest || !(growth(phi, spread, n) < largestGrowth);
			if (grown && length >= shortest && gaps.length - i >= shortest) {
				cuts.push(i + 1);
				phi = identity(n);
			}
		});
		return cuts;
	});
}

export function segmentsAt(
	records: readonly SmoothedRecord[],
	cuts: readonly (readonly number[])[],
): Segment[] {
	return records.flatMap(({ record }, r) =>
		cuts[r].map((from, k) => ({
			record,
			from,
			t0: record.grid[from],
			times: record.grid.subarray(from, cuts[r][k + 1] ?? record.grid.length),
		})),
	);
}

function growth(phi: Float64Array, spread: Float64Array, n: number): number {
	let most = 0;
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) most = Math.max(most, Math.abs((phi[i * n + j] * spread[j]) / spread[i]));
	return most;
}

function spreadOf(values: readonly number[]): number {
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	return Math.sqrt(values.reduce((sum, value) => sum + squared(value - mean), 0) / values.length) || 1;
}
