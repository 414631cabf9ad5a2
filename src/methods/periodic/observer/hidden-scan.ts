/**
 * One hidden state over a period, q' = α q + w, in closed form between Gauss nodes: with I_j = ∫α from the start of the
 * interval to node j,
 *
 *     q_j = exp(I_j) (q_start + h Σ_l A_jl exp(-I_l) w_l),
 *
 * and the intervals joined as a scan of pairs (a, b), q₀ = B/(1 - A) making it periodic ([tyukin2016], section 2; the
 * exponent never reaches over more than one interval, so nothing overflows). Where ∫α over the period is positive the
 * scan runs backwards. Derivatives are those of these very formulas.
 */
import { exp } from "../../../num/elementary/number.ts";
import type { Grid } from "./grid.ts";

export class HiddenScan {
	readonly q: Float64Array;
	readonly starts: Float64Array;
	/** ∫α over the period. */
	total = 0;
	readonly #grid: Grid;
	readonly #growth: Float64Array;
	readonly #decay: Float64Array;
	/** a of the pairs, and ∫α over each interval. */
	readonly #a: Float64Array;
	readonly #b: Float64Array;
	#w: Float64Array;
	readonly #scratch: {
		readonly sources: Float64Array;
		readonly lifts: Float64Array;
		readonly pairs: Float64Array;
	};
	#A = 1;

	constructor(grid: Grid) {
		this.#grid = grid;
		this.q = new Float64Array(grid.count);
		this.#w = this.q;
		this.#growth = new Float64Array(grid.count);
		this.#decay = new Float64Array(grid.count);
		this.starts = new Float64Array(grid.intervals + 1);
		this.#a = new Float64Array(grid.intervals);
		this.#b = new Float64Array(grid.intervals);
		this.#scratch = {
			sources: new Float64Array(grid.count),
			lifts: new Float64Array(grid.count),
			pairs: new Float64Array(grid.intervals),
		};
	}

	/** `start`: the given q(0) where w ≡ 0; else q is made periodic. False when it cannot be: ∫α = 0. */
	solve(alpha: Float64Array, w: Float64Array, start: number | undefined): boolean {
		const { intervals, h, rule } = this.#grid;
		const { stages: s, weights, upTo } = rule;
		this.#w = w;
		this.total = 0;
		let A = 1;
		for (let k = 0; k < intervals; k++) {
			const at = k * s;
			let whole = 0;
			let source = 0;
			for (let j = 0; j < s; j++) {
				let part = 0;
				for (let l = 0; l < s; l++) part += upTo[j * s + l] * alpha[at + l];
				const growth = exp(h * part);
				this.#growth[at + j] = growth;
				this.#decay[at + j] = 1 / growth;
				whole += weights[j] * alpha[at + j];
				source += (weights[j] * w[at + j]) / growth;
			}
			this.total += h * whole;
			const a = exp(h * whole);
			this.#a[k] = a;
			this.#b[k] = a * h * source;
			A *= a;
		}
		this.#A = A;
		if (!this.#recurrence(this.starts, this.#b, start)) return false;
		for (let k = 0; k < intervals; k++) {
			const at = k * s;
			for (let j = 0; j < s; j++) {
				let part = 0;
				for (let l = 0; l < s; l++) part += upTo[j * s + l] * this.#decay[at + l] * w[at + l];
				this.q[at + j] = this.#growth[at + j] * (this.starts[k] + h * part);
			}
		}
		return true;
	}

	/** dq at the nodes into `out` for changes of α and w (undefined: none), and of the given start. */
	differentiateInto(
		out: Float64Array,
		dAlpha: Float64Array | undefined,
		dW: Float64Array | undefined,
		dStart: number | undefined,
		starts: Float64Array = new Float64Array(this.starts.length),
	): void {
		const { intervals, h, rule } = this.#grid;
		const { stages: s, weights, upTo } = rule;
		const { sources, pairs: b, lifts } = this.#scratch;
		const decay = this.#decay;
		const growth = this.#growth;
		const w = this.#w;
		for (let k = 0; k < intervals; k++) {
			const at = k * s;
			let whole = 0;
			let source = 0;
			for (let j = at; j < at + s; j++) {
				let lift = 0;
				if (dAlpha) {
					for (let l = 0; l < s; l++) lift += upTo[(j - at) * s + l] * dAlpha[at + l];
					lift *= h;
					whole += weights[j - at] * dAlpha[j];
				}
				lifts[j] = lift;
				const value = decay[j] * ((dW ? dW[j] : 0) - w[j] * lift);
				sources[j] = value;
				source += weights[j - at] * value;
			}
			b[k] = h * whole * this.starts[k + 1] + this.#a[k] * h * source;
		}
		this.#recurrence(starts, b, dStart);
		for (let k = 0; k < intervals; k++) {
			const at = k * s;
			for (let j = 0; j < s; j++) {
				let part = 0;
				for (let l = 0; l < s; l++) part += upTo[j * s + l] * sources[at + l];
				out[at + j] = lifts[at + j] * this.q[at + j] + growth[at + j] * (starts[k] + h * part);
			}
		}
	}

	/** x_{k+1} = a_k x_k + b_k, periodic or from `start`, in the direction in which it is stable. */
	#recurrence(x: Float64Array, b: Float64Array, start: number | undefined): boolean {
		const a = this.#a;
		const n = a.length;
		if (start === undefined && this.total > 0) {
			let end = 0;
			for (let k = n - 1; k >= 0; k--) end = (end - b[k]) / a[k];
			const scale = 1 - 1 / this.#A;
			if (!(scale > 1e-12)) return false;
			x[n] = end / scale;
			for (let k = n - 1; k >= 0; k--) x[k] = (x[k + 1] - b[k]) / a[k];
			return true;
		}
		let value = start ?? 0;
		if (start === undefined) {
			for (let k = 0; k < n; k++) value = a[k] * value + b[k];
			const scale = 1 - this.#A;
			if (!(scale > 1e-12)) return false;
			value /= scale;
		}
		x[0] = value;
		for (let k = 0; k < n; k++) x[k + 1] = a[k] * x[k] + b[k];
		return true;
	}
}
