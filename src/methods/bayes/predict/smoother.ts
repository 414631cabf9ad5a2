/**
 * States at each sample given all of them, before and after: the backward pass of Bryson and Frazier, which needs no
 * inverse of a covariance (those of the filter are singular: a highest derivative follows from the other coordinates).
 *
 * Reference: Bierman, "Fixed interval smoothing with discrete measurements", International Journal of Control 18, 1973.
 */
import type { SmoothingOutputs } from "../filter/experiment-filter.ts";

/** One lane of `batch` of what the filter left. */
export interface SmoothingTask {
	readonly outputs: SmoothingOutputs;
	readonly batch: number;
	readonly lane: number;
	readonly nCoordinates: number;
	readonly nOutputs: number;
	readonly nSamples: number;
	/** nSamples × nOutputs: 1 where there is a sample. */
	readonly present: Float64Array;
	/** Coordinates whose smoothed moments are wanted beside the outputs'. */
	readonly wanted: readonly number[];
}

/** nSamples × (outputs, wanted coordinates): mean of what is expected, and its variance. */
export interface SmoothedMoments {
	readonly mean: Float64Array;
	readonly variance: Float64Array;
}

/** `y`: nSamples × nOutputs, as compared. */
export function smoothed(task: SmoothingTask, y: Float64Array): SmoothedMoments {
	const { outputs, batch, lane, nCoordinates: n, nOutputs, nSamples, present, wanted } = task;
	const width = nOutputs + wanted.length;
	const mean = new Float64Array(nSamples * width);
	const variance = new Float64Array(nSamples * width);
	const read = (buffer: Float64Array, at: number): number => buffer[at * batch + lane];
	const P = new Float64Array(n * n);
	const H = new Float64Array(n);
	// The adjoint of the state and its second moment.
	const lambda = new Float64Array(n);
	const Lambda = new Float64Array(n * n);
	const scratch = new Float64Array(n * n);
	const v = new Float64Array(n);
	const states = Array.from({ length: nOutputs + 1 }, () => ({
		P: new Float64Array(n * n),
		shift: new Float64Array(n),
	}));

	for (let s = nSamples - 1; s >= 0; s--) {
		for (const [k, [i, j]] of outputs.covPairs.entries())
			P[i * n + j] = P[j * n + i] = read(outputs.covs, s * outputs.covPairs.length + k);
		// Forward through the outputs of this sample, as the filter went.
		states[0].P.set(P);
		states[0].shift.fill(0);
		for (let o = 0; o < nOutputs; o++) {
			const [now, next] = [states[o], states[o + 1]];
			next.P.set(now.P);
			next.shift.set(now.shift);
			if (present[s * nOutputs + o] === 0) continue;
			rowInto(H, o, s);
			const S = multiplyInto(v, now.P, H) + read(outputs.noises, s * nOutputs + o);
			const innovation = read(outputs.innovations, s * nOutputs + o);
			for (let i = 0; i < n; i++) {
				next.shift[i] += (v[i] * innovation) / S;
				for (let j = 0; j < n; j++) next.P[i * n + j] -= (v[i] * v[j]) / S;
			}
		}
		// And back.
		for (let o = nOutputs - 1; o >= 0; o--) {
			if (present[s * nOutputs + o] === 0) continue;
			rowInto(H, o, s);
			const S = multiplyInto(v, states[o].P, H) + read(outputs.noises, s * nOutputs + o);
			backThroughData(v, S, read(outputs.innovations, s * nOutputs + o));
		}
		// x | all data = x - P λ, with variance P - P Λ P, from before the data of this sample.
		for (let o = 0; o < width; o++) {
			if (o < nOutputs) rowInto(H, o, s);
			else for (let i = 0; i < n; i++) H[i] = i === wanted[o - nOutputs] ? 1 : 0;
			const own = multiplyInto(v, P, H);
			let shift = 0;
			let less = 0;
			for (let i = 0; i < n; i++) {
				shift -= v[i] * lambda[i];
				for (let j = 0; j < n; j++) less += v[i] * v[j] * Lambda[i * n + j];
			}
			let expected = 0;
			if (o < nOutputs) {
				// The row belongs to where the mean was after the outputs before this one.
				expected = y[s * nOutputs + o] - read(outputs.innovations, s * nOutputs + o);
				for (let i = 0; i < n; i++) expected -= H[i] * states[o].shift[i];
			} else expected = read(outputs.means, s * n + wanted[o - nOutputs]);
			mean[s * width + o] = expected + shift;
			variance[s * width + o] = Math.max(0, own - less);
		}
		backThroughMap(s);
	}
	return { mean, variance };

	function rowInto(out: Float64Array, o: number, s: number): void {
		for (let i = 0; i < n; i++) out[i] = read(outputs.rows, (s * nOutputs + o) * n + i);
	}

	/** v = P H; returns H P H. */
	function multiplyInto(out: Float64Array, A: Float64Array, h: Float64Array): number {
		let total = 0;
		for (let i = 0; i < n; i++) {
			let sum = 0;
			for (let j = 0; j < n; j++) sum += A[i * n + j] * h[j];
			out[i] = sum;
			total += h[i] * sum;
		}
		return total;
	}

	/** λ := Cᵀ λ - H ν/S and Λ := Cᵀ Λ C + H Hᵀ/S with C = I - P H Hᵀ/S; `PH` is P H. */
	function backThroughData(PH: Float64Array, S: number, innovation: number): void {
		let along = 0;
		let twice = 0;
		const w = scratch;
		for (let i = 0; i < n; i++) {
			along += PH[i] * lambda[i];
			let sum = 0;
			for (let j = 0; j < n; j++) sum += Lambda[i * n + j] * PH[j];
			w[i] = sum;
			twice += PH[i] * sum;
		}
		const factor = 1 / S + twice / (S * S);
		for (let i = 0; i < n; i++) {
			lambda[i] -= (H[i] * (along + innovation)) / S;
			for (let j = 0; j < n; j++) Lambda[i * n + j] += factor * H[i] * H[j] - (H[i] * w[j] + w[i] * H[j]) / S;
		}
	}

	/** λ := Φᵀ λ, Λ := Φᵀ Λ Φ. */
	function backThroughMap(s: number): void {
		const map = (i: number, j: number): number => read(outputs.maps, (s * n + i) * n + j);
		v.set(lambda);
		for (let j = 0; j < n; j++) {
			let sum = 0;
			for (let i = 0; i < n; i++) sum += map(i, j) * v[i];
			lambda[j] = sum;
			for (let i = 0; i < n; i++) {
				let entry = 0;
				for (let l = 0; l < n; l++) entry += Lambda[i * n + l] * map(l, j);
				scratch[i * n + j] = entry;
			}
		}
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++) {
				let entry = 0;
				for (let l = 0; l < n; l++) entry += map(l, i) * scratch[l * n + j];
				Lambda[i * n + j] = entry;
			}
	}
}
