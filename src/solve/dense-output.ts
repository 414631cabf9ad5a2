/**
 * Interpolation between the ends of a step. Every method gives its interpolant in the one nested form of Hairer,
 * Norsett and Wanner (Solving ODEs I, II.6), with s from 0 to 1 and r = 1 - s:
 *
 *     x(s) = x0 + s (F0 + r (F1 + s (F2 + r (F3 + s (F4 + ...)))))       F0 = x1 - x0
 *
 * It meets both ends exactly, and each further vector is a small correction, so little is lost to rounding.
 */

/** Row-major F0, F1, ... of one step: `nVectors` rows of n. */
export function interpolateInto(
	out: Float64Array,
	s: number,
	x0: Float64Array,
	vectors: Float64Array,
	nVectors: number,
	n: number,
	offset = 0,
	x0Offset = 0,
): void {
	const r = 1 - s;
	for (let i = 0; i < n; i++) {
		let sum = 0;
		for (let j = nVectors - 1; j >= 0; j--) {
			sum = (sum + vectors[offset + j * n + i]) * (j % 2 === 0 ? s : r);
		}
		out[i] = x0[x0Offset + i] + sum;
	}
}

/**
 * Weights of F1, F2, F3 over the stages for an interpolant x0 + h sum_i (p1 s + p2 s^2 + p3 s^3 + p4 s^4) k_i given as
 * rows [p1, p2, p3, p4].
 */
export function nestedWeights(rows: readonly (readonly number[])[]): number[][] {
	// p1 + p2 s + p3 s^2 + p4 s^3 = F0 + r (F1 + s (F2 + r F3)), by comparing powers of s.
	return [
		rows.map(([, p2, p3, p4]) => -p2 - p3 - p4),
		rows.map(([, , p3, p4]) => -p3 - 2 * p4),
		rows.map(([, , , p4]) => p4),
	];
}

/** Times, states and interpolants of all steps, in buffers that grow. */
export class DenseRecord {
	private readonly starts: number[] = [];
	private readonly ends: number[] = [];
	private readonly lengths: number[] = [];
	private readonly nVectors: number[] = [];
	private readonly offsets: number[] = [];
	private values = new Float64Array(1024);
	private used = 0;

	constructor(private readonly n: number) {}

	/** Adds a step from t0 to t1, of which the interpolant is that of a step of `length`; `vectors` holds F0, F1, ... */
	add(
		t0: number,
		t1: number,
		x0: Float64Array,
		vectors: Float64Array,
		nVectors: number,
		length = t1 - t0,
	): void {
		const size = (1 + nVectors) * this.n;
		if (this.used + size > this.values.length) {
			const grown = new Float64Array(Math.max(2 * this.values.length, this.used + size));
			grown.set(this.values);
			this.values = grown;
		}
		this.values.set(x0, this.used);
		this.values.set(vectors.subarray(0, nVectors * this.n), this.used + this.n);
		this.starts.push(t0);
		this.ends.push(t1);
		this.lengths.push(length);
		this.nVectors.push(nVectors);
		this.offsets.push(this.used);
		this.used += size;
	}

	/** True, and the state in `out`, when t lies within the steps. */
	at(t: number, out: Float64Array): boolean {
		const { starts, ends } = this;
		const count = starts.length;
		if (count === 0) return false;
		const sign = ends[0] >= starts[0] ? 1 : -1;
		if (!(sign * t >= sign * starts[0] && sign * t <= sign * ends[count - 1])) return false;
		let lo = 0;
		let hi = count - 1;
		while (lo < hi) {
			const middle = (lo + hi) >> 1;
			if (sign * t > sign * ends[middle]) lo = middle + 1;
			else hi = middle;
		}
		const s = (t - starts[lo]) / this.lengths[lo];
		const offset = this.offsets[lo];
		interpolateInto(out, s, this.values, this.values, this.nVectors[lo], this.n, offset + this.n, offset);
		return true;
	}
}
