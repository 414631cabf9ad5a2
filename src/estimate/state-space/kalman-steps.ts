/**
 * The pieces of the O(n) smoother: one step of the Matérn system forwards, and what later samples say, carried backwards
 * without inverses (Bierman, "Fixed interval smoothing with discrete measurements", 1973).
 */
import type { MaternSystem } from "./matern-system.ts";

/** Transition and noise of one step, computed again only when its length changes. */
export class Transition {
	readonly a: Float64Array;
	readonly #q: Float64Array;
	readonly #half: Float64Array;
	#dt = Number.NaN;

	constructor(readonly system: MaternSystem) {
		const size = system.d * system.d;
		this.a = new Float64Array(size);
		this.#q = new Float64Array(size);
		this.#half = new Float64Array(size);
	}

	/** Whether the step is another one than before; those of an even grid differ by rounding only. */
	to(dt: number): boolean {
		if (Math.abs(dt - this.#dt) <= 1e-9 * dt) return false;
		this.#dt = dt;
		this.system.transitionInto(this.a, dt);
		this.system.noiseInto(this.#q, this.a, dt);
		return true;
	}

	/** P = A P Aᵀ + Q. */
	covarianceInto(p: Float64Array): void {
		const { d } = this.system;
		const half = this.#half;
		timesInto(half, this.a, p, d, d);
		for (let i = 0; i < d; i++)
			for (let j = 0; j <= i; j++) {
				let sum = this.#q[i * d + j];
				for (let k = 0; k < d; k++) sum += half[i * d + k] * this.a[j * d + k];
				p[i * d + j] = sum;
				p[j * d + i] = sum;
			}
	}
}

/** Notices when a matrix no longer changes from step to step. */
export class Standstill {
	reached = false;
	readonly #before: Float64Array;

	constructor(size: number) {
		this.#before = new Float64Array(size);
	}

	reset(): void {
		this.reached = false;
		this.#before.fill(Number.NaN);
	}

	see(matrix: Float64Array): void {
		let same = true;
		for (let i = 0; i < matrix.length; i++) {
			if (!(Math.abs(matrix[i] - this.#before[i]) <= 1e-14 * Math.abs(matrix[i]))) same = false;
			this.#before[i] = matrix[i];
		}
		this.reached = same;
	}
}

/** What the samples from here on say: gradient (for each column) and information, carried backwards. */
export class Backward {
	readonly #gradient: Float64Array;
	readonly #information: Float64Array;
	readonly #held: Float64Array;
	readonly #half: Float64Array;
	readonly #still: Standstill;
	/** Filtered covariance of the last place that was worked out. */
	readonly #filtered: Float64Array;

	constructor(
		readonly d: number,
		readonly columns: number,
	) {
		this.#still = new Standstill(d * d);
		this.#filtered = new Float64Array(d * d);
		this.#gradient = new Float64Array(d * columns);
		this.#information = new Float64Array(d * d);
		this.#held = new Float64Array(d * Math.max(d, columns));
		this.#half = new Float64Array(d * d);
	}

	/** The next sample or step is unlike the one before: information that stood still moves again. */
	startMoving(): void {
		this.#still.reset();
	}

	/** Filtered moments of place k become smoothed ones: m - P λ, P - P Λ P. */
	smoothInto(mean: Float64Array, covariance: Float64Array, k: number): void {
		const { d, columns } = this;
		const at = k * d * d;
		const held = this.#held;
		for (let i = 0; i < d; i++)
			for (let c = 0; c < columns; c++) {
				let sum = 0;
				for (let l = 0; l < d; l++) sum += covariance[at + i * d + l] * this.#gradient[l * columns + c];
				mean[k * d * columns + i * columns + c] -= sum;
			}
		if (this.#still.reached && this.#repeatInto(covariance, at)) return;
		const p = covariance.subarray(at, at + d * d);
		for (let i = 0; i < d * d; i++) this.#filtered[i] = p[i];
		const half = this.#half;
		timesInto(half, p, this.#information, d, d);
		for (let i = 0; i < d * d; i++) held[i] = p[i];
		for (let i = 0; i < d; i++)
			for (let j = 0; j < d; j++) {
				let sum = held[i * d + j];
				for (let l = 0; l < d; l++) sum -= half[i * d + l] * held[l * d + j];
				p[i * d + j] = sum;
			}
	}

	/** The smoothed covariance of the place after, where the filtered ones agree as well. */
	#repeatInto(covariance: Float64Array, at: number): boolean {
		const size = this.d * this.d;
		for (let i = 0; i < size; i++) if (covariance[at + i] !== this.#filtered[i]) return false;
		for (let i = 0; i < size; i++) covariance[at + i] = covariance[at + size + i];
		return true;
	}

	/** Λ = Cᵀ Λ C + H S⁻¹ Hᵀ, λ = Cᵀ λ - H S⁻¹ v with C = I - gain Hᵀ: only row and column `o` change. */
	update(o: number, gains: Float64Array, innovations: Float64Array, precision: number, k: number): void {
		const { d, columns } = this;
		const L = this.#information;
		const held = this.#held;
		if (!this.#still.reached) {
			for (let i = 0; i < d; i++) {
				let sum = 0;
				for (let j = 0; j < d; j++) sum += L[i * d + j] * gains[k * d + j];
				held[i] = sum;
			}
			let quadratic = 0;
			for (let i = 0; i < d; i++) quadratic += gains[k * d + i] * held[i];
			for (let i = 0; i < d; i++) {
				L[i * d + o] -= held[i];
				L[o * d + i] -= held[i];
			}
			L[o * d + o] += quadratic + precision;
		}
		for (let c = 0; c < columns; c++) {
			let sum = 0;
			for (let i = 0; i < d; i++) sum += gains[k * d + i] * this.#gradient[i * columns + c];
			this.#gradient[o * columns + c] -= sum + precision * innovations[k * columns + c];
		}
	}

	/** Back over one step: λ = Aᵀ λ, Λ = Aᵀ Λ A. */
	move(a: Float64Array): void {
		const { d, columns } = this;
		const g = this.#gradient;
		const held = this.#held;
		for (let i = 0; i < d; i++)
			for (let c = 0; c < columns; c++) {
				let sum = 0;
				for (let j = 0; j < d; j++) sum += a[j * d + i] * g[j * columns + c];
				held[i * columns + c] = sum;
			}
		for (let i = 0; i < d * columns; i++) g[i] = held[i];
		if (this.#still.reached) return;
		const L = this.#information;
		const half = this.#half;
		timesInto(half, L, a, d, d);
		for (let i = 0; i < d; i++)
			for (let j = 0; j <= i; j++) {
				let sum = 0;
				for (let l = 0; l < d; l++) sum += a[l * d + i] * half[l * d + j];
				L[i * d + j] = sum;
				L[j * d + i] = sum;
			}
		this.#still.see(L);
	}
}

/** out = A M for A (d × d) and M (d × columns). */
export function timesInto(
	out: Float64Array,
	a: Float64Array,
	m: Float64Array,
	d: number,
	columns: number,
): void {
	for (let i = 0; i < d; i++)
		for (let c = 0; c < columns; c++) {
			let sum = 0;
			for (let k = 0; k < d; k++) sum += a[i * d + k] * m[k * columns + c];
			out[i * columns + c] = sum;
		}
}
