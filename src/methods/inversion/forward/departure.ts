/**
 * How far a simulation is from what the problem linearised elsewhere says of it. A point that is the least in the linearised problem and
 * whose simulation departs from it by δ (weighted residuals and gaps together) can be bettered by |δ|² at most, as far as the
 * derivatives are still the same: where that means nothing, they need not be computed again.
 */
import { squared } from "../../../num/whole-power.ts";
import type { WeightedProblem } from "./linearisation.ts";
import { innerPoint, type WeightEvaluation } from "./weight-forward.ts";

export interface Departure {
	/** |δ|². */
	readonly squares: number;
	/** Sum of squares that the linearised problem says of the point. */
	readonly linear: number;
}

/** Variances by which a fit in the linearised problem may be bettered, at most, to stand for a fit of the model itself. */
export const agreesWithin = 1e-2;

/** `here`: with sensitivities, at `from`; `there` at `to`. */
export function departureOf(
	problem: WeightedProblem,
	here: WeightEvaluation,
	from: Float64Array,
	there: WeightEvaluation,
	to: Float64Array,
): Departure {
	const { segmented, forward, rowWeights } = problem;
	const { setting } = forward;
	const { values } = setting.observations;
	const moves = setting.experiments.map((_, e) => {
		const begin = innerPoint(setting, from, e);
		return innerPoint(setting, to, e).map((value, i) => value - begin[i]);
	});
	let squares = 0;
	let linear = 0;
	const add = (lin: number, real: number): void => {
		squares += squared(real - lin);
		linear += squared(lin);
	};
	const observed = (i: number, move: Float64Array): void => {
		const lin = here.value[i] + product(here.inner!, i * move.length, move);
		add((values[i] - lin) * rowWeights[i], (values[i] - there.value[i]) * rowWeights[i]);
	};
	if (!segmented) {
		const columns = setting.experiments.map((_, e) => wholeMove(e));
		for (const { experiment, from: first, to: end } of setting.observations.groups)
			for (let i = first; i < end; i++) observed(i, columns[experiment]);
		return { squares, linear };
	}
	const { cuts, seen, nStates: n } = segmented.forward;
	const { gapWeights } = segmented;
	const nUnknowns = from.length - cuts.nStarts * n;
	const startMove = (start: number, c: number): number =>
		to[nUnknowns + start * n + c] - from[nUnknowns + start * n + c];
	cuts.segments.forEach(({ experiment, start, isLast }, s) => {
		const move = start < 0 ? segmentMove(experiment) : segmentMove(experiment, (c) => startMove(start, c));
		for (const { observation } of seen[s]) observed(observation, move);
		if (isLast) return;
		const { start: next } = cuts.segments[s + 1];
		for (let c = 0; c < n; c++) {
			const end = product(here.ends!, (s * n + c) * move.length, move);
			const lin = here.gaps![next * n + c] + startMove(next, c) - end;
			add(gapWeights[c] * lin, gapWeights[c] * there.gaps![next * n + c]);
		}
	});
	return { squares, linear };

	/** Of the columns of a whole record: parameters, then its own initial values. */
	function wholeMove(e: number): Float64Array {
		const { freeComponents } = setting.kernels.initial;
		return Float64Array.from([...ofParameters(e), ...freeComponents.map((c) => ofInitial(e, c))]);
	}
	/** Of the columns of a segment: parameters, then its start. */
	function segmentMove(e: number, ofStart = (c: number): number => ofInitial(e, c)): Float64Array {
		const { components } = setting.candidates.model;
		return Float64Array.from([...ofParameters(e), ...components.map((_, c) => ofStart(c))]);
	}
	function ofParameters(e: number): Float64Array {
		return moves[e].subarray(0, setting.candidates.inner.length);
	}
	function ofInitial(e: number, c: number): number {
		const k = setting.initials.findIndex(({ experiment, component }) => experiment === e && component === c);
		return k < 0 ? 0 : moves[e][setting.candidates.inner.length + k];
	}
}

function product(a: Float64Array, at: number, b: Float64Array): number {
	let sum = 0;
	for (let c = 0; c < b.length; c++) sum += a[at + c] * b[c];
	return sum;
}
