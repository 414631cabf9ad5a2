/**
 * The adaptive observer whose periodic solution is ŷ and R ([tyukin2016] eq. (3.4), (3.5), (3.7)), with a gain Γ that the
 * paper lacks:
 *
 *     χ₁' = A₀χ₁ + l (χ₁₁ - y) + b φᵀχ₂ + g        χ₂' = -Γ φ (χ₁₁ - y).
 *
 * Its step matrices do not depend on λ, so ŷ and R are affine in g at the nodes. With more than one state in the chain,
 * regressors are filtered first (Marino and Tomei 1992): m' = Λm + GΨ, φ = Ψ₁ + m₁, x = χ₁ + (0; m) θ, where b holds the
 * coefficients of ∏(s + β_i) and l = -(A₀b + κb), so that (A₀ + lCᵀ) b = -κ b.
 */
import { identity } from "../../../num/linear/dense.ts";
import { luFactorInto, luSolveColumnsInto } from "../../../num/linear/lu.ts";
import {
	type LinearSteps,
	linearSteps,
	multiplyLeftInto,
	periodicSolution,
} from "../../../num/linear-collocation.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Grid } from "./grid.ts";

export interface Gains {
	/** Rate at which the observer forgets: l = -κ for one state. */
	readonly kappa: number;
	/** Row-major r × r. */
	readonly gamma: Float64Array;
}

/** What becomes of g (and y) at the nodes. */
export interface Response {
	/** At the start of each interval. */
	readonly y: Float64Array;
	/** χ(0): n states, then θ. */
	readonly R: Float64Array;
}

export class Observer {
	readonly n: number;
	readonly r: number;
	readonly m: number;
	/** (1, b₁, …): how φ enters the chain. */
	readonly b: Float64Array;
	/** φ at the nodes, r each. */
	readonly phi: Float64Array;
	/** The filter at time 0: row-major (n - 1) × r. */
	readonly filterStart: Float64Array;
	/** Φ over the whole period. */
	readonly phiT: Float64Array;
	/** Step matrices of the filter; undefined for n = 1. */
	readonly filterSteps: LinearSteps | undefined;
	readonly #grid: Grid;
	readonly #steps: LinearSteps;
	readonly #byG: Float64Array;
	readonly #byY: Float64Array;
	/** First row of Φ(t_k, 0). */
	readonly #first: Float64Array;
	readonly #closing: Float64Array;
	readonly #pivots: Int32Array;

	/** `psi`: row-major n × r at each node. */
	constructor(grid: Grid, psi: Float64Array, n: number, r: number, gains: Gains) {
		this.#grid = grid;
		this.n = n;
		this.r = r;
		const m = (this.m = n + r);
		this.b = hurwitz(n, gains.kappa);
		const filter = n > 1 && r > 0 ? this.#filter(psi) : undefined;
		this.filterSteps = filter?.steps;
		this.filterStart = filter?.start ?? new Float64Array(0);
		const { count } = grid;
		this.phi = new Float64Array(count * r);
		for (let j = 0; j < count; j++)
			for (let i = 0; i < r; i++)
				this.phi[j * r + i] = psi[j * n * r + i] + (filter ? filter.nodes[i][j * (n - 1)] : 0);
		const l = this.b.map((bi, i) => -((this.b[i + 1] ?? 0) + gains.kappa * bi));
		const M = new Float64Array(count * m * m);
		const phiY = new Float64Array(count * r);
		for (let j = 0; j < count; j++) {
			const at = j * m * m;
			for (let a = 0; a < n; a++) {
				M[at + a * m] = l[a];
				if (a + 1 < n) M[at + a * m + a + 1] = 1;
				for (let i = 0; i < r; i++) M[at + a * m + n + i] = this.b[a] * this.phi[j * r + i];
			}
			for (let i = 0; i < r; i++) {
				let sum = 0;
				for (let k = 0; k < r; k++) sum += gains.gamma[i * r + k] * this.phi[j * r + k];
				phiY[j * r + i] = sum;
				M[at + (n + i) * m] = -sum;
			}
		}
		this.#steps = linearSteps(M, m, grid.rule, grid.h);
		({ byG: this.#byG, byY: this.#byY } = this.#responses(l, phiY));
		({ first: this.#first, total: this.phiT } = this.#propagators());
		this.#closing = this.phiT.map((value, i) => (i % (m + 1) === 0 ? 1 : 0) - value);
		this.#pivots = new Int32Array(m);
		luFactorInto(this.#closing, this.#pivots, m);
	}

	/** What a batch of λ needs of it: step matrices, responses to g, first rows of Φ(t_k, 0), and (I - Φ_T)⁻¹. */
	get matrices(): { phi: Float64Array; byG: Float64Array; first: Float64Array; closing: Float64Array } {
		const closing = identity(this.m);
		luSolveColumnsInto(closing, this.m, this.#closing, this.#pivots, this.m);
		return { phi: this.#steps.phi, byG: this.#byG, first: this.#first, closing };
	}

	/**
	 * The periodic solution for g (n a node) and y (one a node); either may be absent. [tyukin2016] eq. (3.5). With `open`
	 * the solution from rest instead, without R (Remark 3.6).
	 */
	respond(g: Float64Array | undefined, y: Float64Array | undefined, open = false): Response {
		const { intervals, rule } = this.#grid;
		const { m, n } = this;
		const s = rule.stages;
		const { phi } = this.#steps;
		const width = s * n;
		const out = new Float64Array(intervals);
		const byG = this.#byG;
		const byY = this.#byY;
		let state = new Float64Array(m);
		let next = new Float64Array(m);
		for (let k = 0; k < intervals; k++) {
			out[k] = state[0];
			for (let a = 0; a < m; a++) {
				let sum = 0;
				const row = (k * m + a) * m;
				for (let c = 0; c < m; c++) sum += phi[row + c] * state[c];
				if (g) {
					const from = (k * m + a) * width;
					for (let c = 0; c < width; c++) sum += byG[from + c] * g[k * width + c];
				}
				if (y) {
					const from = (k * m + a) * s;
					for (let c = 0; c < s; c++) sum += byY[from + c] * y[k * s + c];
				}
				next[a] = sum;
			}
			[state, next] = [next, state];
		}
		if (open) return { y: out, R: new Float64Array(m) };
		luSolveColumnsInto(state, 1, this.#closing, this.#pivots, m);
		const first = this.#first;
		for (let k = 0; k < intervals; k++) {
			let sum = out[k];
			for (let c = 0; c < m; c++) sum += first[k * m + c] * state[c];
			out[k] = sum;
		}
		return { y: out, R: state };
	}

	/** m' = Λm + GΨ for each column of Ψ. */
	#filter(psi: Float64Array): { nodes: Float64Array[]; start: Float64Array; steps: LinearSteps } {
		const { n, r } = this;
		const { count, rule, h } = this.#grid;
		const lambda = filterMatrix(this.b);
		const matrices = new Float64Array(count * squared(n - 1));
		for (let j = 0; j < count; j++) matrices.set(lambda, j * squared(n - 1));
		const steps = linearSteps(matrices, n - 1, rule, h, true);
		const start = new Float64Array((n - 1) * r);
		const nodes = Array.from({ length: r }, (_, i) => {
			const d = new Float64Array(count * (n - 1));
			for (let j = 0; j < count; j++)
				for (let a = 1; a < n; a++)
					d[j * (n - 1) + a - 1] = psi[(j * n + a) * r + i] - this.b[a] * psi[j * n * r + i];
			const solution = periodicSolution(steps, d);
			for (let a = 0; a < n - 1; a++) start[a * r + i] = solution.starts[a];
			return solution.nodes;
		});
		return { nodes, start, steps };
	}

	#responses(l: Float64Array, phiY: Float64Array): { byG: Float64Array; byY: Float64Array } {
		const { n, r, m } = this;
		const { intervals, rule } = this.#grid;
		const s = rule.stages;
		const { response } = this.#steps;
		const byG = new Float64Array(intervals * m * s * n);
		const byY = new Float64Array(intervals * m * s);
		for (let k = 0; k < intervals; k++)
			for (let a = 0; a < m; a++)
				for (let j = 0; j < s; j++) {
					const from = (k * m + a) * s * m + j * m;
					let sum = 0;
					for (let c = 0; c < n; c++) {
						byG[(k * m + a) * s * n + j * n + c] = response[from + c];
						sum -= response[from + c] * l[c];
					}
					for (let i = 0; i < r; i++) sum += response[from + n + i] * phiY[(k * s + j) * r + i];
					byY[(k * m + a) * s + j] = sum;
				}
		return { byG, byY };
	}

	#propagators(): { first: Float64Array; total: Float64Array } {
		const { m } = this;
		const { intervals } = this.#grid;
		const first = new Float64Array(intervals * m);
		const total = identity(m);
		for (let k = 0; k < intervals; k++) {
			first.set(total.subarray(0, m), k * m);
			multiplyLeftInto(total, this.#steps.phi, k * m * m, m);
		}
		return { first, total };
	}
}

/** Λ of the filter: first column -b, ones above the diagonal. */
export function filterMatrix(b: Float64Array): Float64Array {
	const size = b.length - 1;
	const matrix = new Float64Array(size * size);
	for (let a = 0; a < size; a++) {
		matrix[a * size] = -b[a + 1];
		if (a + 1 < size) matrix[a * size + a + 1] += 1;
	}
	return matrix;
}

/** Coefficients of ∏(s + β_i) with rates near κ, highest power first. */
function hurwitz(n: number, kappa: number): Float64Array {
	let polynomial = [1];
	for (let i = 1; i < n; i++) {
		const beta = kappa * (0.8 + 0.4 * i);
		const next = [...polynomial, 0];
		polynomial.forEach((value, p) => {
			next[p + 1] += beta * value;
		});
		polynomial = next;
	}
	return Float64Array.from(polynomial);
}
