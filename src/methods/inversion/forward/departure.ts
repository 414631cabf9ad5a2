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
	const nInner = setting.candidates.inner.length;
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
	/** Of the columns of an experiment: parameters, then some of its own initial values. */
	const columns = (e: number, components: readonly number[]): Float64Array => {
		const move = new Float64Array(nInner + components.length);
		move.set(moves[e].subarray(0, nInner));
		components.forEach((c, i) => {
			const k = setting.initials.findIndex((own) => own.experiment === e && own.component === c);
			if (k >= 0) move[nInner + i] = moves[e][nInner + k];
		});
		return move;
	};
	if (!segmented) {
		const { freeComponents } = setting.kernels.initial;
		const whole = setting.experiments.map((_, e) => columns(e, freeComponents));
		for (const { experiment, from: first, to: end } of setting.observations.groups)
			for (let i = first; i < end; i++) observed(i, whole[experiment]);
		return { squares, linear };
	}
	const { cuts, seen, nStates: n } = segmented.forward;
	const { gapWeights } = segmented;
	const nUnknowns = from.length - cuts.nStarts * n;
	const all = [...Array(n).keys()];
	let move: Float64Array = new Float64Array(0);
	cuts.segments.forEach(({ experiment, start, isLast }, s) => {
		// The first segment of a record begins as the model says; of the others only the start differs.
		if (start < 0) move = columns(experiment, all);
		else for (let c = 0, at = nUnknowns + start * n; c < n; c++, at++) move[nInner + c] = to[at] - from[at];
		for (const { observation } of seen[s]) observed(observation, move);
		if (isLast) return;
		const { start: next } = cuts.segments[s + 1];
		for (let c = 0; c < n; c++) {
			const at = nUnknowns + next * n + c;
			const end = product(here.ends!, (s * n + c) * move.length, move);
			const lin = here.gaps![next * n + c] + (to[at] - from[at]) - end;
			add(gapWeights[c] * lin, gapWeights[c] * there.gaps![next * n + c]);
		}
	});
	return { squares, linear };
}

function product(a: Float64Array, at: number, b: Float64Array): number {
	let sum = 0;
	for (let c = 0; c < b.length; c++) sum += a[at + c] * b[c];
	return sum;
}
