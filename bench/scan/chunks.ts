/**
 * One λ spread over many lanes. A chunk of the period is an affine map of what it starts from (hidden states and observer);
 * maps compose associatively, so chunks can be done all at once and joined by a scan, and logarithmic depth is possible.
 * Here the buffers of the chunk kernel, and the joining of its chunks in order.
 */
import type { Launch } from "../../src/compute/compute.ts";
import type { Representation } from "../../src/methods/periodic/observer/representation.ts";
import { identity } from "../../src/num/linear/dense.ts";
import { multiplyLeftInto } from "../../src/num/linear-collocation.ts";

/** What the joining of chunks needs beside what the kernel writes; it does not depend on λ. */
export interface ChunkData {
	readonly chunks: number;
	/** Φ over each chunk, and Σ PᵀP within it: m × m each. */
	readonly phi: Float64Array;
	readonly gram: Float64Array;
	readonly closing: Float64Array;
	readonly baseR: Float64Array;
}

/** A launch for one λ, and the data for joining; the intervals must be whole multiples of the chunks. */
export function chunkArguments(
	rep: Representation,
	lambda: Float64Array,
	chunks: number,
): { launch: Launch & { buffers: Record<string, Float64Array> }; data: ChunkData } {
	const { grid, form } = rep;
	const { m } = rep.observer;
	const length = grid.intervals / chunks;
	const { phi, byG, closing } = rep.observer.matrices;
	const first = new Float64Array(grid.intervals * m);
	const whole = new Float64Array(chunks * m * m);
	const gram = new Float64Array(chunks * m * m);
	for (let chunk = 0; chunk < chunks; chunk++) {
		const total = identity(m);
		for (let k = chunk * length; k < (chunk + 1) * length; k++) {
			first.set(total.subarray(0, m), k * m);
			for (let a = 0; a < m; a++)
				for (let c = 0; c < m; c++) gram[(chunk * m + a) * m + c] += total[a] * total[c];
			multiplyLeftInto(total, phi, k * m * m, m);
		}
		whole.set(total, chunk * m * m);
	}
	const d = form.hidden.length;
	const across = (values: Float64Array): Float64Array => chunkMajor(values, chunks);
	return {
		launch: {
			batch: chunks,
			buffers: {
				y: across(rep.y.nodes),
				rest: across(rep.base.y.map((value, k) => value - rep.y.starts[k])),
				phi: across(phi),
				byG: across(byG),
				first: across(first),
				lambda,
				maps: new Float64Array((2 * d + (1 + d) * m) * chunks),
				sums: new Float64Array((((1 + d) * (2 + d)) / 2 + (1 + d) * m) * chunks),
			},
			scalars: {
				intervals: length,
				h: grid.h,
				...Object.fromEntries(form.constants.map((name, i) => [`constant ${name}`, rep.constants[i]])),
			},
		},
		data: { chunks, phi: whole, gram, closing, baseR: rep.base.R },
	};
}

/** Element e of chunk c at e · chunks + c. */
function chunkMajor(values: Float64Array, chunks: number): Float64Array {
	const length = values.length / chunks;
	const out = new Float64Array(values.length);
	for (let c = 0; c < chunks; c++)
		for (let e = 0; e < length; e++) out[e * chunks + c] = values[c * length + e];
	return out;
}

/** Joins chunks: q₀ and R that close the period, and the sum of squares. */
export function combineChunks(
	{ chunks, phi, gram, closing, baseR }: ChunkData,
	maps: Float64Array,
	sums: Float64Array,
	d: number,
): { sse: number; R: Float64Array; q0: Float64Array } {
	const m = baseR.length;
	const map = (e: number, c: number): number => maps[e * chunks + c];
	const q0 = Float64Array.from({ length: d }, (_, i) => {
		let A = 1;
		let B = 0;
		for (let c = 0; c < chunks; c++) {
			B = map(2 * i + 1, c) * B + map(2 * i, c);
			A *= map(2 * i + 1, c);
		}
		return B / (1 - A);
	});
	/** One run over all chunks from x, calling `visit` with hidden states and observer at the start of each. */
	const run = (
		x: Float64Array,
		visit: (c: number, q: Float64Array, x: Float64Array) => void,
	): Float64Array => {
		let state = x.slice();
		const q = q0.slice();
		for (let c = 0; c < chunks; c++) {
			visit(c, q, state);
			state = state.map((_, a) => {
				let sum = map(2 * d + a, c);
				for (let i = 0; i < d; i++) sum += q[i] * map(2 * d + (1 + i) * m + a, c);
				for (let b = 0; b < m; b++) sum += phi[(c * m + a) * m + b] * state[b];
				return sum;
			});
			for (let i = 0; i < d; i++) q[i] = map(2 * i + 1, c) * q[i] + map(2 * i, c);
		}
		return state;
	};
	const end = run(new Float64Array(m), () => {});
	const own = end.map((_, a) => {
		let sum = 0;
		for (let b = 0; b < m; b++) sum += closing[a * m + b] * end[b];
		return sum;
	});
	let sse = 0;
	const squares = ((1 + d) * (2 + d)) / 2;
	run(own, (c, q, x) => {
		const weight = (i: number): number => (i === 0 ? 1 : q[i - 1]);
		let at = 0;
		for (let i = 0; i <= d; i++)
			for (let j = i; j <= d; j++) sse += (i === j ? 1 : 2) * weight(i) * weight(j) * sums[at++ * chunks + c];
		for (let a = 0; a < m; a++) {
			let along = 0;
			for (let i = 0; i <= d; i++) along += weight(i) * sums[(squares + i * m + a) * chunks + c];
			let square = 0;
			for (let b = 0; b < m; b++) square += gram[(c * m + a) * m + b] * x[b];
			sse += x[a] * (2 * along + square);
		}
	});
	return { sse, R: own.map((value, a) => value + baseR[a]), q0 };
}
