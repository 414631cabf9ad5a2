/** A record after step 1: states and derivatives at the times of its grid, with the covariance of their errors. */
import type { Dynamics } from "../dynamics.ts";
import type { KrigingRecord } from "../records.ts";

/** Step 1 of one track: state and derivatives at the times of the grid, order by order. */
export interface SmoothedTrack {
	/** Order q at instant i: q·nGrid + i. */
	readonly mean: Float64Array;
	readonly variance: Float64Array;
	/** Covariance of the errors of order q at instant i and order r at instant j. */
	covariance(q: number, i: number, r: number, j: number): number;
}

export interface SmoothedRecord {
	readonly record: KrigingRecord;
	readonly tracks: readonly SmoothedTrack[];
}

/** State at instant i of the grid, from step 1. */
export function smoothedState(
	dynamics: Dynamics,
	{ record, tracks }: SmoothedRecord,
	i: number,
): Float64Array {
	const { places } = dynamics.layout;
	return Float64Array.from(places, ({ track, order }) => tracks[track].mean[order * record.grid.length + i]);
}

/** Parameters and the conditions of a record, as the dynamics take them. */
export function withConditions(params: Float64Array, { conditions }: KrigingRecord): Float64Array {
	return Float64Array.of(...params, ...conditions);
}
