/**
 * Step 1 in O(n): Kalman filter and smoother of the Matérn process. They give exactly what dense kriging gives, for any
 * number of samples. The unknown mean is handled exactly too: data and mean functions go through the same filter, and the
 * mean is estimated from the innovations. Instants between samples are instants without a sample.
 *
 * References: de Jong, "The diffuse Kalman filter", Annals of Statistics 19, 1991; Bierman, "Fixed interval smoothing
 * with discrete measurements", 1973 (the smoother without inverses).
 */
import { choleskyInto, choleskyInverse } from "../../num/cholesky.ts";
import { MaternSystem } from "./matern-system.ts";
import type { Radial } from "./radial.ts";
import { type Instant, meanRow, type Posterior, type Samples, type Smoother } from "./smoother.ts";
import type { TimeHyper } from "./time-covariance.ts";

export class StateSpaceSmoother implements Smoother {
	readonly form = "state space";
	readonly #system: MaternSystem;

	/** `radial` has to be a Matérn covariance. */
	constructor(
		readonly samples: Samples,
		radial: Radial,
		hyper: TimeHyper,
		readonly meanDegree: number,
	) {
		this.#system = new MaternSystem(radial, hyper);
	}

	posterior(instants: readonly Instant[]): Posterior {
		const times = Float64Array.from(instants, ({ t }) => t);
		const grid = mergedGrid(this.samples.t, times);
		const { mean, covariance, beta, betaCovariance } = this.run(grid);
		const { d, rate } = this.#system;
		const q = this.meanDegree + 1;
		const columns = 1 + q;
		const out = { mean: new Float64Array(instants.length), variance: new Float64Array(instants.length) };
		const origin = this.samples.t[0];
		const constant = this.meanDegree === 0;
		const row = new Float64Array(q);
		for (let i = 0; i < instants.length; i++) {
			const { t, order } = instants[i];
			const k = grid.position[i];
			const unit = rate ** order;
			if (constant) row[0] = order === 0 ? 1 : 0;
			else row.set(meanRow(t - origin, order, this.meanDegree));
			// x̂ = s_y + Σ β (p - s_p): what smoothing makes of the data, corrected for the mean.
			const at = k * d * columns + order * columns;
			let value = unit * mean[at];
			for (let j = 0; j < q; j++) {
				row[j] -= unit * mean[at + 1 + j];
				value += beta[j] * row[j];
			}
			let extra = 0;
			for (let a = 0; a < q; a++)
				for (let b = 0; b < q; b++) extra += row[a] * betaCovariance[a * q + b] * row[b];
			out.mean[i] = value;
			out.variance[i] = Math.max(unit * unit * covariance[k * d * d + order * d + order] + extra, 0);
		}
		return out;
	}

	/** Values of orders 0 … nOrders - 1 at rising times, and the covariance of their errors at each time by itself. */
	local(times: Float64Array, nOrders: number): { mean: Float64Array; covariance: Float64Array } {
		const grid = mergedGrid(this.samples.t, times);
		const { mean, covariance, beta, betaCovariance } = this.run(grid);
		const { d, rate } = this.#system;
		const q = this.meanDegree + 1;
		const n = times.length;
		const out = { mean: new Float64Array(n * nOrders), covariance: new Float64Array(n * nOrders * nOrders) };
		for (let i = 0; i < n; i++) {
			const k = grid.position[i];
			const rows = Array.from({ length: nOrders }, (_, order) => {
				const row = meanRow(times[i] - this.samples.t[0], order, this.meanDegree);
				const at = k * d * (1 + q) + order * (1 + q);
				out.mean[order * n + i] = rate ** order * mean[at];
				for (let j = 0; j < q; j++) {
					row[j] -= rate ** order * mean[at + 1 + j];
					out.mean[order * n + i] += beta[j] * row[j];
				}
				return row;
			});
			for (let a = 0; a < nOrders; a++)
				for (let b = 0; b < nOrders; b++) {
					let value = rate ** (a + b) * covariance[k * d * d + a * d + b];
					for (let j = 0; j < q; j++)
						for (let l = 0; l < q; l++) value += rows[a][j] * betaCovariance[j * q + l] * rows[b][l];
					out.covariance[(i * nOrders + a) * nOrders + b] = value;
				}
		}
		return out;
	}

	/** Smoothed moments of the scaled state at every time of the grid; means of the data, then of each mean function. */
	run({ t, sample }: Grid): {
		mean: Float64Array;
		covariance: Float64Array;
		beta: Float64Array;
		betaCovariance: Float64Array;
	} {
		const { y, order, variance } = this.samples;
		const { d, rate } = this.#system;
		const q = this.meanDegree + 1;
		const columns = 1 + q;
		const n = t.length;
		const dd = d * d;
		const mean = new Float64Array(n * d * columns);
		const covariance = new Float64Array(n * dd);
		// Kept for the way back: gain, innovations and their inverse variance.
		const gains = new Float64Array(n * d);
		const innovations = new Float64Array(n * columns);
		const precision = new Float64Array(n);
		const normal = new Float64Array(q * q);
		const right = new Float64Array(q);
		const step = new Transition(this.#system);
		const p = this.#system.stationary.slice();
		const m = new Float64Array(d * columns);
		const held = new Float64Array(Math.max(dd, d * columns));
		const row = new Float64Array(q);
		// On an even grid the covariance soon stands still; from then on it is not computed again.
		const still = new Standstill(dd);
		for (let k = 0; k < n; k++) {
			const s = sample[k];
			if (k > 0) {
				const changed = step.to(t[k] - t[k - 1]);
				const same = s >= 0 && sample[k - 1] >= 0 && order[s] === order[sample[k - 1]];
				if (changed || !same || variance[s] !== variance[sample[k - 1]]) still.reset();
				timesInto(held, step.a, m, d, columns);
				for (let i = 0; i < d * columns; i++) m[i] = held[i];
				if (!still.reached) step.covarianceInto(p);
			}
			if (s >= 0) {
				const o = order[s];
				const unit = rate ** o;
				if (this.meanDegree === 0) row[0] = o === 0 ? 1 : 0;
				else row.set(meanRow(t[k] - this.samples.t[0], o, this.meanDegree));
				// The sample in units of the scaled state.
				const inverse = still.reached ? precision[k - 1] : 1 / (p[o * d + o] + variance[s] / (unit * unit));
				precision[k] = inverse;
				const v = k * columns;
				innovations[v] = y[s] / unit - m[o * columns];
				for (let j = 0; j < q; j++) innovations[v + 1 + j] = row[j] / unit - m[o * columns + 1 + j];
				for (let i = 0; i < d; i++) {
					const gain = still.reached ? gains[(k - 1) * d + i] : p[i * d + o] * inverse;
					gains[k * d + i] = gain;
					held[i] = p[o * d + i];
					for (let c = 0; c < columns; c++) m[i * columns + c] += gain * innovations[v + c];
				}
				if (!still.reached) {
					for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) p[i * d + j] -= gains[k * d + i] * held[j];
					still.see(p);
				}
				for (let i = 0; i < q; i++) {
					right[i] += innovations[v + 1 + i] * innovations[v] * inverse;
					for (let j = 0; j < q; j++)
						normal[i * q + j] += innovations[v + 1 + i] * innovations[v + 1 + j] * inverse;
				}
			}
			for (let i = 0; i < d * columns; i++) mean[k * d * columns + i] = m[i];
			for (let i = 0; i < dd; i++) covariance[k * dd + i] = p[i];
		}
		const back = new Backward(d, columns);
		for (let k = n - 1; k >= 0; k--) {
			back.smoothInto(mean, covariance, k);
			const changed = k > 0 && step.to(t[k] - t[k - 1]);
			const s = sample[k];
			const after = sample[k + 1] ?? -1;
			const same = s >= 0 && after >= 0 && order[s] === order[after] && precision[k] === precision[k + 1];
			if (changed || !same) back.startMoving();
			if (s >= 0) back.update(order[s], gains, innovations, precision[k], k);
			if (k > 0) back.move(step.a);
		}
		const betaCovariance = inverseOf(normal, q);
		const beta = new Float64Array(q);
		for (let i = 0; i < q; i++) for (let j = 0; j < q; j++) beta[i] += betaCovariance[i * q + j] * right[j];
		return { mean, covariance, beta, betaCovariance };
	}
}

/** Times of samples and instants together. */
export interface Grid {
	readonly t: Float64Array;
	/** Which sample stands at each time; -1: none. */
	readonly sample: Int32Array;
	/** Place of each instant. */
	readonly position: Int32Array;
}

function mergedGrid(samples: Float64Array, times: Float64Array): Grid {
	const rising = isRising(times) ? times : times.slice().sort();
	const t = new Float64Array(samples.length + times.length);
	const sample = new Int32Array(samples.length + times.length);
	let n = 0;
	let s = 0;
	for (let i = 0; i < rising.length || s < samples.length; ) {
		const next = Math.min(
			i < rising.length ? rising[i] : Number.POSITIVE_INFINITY,
			s < samples.length ? samples[s] : Number.POSITIVE_INFINITY,
		);
		while (rising[i] === next) i++;
		if (samples[s] !== next) {
			t[n] = next;
			sample[n++] = -1;
		} else
			while (samples[s] === next) {
				t[n] = next;
				sample[n++] = s++;
			}
	}
	const grid = t.slice(0, n);
	const position = new Int32Array(times.length);
	let k = 0;
	for (let i = 0; i < times.length; i++) {
		// Instants mostly come in rising order, again and again; any of several samples at one time will do.
		if (times[i] < grid[k]) k = 0;
		while (grid[k] < times[i]) k++;
		position[i] = k;
	}
	return { t: grid, sample: sample.slice(0, n), position };
}

function isRising(t: Float64Array): boolean {
	for (let i = 1; i < t.length; i++) if (t[i] < t[i - 1]) return false;
	return true;
}

/** Transition and noise of one step, computed again only when its length changes. */
class Transition {
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
class Standstill {
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
class Backward {
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
function timesInto(out: Float64Array, a: Float64Array, m: Float64Array, d: number, columns: number): void {
	for (let i = 0; i < d; i++)
		for (let c = 0; c < columns; c++) {
			let sum = 0;
			for (let k = 0; k < d; k++) sum += a[i * d + k] * m[k * columns + c];
			out[i * columns + c] = sum;
		}
}

/** Inverse of a positive definite matrix, on a scale on which its diagonal is one. */
function inverseOf(matrix: Float64Array, n: number): Float64Array {
	const unit = Float64Array.from({ length: n }, (_, i) => 1 / Math.sqrt(matrix[i * n + i]));
	const scaledMatrix = matrix.map((value, at) => value * unit[Math.floor(at / n)] * unit[at % n]);
	choleskyInto(scaledMatrix, n);
	return choleskyInverse(scaledMatrix, n).map((value, at) => value * unit[Math.floor(at / n)] * unit[at % n]);
}
