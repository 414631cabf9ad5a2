/**
 * What all particles share of one experiment: steps, inputs at them, samples, and the data-free recursion.
 *
 * Uniform buffers of the filter: `stepOf` (steps of sample s are stepOf[s] below stepOf[s + 1]), `scale` (rows of
 * `scale-row.ts`), `weight` (1/(h^(2q+1) š) and h^(2q+1)/n of each step n and block, or Γ of each block), `gain` (of each step),
 * `t` and `u` at the end of each step, where inputs jump `jumpOf` and `jumps` (see `input-jumps.ts`), for stiff steps `stageT` and `stageU` (see `stage-inputs.ts`), `sampleT` and `sampleU` at each sample, `startU` (time, inputs and their
 * derivatives at the start), `y` and `present` of each sample and output.
 */
import type { Signal } from "../../../data/signal/signal.ts";
import { type UnitRecursion, unitRecursion } from "../../../estimate/state-space/integrated-wiener.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { FilterKernel, FilterSpec } from "./filter-kernel.ts";
import { startDerivatives } from "./input-differences.ts";
import { jumpBuffers } from "./jumps/input-jumps.ts";
import { scaleValues } from "./scale-row.ts";
import { stageBuffers } from "./stiff/stage-inputs.ts";

/** The instants of a filter run. */
export interface StepGrid {
	readonly t0: number;
	/** Times of the samples, rising. */
	readonly sampleTimes: Float64Array;
	/** Steps done when a sample is reached: nSamples + 1 numbers, the first being 0. */
	readonly stepOf: Float64Array;
	/** Length of each step, and the time at its end. */
	readonly h: Float64Array;
	readonly stepTimes: Float64Array;
	readonly uniform: boolean;
	/** At most one step from sample to sample. */
	readonly oneStep: boolean;
}

/** Intervals that differ by less than this are equal: times read from a file are rounded. */
const sameInterval = 1e-6;
/** A longer step by this share needs no second one: clocks jitter. */
const jitter = 0.01;

/**
 * `substeps` steps in the shortest interval; in longer ones as many more. A step ends at each of the instants `edges` (rising) too,
 * however short it gets.
 */
export function stepGrid(
	t0: number,
	sampleTimes: Float64Array,
	substeps: number,
	edges: Float64Array = new Float64Array(),
): StepGrid {
	const intervals = Array.from(sampleTimes, (t, s) => t - (s === 0 ? t0 : sampleTimes[s - 1]));
	const target = shortestOf(intervals) / substeps;
	const pieces = piecesOf(t0, sampleTimes, edges);
	const lengths = pieces.map(({ from, to }) => to - from);
	const shortest = shortestOf(lengths);
	const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
	const uniform = pieces.length === 0 || longest - shortest <= sameInterval * longest;
	const stepsOf = (length: number): number => Math.max(1, Math.ceil(length / target - jitter * substeps));
	const counts = lengths.map((length) => stepsOf(uniform ? shortest : length));
	const mean = lengths.reduce((a, b) => a + b, 0) / (pieces.length * counts[0]);
	const steps = pieces.map(({ from, to }, k) =>
		Array.from({ length: counts[k] }, (_, step) => ({
			h: uniform ? mean : lengths[k] / counts[k],
			end: step + 1 === counts[k] ? to : from + ((step + 1) * lengths[k]) / counts[k],
		})),
	);
	return { ...gridOf(t0, sampleTimes, pieces, steps), uniform };
}

/** Steps of each piece, by their lengths and the times at their ends. */
export function gridOf(
	t0: number,
	sampleTimes: Float64Array,
	pieces: readonly Piece[],
	steps: readonly (readonly { readonly h: number; readonly end: number }[])[],
): StepGrid {
	const stepOf = new Float64Array(sampleTimes.length + 1);
	for (const [k, { sample }] of pieces.entries()) stepOf[sample + 1] += steps[k].length;
	const oneStep = stepOf.every((count) => count <= 1);
	for (let s = 0; s < sampleTimes.length; s++) stepOf[s + 1] += stepOf[s];
	const all = steps.flat();
	return {
		t0,
		sampleTimes,
		stepOf,
		h: Float64Array.from(all, ({ h }) => h),
		stepTimes: Float64Array.from(all, ({ end }) => end),
		uniform: false,
		oneStep,
	};
}

function shortestOf(lengths: readonly number[]): number {
	return lengths.reduce(
		(least, length) => (length > 0 ? Math.min(least, length) : least),
		Number.POSITIVE_INFINITY,
	);
}

export interface Piece {
	readonly from: number;
	readonly to: number;
	readonly sample: number;
}

/** What lies between neighbours among samples and edges, with the sample that it leads to. */
export function piecesOf(t0: number, sampleTimes: Float64Array, edges: Float64Array): Piece[] {
	const pieces: Piece[] = [];
	let from = t0;
	let next = 0;
	for (const [sample, end] of sampleTimes.entries()) {
		const add = (to: number): void => {
			if (!(to > from)) return;
			pieces.push({ from, to, sample });
			from = to;
		};
		for (; next < edges.length && edges[next] <= end; next++) if (edges[next] < end) add(edges[next]);
		add(end);
	}
	return pieces;
}

export interface GridData {
	readonly grid: StepGrid;
	readonly signals: readonly Signal[];
	/** nSamples × nOutputs, as compared (logarithms where the measure is lognormal), and whether they are there. */
	readonly y: Float64Array;
	readonly present: Float64Array;
	/** Γ of each block, where it is given. */
	readonly gamma?: readonly number[];
}

/** All uniform buffers of a filter. */
export function gridBuffers(
	spec: FilterSpec,
	filter: FilterKernel,
	data: GridData,
): Record<string, Float64Array> {
	const { grid, signals, y, present } = data;
	const { layout, uniformSteps } = spec;
	const { h, stepTimes, sampleTimes } = grid;
	return {
		stepOf: grid.stepOf,
		scale: uniformSteps ? Float64Array.from(scaleValues(layout, h[0] ?? 1, 1)) : scaleRows(spec, h),
		...recursionBuffers(spec, data),
		t: atLeastOne(stepTimes),
		u: inputsAt(signals, stepTimes, -1),
		...(spec.jumps ? jumpBuffers(signals, stepTimes) : {}),
		...(spec.stiff ? stageBuffers(signals, grid) : {}),
		sampleT: sampleTimes,
		sampleU: inputsAt(signals, sampleTimes, 1),
		startU: startInputs(grid, signals, filter.inputDerivatives),
		y: atLeastOne(y),
		present: atLeastOne(present),
	};
}

/** A row for each step; that of a step like the one before it is the same. */
function scaleRows({ layout }: FilterSpec, h: Float64Array): Float64Array {
	let row = scaleValues(layout, h[0] ?? 1, 1);
	const rows = new Float64Array(Math.max(1, h.length) * row.length);
	rows.set(row);
	let known = 1;
	for (let k = 1; k < h.length; k++) {
		const ratio = h[k] / h[k - 1];
		if (h[k] !== h[k - 1] || ratio !== known) row = scaleValues(layout, h[k], ratio);
		known = ratio;
		rows.set(row, k * row.length);
	}
	return rows;
}

/** Equal steps: the recursion has long settled by then. */
const settled = 256;

function recursionBuffers(
	{ layout, diffusion }: FilterSpec,
	{ grid, gamma }: GridData,
): { weight: Float64Array; gain: Float64Array } {
	const { h, uniform } = grid;
	const known = uniform ? h.subarray(0, settled) : h;
	const made = new Map<string, UnitRecursion>();
	const recursions = layout.blocks.map(({ q, order }) => {
		const own = made.get(`${q} ${order}`) ?? unitRecursion(q, order, known);
		made.set(`${q} ${order}`, own);
		return own;
	});
	const { nCoordinates, blocks } = layout;
	const gain = new Float64Array(Math.max(1, h.length * nCoordinates));
	const weight = new Float64Array(Math.max(1, 2 * h.length * blocks.length));
	for (let step = 0; step < h.length; step++) {
		const at = Math.min(step, known.length - 1);
		for (const [k, { q, from }] of blocks.entries()) {
			for (let i = 0; i <= q; i++)
				gain[step * nCoordinates + from + i] = recursions[k].gain[at * (q + 1) + i];
			const power = wholePower(h[step], 2 * q + 1);
			const first = 2 * (step * blocks.length + k);
			weight[first] = 1 / (power * recursions[k].innovation[at]);
			weight[first + 1] = power / (step + 1);
		}
	}
	return { weight: diffusion === "fixed" ? Float64Array.from(gamma!) : weight, gain };
}

function inputsAt(signals: readonly Signal[], times: Float64Array, side: -1 | 1): Float64Array {
	const out = new Float64Array(Math.max(1, times.length * signals.length));
	for (const [j, signal] of signals.entries())
		for (let k = 0; k < times.length; k++) out[k * signals.length + j] = signal.at(times[k], side);
	return out;
}

/** Time, inputs, and their derivatives. */
function startInputs({ t0, h }: StepGrid, signals: readonly Signal[], derivatives: number): Float64Array {
	const n = signals.length;
	const out = new Float64Array(1 + derivatives * n);
	out[0] = t0;
	for (const [j, signal] of signals.entries())
		for (const [order, value] of startDerivatives(signal, t0, h[0] ?? 1, derivatives).entries())
			out[1 + order * n + j] = value;
	return out;
}

function atLeastOne(values: Float64Array): Float64Array {
	return values.length > 0 ? values : new Float64Array(1);
}
