/**
 * The uniform side of a Runge-Kutta run: where the steps are, what the inputs are inside each, and after which a
 * sample is written. Steps end at every sample and at every knot of an input, so no step crosses a jump.
 */
import { resampleInto } from "../../data/signal/resample.ts";
import type { Signal } from "../../data/signal/signal.ts";
import { InternalError } from "../../errors.ts";
import { stageNodes, type TableauName, tableaus } from "./tableaus.ts";

export interface Grid {
	readonly nSteps: number;
	readonly nSamples: number;
	/** Start and length of each step. */
	readonly t: Float64Array;
	readonly h: Float64Array;
	/** Inputs at the stage times of each step: (step · nNodes + node) · nInputs + input. */
	readonly u: Float64Array;
	/** Number of the sample that is written before step i (after the last, for i = nSteps), or -1. */
	readonly emit: Float64Array;
	/** Times of the samples, and inputs there: sample · nInputs + input. */
	readonly sampleT: Float64Array;
	readonly sampleU: Float64Array;
}

/** So many steps from sample to sample, in gaps so much longer than usual as many times more; or steps no longer than this. */
export type StepRule = { readonly substeps: number; readonly usual?: number } | { readonly maxStep: number };

/** Times the usual steps that a gap gets, at most: what nobody looks at for so long is not worth more. */
const mostTimes = 4096;

/** Two instants that are nearer than this fraction of an interval are one. */
const near = 1e-9;

export function planGrid(
	sampleTimes: Float64Array,
	t0: number,
	rule: StepRule,
	inputs: readonly Signal[],
	tableau: TableauName = "rk4",
): Grid {
	const nSamples = sampleTimes.length;
	if (!(nSamples > 0 && t0 <= sampleTimes[0]))
		throw new InternalError("the initial time must not be after the first sample", { t0, nSamples });
	const nodes = stageNodes(tableaus[tableau]);
	const pieces = cutAtKnots(sampleTimes, t0, inputs);
	const counts = stepCounts(pieces, rule);
	const nSteps = counts.reduce((sum, count) => sum + count, 0);
	const t = new Float64Array(nSteps);
	const h = new Float64Array(nSteps);
	const emit = new Float64Array(nSteps + 1).fill(-1);
	let step = 0;
	for (const [i, count] of counts.entries()) {
		if (pieces.sample[i] >= 0) emit[step] = pieces.sample[i];
		const [left, right] = [pieces.ends[i], pieces.ends[i + 1]];
		const length = (right - left) / count;
		for (let s = 0; s < count; s++, step++) {
			t[step] = left + s * length;
			h[step] = length;
		}
	}
	emit[nSteps] = pieces.sample[counts.length];
	const u = inputsAtNodes(pieces, counts, nSteps, nodes, inputs);
	const sampleU = inputsAtSamples(pieces, emit, u, nodes.length, inputs);
	return { nSteps, nSamples, t, h, u, emit, sampleT: sampleTimes, sampleU };
}

/** Ends of the pieces between samples and knots, and which sample each end is (-1: none). */
interface Pieces {
	readonly ends: Float64Array;
	readonly sample: Int32Array;
	/** Length of the sample interval that a piece is part of. */
	readonly interval: Float64Array;
	/** Where to look for the inputs' limits from the left and from the right: a knot may lie a rounding error away. */
	readonly before: Float64Array;
	readonly after: Float64Array;
}

function cutAtKnots(sampleTimes: Float64Array, t0: number, inputs: readonly Signal[]): Pieces {
	const knots = mergedKnots(inputs);
	const most = sampleTimes.length + 1 + knots.length;
	const ends = new Float64Array(most);
	const sample = new Int32Array(most).fill(-1);
	const interval = new Float64Array(most);
	const before = new Float64Array(most);
	const after = new Float64Array(most);
	let n = 0;
	const add = (t: number): void => {
		before[n] = after[n] = ends[n] = t;
		n++;
	};
	add(t0);
	let knot = 0;
	for (let i = 0; i < sampleTimes.length; i++) {
		const left = i > 0 ? sampleTimes[i - 1] : t0;
		const right = sampleTimes[i];
		const reach = near * (right - left);
		if (i === 0 && right === t0) {
			sample[0] = 0;
			continue;
		}
		const start = n - 1;
		for (; knot < knots.length && knots[knot] <= right + reach; knot++) {
			const at = knots[knot];
			if (at < left - reach || at > right - reach) {
				if (at > right - reach) break;
				continue;
			}
			if (at <= ends[n - 1] + reach) after[n - 1] = Math.max(after[n - 1], at);
			else add(at);
		}
		add(right);
		for (; knot < knots.length && knots[knot] <= right + reach; knot++) {
			before[n - 1] = Math.min(before[n - 1], knots[knot]);
			after[n - 1] = Math.max(after[n - 1], knots[knot]);
		}
		sample[n - 1] = i;
		interval.fill(right - left, start, n - 1);
	}
	return {
		ends: ends.subarray(0, n),
		sample: sample.subarray(0, n),
		interval: interval.subarray(0, n - 1),
		before: before.subarray(0, n),
		after: after.subarray(0, n),
	};
}

function mergedKnots(inputs: readonly Signal[]): Float64Array {
	const distinct = [...new Set(inputs.map(({ knots }) => knots))].filter(({ length }) => length > 0);
	if (distinct.length <= 1) return distinct[0] ?? new Float64Array(0);
	const all = new Float64Array(distinct.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const knots of distinct) {
		all.set(knots, at);
		at += knots.length;
	}
	return all.sort();
}

function stepCounts({ ends, interval }: Pieces, rule: StepRule): Int32Array {
	return Int32Array.from(interval, (whole, i) => {
		const length = ends[i + 1] - ends[i];
		const wanted =
			"substeps" in rule
				? (rule.substeps * timesUsual(whole, rule.usual) * length) / whole
				: length / rule.maxStep;
		return Math.max(1, Math.ceil(wanted * (1 - near)));
	});
}

/** How many usual intervals one is worth, whole ones: instants that were rounded make no difference. */
function timesUsual(interval: number, usual: number | undefined): number {
	if (!usual || !(usual > 0)) return 1;
	return Math.min(Math.max(Math.round(interval / usual), 1), mostTimes);
}

function inputsAtNodes(
	pieces: Pieces,
	counts: Int32Array,
	nSteps: number,
	nodes: readonly number[],
	inputs: readonly Signal[],
): Float64Array {
	const u = new Float64Array(nSteps * nodes.length * inputs.length);
	// Where each piece has as many steps, sampled inputs can do all pieces at once.
	const even = counts.every((count) => count === counts[0]);
	for (const [j, input] of inputs.entries())
		if (even) allAtOnce(u, j, input, pieces, counts[0], nodes, inputs.length);
		else oneByOne(u, j, input, pieces, counts, nodes, inputs.length);
	return u;
}

/** A sample stands where a step begins, whose first node has the inputs; only the last one stands at the end. */
function inputsAtSamples(
	{ after }: Pieces,
	emit: Float64Array,
	u: Float64Array,
	nNodes: number,
	inputs: readonly Signal[],
): Float64Array {
	const nInputs = inputs.length;
	const nSteps = emit.length - 1;
	const sampleU = new Float64Array((emit[nSteps] + 1) * nInputs);
	for (let step = 0; step < nSteps; step++)
		for (let j = 0; j < nInputs && emit[step] >= 0; j++)
			sampleU[emit[step] * nInputs + j] = u[step * nNodes * nInputs + j];
	inputs.forEach((input, j) => {
		sampleU[emit[nSteps] * nInputs + j] = input.at(after[after.length - 1], 1);
	});
	return sampleU;
}

function oneByOne(
	u: Float64Array,
	first: number,
	input: Signal,
	{ ends, before, after }: Pieces,
	counts: Int32Array,
	nodes: readonly number[],
	stride: number,
): void {
	let at = first;
	for (const [i, count] of counts.entries()) {
		const length = ends[i + 1] - ends[i];
		for (let s = 0; s < count; s++)
			for (const node of nodes) {
				const fraction = (s + node) / count;
				if (fraction === 0) u[at] = input.at(after[i], 1);
				else u[at] = fraction === 1 ? input.at(before[i + 1], -1) : input.at(ends[i] + fraction * length, 1);
				at += stride;
			}
	}
}

function allAtOnce(
	u: Float64Array,
	first: number,
	input: Signal,
	{ ends, before, after }: Pieces,
	count: number,
	nodes: readonly number[],
	stride: number,
): void {
	// The end of a step is the start of the next: each instant once.
	const wanted = Array.from({ length: count }, (_, s) => nodes.map((node) => (s + node) / count)).flat();
	const offsets = [...new Set(wanted)].sort((p, q) => p - q);
	const place = wanted.map((fraction) => offsets.indexOf(fraction));
	const [nPieces, last] = [ends.length - 1, offsets.length - 1];
	const values = new Float64Array(nPieces * offsets.length);
	resampleInto(values, input, ends, offsets);
	let at = first;
	for (let i = 0; i < nPieces; i++) {
		const row = i * offsets.length;
		if (after[i] !== ends[i]) values[row] = input.at(after[i], 1);
		if (before[i + 1] !== ends[i + 1] && offsets[last] === 1)
			values[row + last] = input.at(before[i + 1], -1);
		for (const p of place) {
			u[at] = values[row + p];
			at += stride;
		}
	}
}
