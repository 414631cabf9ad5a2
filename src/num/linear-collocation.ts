/**
 * Linear systems x' = M(t) x + d(t) on equal intervals by Gauss collocation. A step is affine in what it starts from and
 * in d at its nodes, x₁ = Φ x₀ + Σ_j W_j d_j, and Φ and W are found once for all d. No inverse of Φ is ever formed, so
 * stable systems of any stiffness lose nothing over a long time.
 *
 * Reference: Hairer, Wanner, Solving Ordinary Differential Equations II, section IV.5 (Gauss methods).
 */

import type { GaussRule } from "./gauss-legendre.ts";
import { identity } from "./linear/dense.ts";
import { luFactorInto, luSolveColumnsInto } from "./linear/lu.ts";

export interface LinearSteps {
	/** Number of states. */
	readonly m: number;
	readonly intervals: number;
	readonly stages: number;
	/** Row-major m × m for each interval. */
	readonly phi: Float64Array;
	/** For each interval, row-major m × (stages · m): column j·m + i is the response to d_i at node j. */
	readonly response: Float64Array;
	/** For each node, row-major m × (m + stages · m): the state at the node, by the state before and all d; if asked. */
	readonly atNodes?: Float64Array;
}

/** `matrices`: row-major m × m at each node, interval by interval; `h`: length of an interval. */
export function linearSteps(
	matrices: Float64Array,
	m: number,
	rule: GaussRule,
	h: number,
	withNodes = false,
): LinearSteps {
	const s = rule.stages;
	const intervals = matrices.length / (m * m * s);
	const size = s * m;
	const width = m + size;
	const phi = new Float64Array(intervals * m * m);
	const response = new Float64Array(intervals * m * size);
	const atNodes = withNodes ? new Float64Array(intervals * s * m * width) : undefined;
	const system = new Float64Array(size * size);
	const pivots = new Int32Array(size);
	// Slopes at the nodes, K_i = M_i (x + h Σ_j A_ij K_j) + d_i, as functions of x and all d.
	const slopes = new Float64Array(size * width);
	for (let k = 0; k < intervals; k++) {
		system.fill(0);
		slopes.fill(0);
		for (let i = 0; i < s; i++) {
			const M = (k * s + i) * m * m;
			for (let a = 0; a < m; a++) {
				const row = i * m + a;
				for (let j = 0; j < s; j++) {
					const factor = -h * rule.upTo[i * s + j];
					for (let b = 0; b < m; b++)
						system[row * size + j * m + b] = factor * matrices[M + a * m + b] + (row === j * m + b ? 1 : 0);
				}
				for (let b = 0; b < m; b++) slopes[row * width + b] = matrices[M + a * m + b];
				slopes[row * width + m + row] = 1;
			}
		}
		luFactorInto(system, pivots, size);
		luSolveColumnsInto(slopes, width, system, pivots, size);
		for (let a = 0; a < m; a++) {
			for (let c = 0; c < width; c++) {
				let sum = 0;
				for (let j = 0; j < s; j++) sum += rule.weights[j] * slopes[(j * m + a) * width + c];
				if (c < m) phi[(k * m + a) * m + c] = h * sum + (a === c ? 1 : 0);
				else response[(k * m + a) * size + c - m] = h * sum;
				if (!atNodes) continue;
				for (let i = 0; i < s; i++) {
					let part = 0;
					for (let j = 0; j < s; j++) part += rule.upTo[i * s + j] * slopes[(j * m + a) * width + c];
					atNodes[((k * s + i) * m + a) * width + c] = h * part + (a === c ? 1 : 0);
				}
			}
		}
	}
	return { m, intervals, stages: s, phi, response, atNodes };
}

/** The periodic solution for `d` (m values a node): states at the nodes, at the start of each interval, and at the end. */
export function periodicSolution(
	steps: LinearSteps,
	d: Float64Array,
): { nodes: Float64Array; starts: Float64Array; end: Float64Array } {
	const { m, intervals, stages, phi, response, atNodes } = steps;
	const size = stages * m;
	const width = m + size;
	const total = identity(m);
	const state = new Float64Array(m);
	const next = new Float64Array(m);
	const forcing = new Float64Array(intervals * m);
	for (let k = 0; k < intervals; k++) {
		for (let a = 0; a < m; a++) {
			let sum = 0;
			for (let c = 0; c < size; c++) sum += response[(k * m + a) * size + c] * d[k * size + c];
			forcing[k * m + a] = sum;
		}
		advance(k);
		multiplyLeftInto(total, phi, k * m * m, m);
	}
	// x₀ = Φ_T x₀ + x_T(0)
	const closing = total.map((value, i) => (i % (m + 1) === 0 ? 1 : 0) - value);
	const pivots = new Int32Array(m);
	luFactorInto(closing, pivots, m);
	luSolveColumnsInto(state, 1, closing, pivots, m);
	const nodes = new Float64Array(intervals * size);
	const starts = new Float64Array(intervals * m);
	for (let k = 0; k < intervals; k++) {
		starts.set(state, k * m);
		for (let row = 0; row < size; row++) {
			let sum = 0;
			const at = (k * size + row) * width;
			for (let c = 0; c < m; c++) sum += atNodes![at + c] * state[c];
			for (let c = 0; c < size; c++) sum += atNodes![at + m + c] * d[k * size + c];
			nodes[k * size + row] = sum;
		}
		advance(k);
	}
	return { nodes, starts, end: state };

	function advance(k: number): void {
		for (let a = 0; a < m; a++) {
			let sum = forcing[k * m + a];
			for (let b = 0; b < m; b++) sum += phi[(k * m + a) * m + b] * state[b];
			next[a] = sum;
		}
		state.set(next);
	}
}

/** a = B a, with B at `offset` of `b`; both m × m. */
export function multiplyLeftInto(a: Float64Array, b: Float64Array, offset: number, m: number): void {
	const column = new Float64Array(m);
	for (let c = 0; c < m; c++) {
		for (let i = 0; i < m; i++) {
			let sum = 0;
			for (let j = 0; j < m; j++) sum += b[offset + i * m + j] * a[j * m + c];
			column[i] = sum;
		}
		for (let i = 0; i < m; i++) a[i * m + c] = column[i];
	}
}
