/**
 * A verified step for stiff equations, whose length is not bounded by the fastest decay. Solutions from P(ζ) + e are compared with a polynomial P(ζ, s) that
 * solves the equations up to a defect d = h·f(P) - P'. Their distance obeys, state by state,
 *
 *   |e_i|' <= h·(sup J_ii·|e_i| + Σ_(j≠i) |J_ij|·|e_j|) + |d_i|
 *
 * with J all Jacobians on a tube that is proved not to be left: a strong decay J_ii < 0 forgets what was, and divides the defect, where a Picard iteration
 * would need h·|J| < 1 [hairer1993, theorem 10.6]. The polynomial is found by collocation, in plain floating point: whatever comes out is verified.
 */
import type { Interval } from "../../../../interval/interval.ts";
import { exp } from "../../../../interval/operations.ts";
import { timePartInto } from "../../../../interval/taylor/time-part.ts";
import { cos } from "../../../../num/elementary/number.ts";
import { luFactorInto, luSolveInto } from "../../../../num/linear/lu.ts";
import type { StepModels } from "./step-models.ts";

const UP = 1 + 2 ** -40;
const U = 2 ** -53;
const mostIterations = 8;
/** Parts of a step that are bounded one after the other: what is off at its start decays. */
const pieces = 8;

/** How far solutions are from P: anywhere on the step, and at its end. */
export interface StiffBounds {
	readonly over: Float64Array;
	readonly end: Float64Array;
}

export class StiffStep {
	readonly #step: StepModels;
	readonly #nodes: Float64Array;

	constructor(step: StepModels) {
		this.#step = step;
		const K = step.space.timeOrder;
		// The last is the end of the step, so that what decays at once is gone there.
		this.#nodes = Float64Array.from({ length: K }, (_, j) => (1 - cos((Math.PI * (j + 1)) / K)) / 2);
	}

	/** The strongest decay of a state by itself, at the middle of a box of all symbols. */
	decay(): number {
		const { nStates: n } = this.#step;
		const J = this.#slopesAtMiddle();
		let most = 0;
		for (let i = 0; i < n && J; i++) most = Math.max(most, -J[i * n + i]);
		return most;
	}

	/** Finds P from its values at s = 0 and proves how far solutions from within `before` of it can be; nothing where that is not proved. */
	attempt(before: Float64Array, hLo: number, hHi: number, negligible: number): StiffBounds | undefined {
		if (!this.#collocate(hLo / 2 + hHi / 2)) return undefined;
		const defects = this.#defects(hLo, hHi, negligible);
		return defects && this.#bound(before, defects, { lo: hLo, hi: hHi });
	}

	/** P(ζ, s) with P' = h·f(P) at the nodes, by Newton's method with the Jacobian at the middle. */
	#collocate(h: number): boolean {
		const { space, nStates: n, series, symbols, outputs } = this.#step;
		const { M, timeOrder: K } = space;
		const arrays = symbols.map(({ c }) => c);
		for (let i = 0; i < n; i++) arrays[i].fill(0, M);
		const A = this.#slopesAtMiddle();
		if (!A) return false;
		const size = n * K;
		const matrix = new Float64Array(size * size);
		for (let j = 0; j < K; j++) {
			let power = 1;
			for (let k = 1; k <= K; k++) {
				// The term s^k of state l in the equation of state i at node j.
				for (let i = 0; i < n; i++)
					for (let l = 0; l < n; l++)
						matrix[(i * K + j) * size + l * K + k - 1] =
							(i === l ? k * power : 0) - h * A[i * n + l] * power * this.#nodes[j];
				power *= this.#nodes[j];
			}
		}
		const pivots = new Int32Array(size);
		if (!luFactorInto(matrix, pivots, size)) return false;
		const right = new Float64Array(size);
		for (let round = 0; round < mostIterations; round++) {
			for (let k = 0; k <= K; k++) series.order(k, arrays);
			let moved = 0;
			let all = 0;
			for (let m = 0; m < M; m++) {
				for (let i = 0; i < n; i++) {
					const from = series.offset(outputs[i]) + m;
					for (let j = 0; j < K; j++) {
						const s = this.#nodes[j];
						let value = 0;
						for (let k = K; k >= 0; k--) {
							const slope = k < K ? (k + 1) * arrays[i][(k + 1) * M + m] : 0;
							value = value * s + h * series.values[from + k * M] - slope;
						}
						right[i * K + j] = value;
					}
				}
				luSolveInto(right, matrix, pivots, size);
				for (let i = 0; i < n; i++)
					for (let k = 1; k <= K; k++) {
						const change = right[i * K + k - 1];
						arrays[i][k * M + m] += change;
						moved += Math.abs(change);
						all += Math.abs(arrays[i][k * M + m]) + (k === 1 ? Math.abs(arrays[i][m]) : 0);
					}
			}
			if (!(moved < Number.POSITIVE_INFINITY)) return false;
			if (moved <= 1e-15 * all) break;
		}
		// Guesses of reciprocals belong to the last P.
		for (let k = 0; k <= K; k++) series.order(k, arrays);
		return true;
	}

	/** Bounds of |h·f(P) - P'| over each piece of the step, as much as it adds there. */
	#defects(hLo: number, hHi: number, negligible: number): Float64Array[] | undefined {
		const { space, nStates: n, taylor, symbols, known } = this.#step;
		const { M, timeOrder: K } = space;
		for (let i = 0; i < n; i++) {
			symbols[i].r = 0;
			symbols[i].top = K;
		}
		if (!taylor.evaluate(symbols, negligible, known)) return undefined;
		const difference = space.model();
		const part = space.model();
		const out = Array.from({ length: pieces }, () => new Float64Array(n));
		for (let i = 0; i < n; i++) {
			space.scaleInto(difference, taylor.output(i), hLo, hHi);
			let size = 0;
			for (let k = 0; k <= K; k++)
				for (let m = 0; m < M; m++) {
					const value = difference.c[k * M + m];
					const slope = k < K ? (k + 1) * symbols[i].c[(k + 1) * M + m] : 0;
					difference.c[k * M + m] = value - slope;
					size += Math.abs(value) + Math.abs(slope);
				}
			difference.top = K;
			difference.r = (difference.r + 4 * U * size) * space.up + 1e-300;
			for (let q = 0; q < pieces; q++) {
				timePartInto(space, part, difference, q / pieces, 1 / pieces);
				out[q][i] = (space.mag(part) / pieces) * UP;
				if (!(out[q][i] < 1e100)) return undefined;
			}
		}
		return out;
	}

	#bound(before: Float64Array, defects: readonly Float64Array[], h: Interval): StiffBounds | undefined {
		const { nStates: n, jacobian, jumps } = this.#step;
		const tube = this.#step.box();
		const slopes = new Float64Array(2 * n * n);
		let D = before.map((value, i) => defects.reduce((sum, each) => sum + 2 * each[i], 2 * value) + 1e-290);
		for (let round = 0; round < 12; round++) {
			const wide = tube.slice();
			for (let i = 0; i < n; i++) {
				wide[2 * i] -= D[i] + (Math.abs(tube[2 * i]) + D[i]) * 4 * U;
				wide[2 * i + 1] += D[i] + (Math.abs(tube[2 * i + 1]) + D[i]) * 4 * U;
			}
			if (!jumps.none(wide) || !jacobian.evaluate(wide, slopes)) return undefined;
			if (!slopes.every((value) => Math.abs(value) < 1e100)) return undefined;
			const { over, end } = course(slopes, before, defects, D, h);
			// Strictly inside: no solution can get to the edge of the tube.
			if (over.every((value, i) => value < D[i])) return { over, end };
			D = over.map((value, i) => Math.max(1.2 * value, D[i]) + 1e-290);
			if (!D.every((value) => value < 1e50)) return undefined;
		}
		return undefined;
	}

	/** ∂f/∂x at the middles of all symbols, about. */
	#slopesAtMiddle(): Float64Array | undefined {
		const { nStates: n, jacobian, symbols } = this.#step;
		const point = Float64Array.from(symbols.flatMap(({ c }) => [c[0], c[0]]));
		const out = new Float64Array(2 * n * n);
		if (!jacobian.evaluate(point, out)) return undefined;
		const middle = Float64Array.from({ length: n * n }, (_, k) => out[2 * k] / 2 + out[2 * k + 1] / 2);
		return middle.every((value) => Math.abs(value) < 1e100) ? middle : undefined;
	}
}

/** How far each state gets, piece by piece, while all are within D. */
function course(
	slopes: Float64Array,
	before: Float64Array,
	defects: readonly Float64Array[],
	D: Float64Array,
	h: Interval,
): StiffBounds {
	const length = { lo: h.lo / defects.length / UP, hi: (h.hi / defects.length) * UP };
	let over = before.slice();
	let now = before;
	for (const defect of defects) {
		let here = reach(slopes, now, defect, D, length);
		// What holds for all of the tube holds for the bounds that follow from it, as long as these are inside.
		if (here.every((value, i) => value < D[i]))
			for (let round = 0; round < 3; round++) here = reach(slopes, now, defect, here, length);
		over = over.map((value, i) => Math.max(value, here[i]));
		now = endOf(slopes, now, defect, here, length);
	}
	return { over, end: now };
}

/** What drives |e_i| but for itself: the other states, and the defect. */
function push(slopes: Float64Array, defect: Float64Array, D: Float64Array, h: Interval, i: number): number {
	const n = D.length;
	let sum = defect[i];
	for (let j = 0; j < n; j++)
		if (j !== i) {
			const o = 2 * (i * n + j);
			sum += h.hi * Math.max(Math.abs(slopes[o]), Math.abs(slopes[o + 1])) * D[j];
		}
	return sum * UP;
}

/** The greatest h·J_ii: a decay over the shortest time, a growth over the longest. */
function growth(slopes: Float64Array, h: Interval, i: number): number {
	const n = Math.sqrt(slopes.length / 2);
	const slope = slopes[2 * (i * n + i) + 1];
	return slope < 0 ? (slope * h.lo) / UP : slope * h.hi * UP;
}

/** Where v' = a·v + b gets from v0 at most, for each state. */
function reach(
	slopes: Float64Array,
	before: Float64Array,
	defect: Float64Array,
	D: Float64Array,
	h: Interval,
): Float64Array {
	return before.map((v0, i) => {
		const a = growth(slopes, h, i);
		const b = push(slopes, defect, D, h, i);
		// A decay stays below the greater of its start and the balance b/-a, and gains b at most.
		if (a < 0) return Math.max(v0, Math.min(v0 + b, (b / -a) * UP)) * UP + 1e-300;
		return exp(a).hi * (v0 + b) * UP + 1e-300;
	});
}

/** Where it is at the end: e^a·v0 + b·(e^a - 1)/a. */
function endOf(
	slopes: Float64Array,
	before: Float64Array,
	defect: Float64Array,
	over: Float64Array,
	h: Interval,
): Float64Array {
	return over.map((most, i) => {
		const a = growth(slopes, h, i);
		const kept = exp(a).hi;
		const pushed = push(slopes, defect, over, h, i) * (a < 0 ? Math.min(1, -UP / a) : kept);
		return Math.min(most, (kept * before[i] + pushed) * UP + 1e-300);
	});
}
