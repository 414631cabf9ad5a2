/** A record after step 1: states and derivatives at the times of its grid, with the covariance of their errors. */
import type { Dynamics } from "../dynamics.ts";
import type { Layout } from "../layout.ts";
import type { KrigingRecord } from "../records.ts";
import { mostDense } from "./smoother-choice.ts";

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

/** Some instants of a record: from one of the grid on, every so many, up to another (not in it). */
export function everyNth(
	{ record, tracks }: SmoothedRecord,
	step: number,
	from = 0,
	to = record.grid.length,
): SmoothedRecord {
	const n = record.grid.length;
	const at = Int32Array.from(
		{ length: Math.ceil((Math.min(to, n) - from) / step) },
		(_, i) => from + i * step,
	);
	const some = (values: Float64Array): Float64Array =>
		Float64Array.from({ length: (values.length / n) * at.length }, (_, k) => {
			return values[Math.floor(k / at.length) * n + at[k % at.length]];
		});
	return {
		record: { ...record, grid: some(record.grid) },
		tracks: tracks.map(({ mean, variance, covariance }) => ({
			mean: some(mean),
			variance: some(variance),
			covariance: (q, i, r, j) => covariance(q, at[i], r, at[j]),
		})),
	};
}

/** So long that its instants stand each for itself: step 1 has no covariance of errors at different times. */
export function isLong({ record }: SmoothedRecord): boolean {
	return record.tracks.some(({ t }) => t.length > mostDense);
}

/**
 * Sample times that errors of the derivatives hang together over: the error e of what is differentiated turns within
 * √(Var e/Var e'), and where e correlates like a bell e' does not correlate any more after just this time. Instants nearer to
 * one another tell little that is new.
 */
export function timesShared({ equations }: Layout, { record, tracks }: SmoothedRecord): number {
	const { grid } = record;
	const n = grid.length;
	const widths = equations.map(({ track, order }) => {
		const { variance } = tracks[track];
		return median(grid.map((_, i) => Math.sqrt(variance[(order - 1) * n + i] / variance[order * n + i])));
	});
	const spacing = median(grid.subarray(1).map((t, i) => t - grid[i]));
	return Math.max(1, Math.floor(Math.min(...widths) / spacing));
}

function median(values: Float64Array): number {
	return values.sort()[values.length >> 1];
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
