/**
 * Step 1 in O(n): Kalman filter and smoother of the Matérn process. They give exactly what dense kriging gives, for any
 * number of samples. The unknown mean is handled exactly too: data and mean functions go through the same filter, and the
 * mean is estimated from the innovations. Instants between samples are instants without a sample.
 *
 * References: de Jong, "The diffuse Kalman filter", Annals of Statistics 19, 1991.
 */

import { Backward, Standstill, Transition, timesInto } from "../../../estimate/state-space/kalman-steps.ts";
import { MaternSystem } from "../../../estimate/state-space/matern-system.ts";
import { choleskyInto, choleskyInverse } from "../../../num/linear/cholesky.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { Radial } from "../field/radial.ts";
import { type Instant, meanRow, type Posterior, type Samples, type Smoother } from "./smoother.ts";
import { type TimeHyper, timeCovariance } from "./time-covariance.ts";

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
		this.#system = new MaternSystem(radial.smoothness, hyper.length, (i, j) =>
			timeCovariance(radial, hyper, 0, i, j),
		);
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
			const unit = wholePower(rate, order);
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
		const units = Float64Array.from({ length: nOrders }, (_, order) => wholePower(rate, order));
		const out = { mean: new Float64Array(n * nOrders), covariance: new Float64Array(n * nOrders * nOrders) };
		// Mean functions of each order, less what smoothing makes of them.
		const rows = new Float64Array(nOrders * q);
		for (let i = 0; i < n; i++) {
			const k = grid.position[i];
			for (let order = 0; order < nOrders; order++) {
				const at = k * d * (1 + q) + order * (1 + q);
				if (this.meanDegree === 0) rows[order] = order === 0 ? 1 : 0;
				else rows.set(meanRow(times[i] - this.samples.t[0], order, this.meanDegree), order * q);
				let value = units[order] * mean[at];
				for (let j = 0; j < q; j++) {
					rows[order * q + j] -= units[order] * mean[at + 1 + j];
					value += beta[j] * rows[order * q + j];
				}
				out.mean[order * n + i] = value;
			}
			for (let a = 0; a < nOrders; a++)
				for (let b = 0; b < nOrders; b++) {
					let value = units[a] * units[b] * covariance[k * d * d + a * d + b];
					for (let j = 0; j < q; j++)
						for (let l = 0; l < q; l++)
							value += rows[a * q + j] * betaCovariance[j * q + l] * rows[b * q + l];
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
				const unit = wholePower(rate, o);
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

/** Inverse of a positive definite matrix, on a scale on which its diagonal is one. */
function inverseOf(matrix: Float64Array, n: number): Float64Array {
	const unit = Float64Array.from({ length: n }, (_, i) => 1 / Math.sqrt(matrix[i * n + i]));
	const scaledMatrix = matrix.map((value, at) => value * unit[Math.floor(at / n)] * unit[at % n]);
	choleskyInto(scaledMatrix, n);
	return choleskyInverse(scaledMatrix, n).map((value, at) => value * unit[Math.floor(at / n)] * unit[at % n]);
}
