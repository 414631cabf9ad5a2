/**
 * One regularised step of model inversion: the minimum of |B a - b|² + λ² |a - a0|², for any λ once the singular values
 * of B are known ([whiten2014], (5) to (8)). With b = f* - f(p0) + J p0 (the paper's (3) and (4) mix signs) b - B a0 is the
 * residual, so that (8) reads a = a0 + V D (D² + λ²)⁻¹ Uᵀ (f* - f(p0)).
 */
import { svdSmall, triangulate } from "../../../num/linear/least-squares.ts";

export class DampedSystem {
	/** Singular values, falling. */
	readonly d: Float64Array;
	/** Right vectors in columns (n × n). */
	readonly v: Float64Array;
	/** D Uᵀ r. */
	readonly #dutr: Float64Array;

	/** `b` is m × n, `residual` m; both are kept as they are. */
	constructor(
		b: Float64Array,
		residual: Float64Array,
		readonly m: number,
		readonly n: number,
	) {
		const { r, qtb } = triangulate(b.slice(), residual.slice(), m, n);
		const { us, s, v } = svdSmall(r, n);
		this.d = s;
		this.v = v;
		this.#dutr = new Float64Array(n);
		for (let l = 0; l < n; l++) {
			let sum = 0;
			for (let i = 0; i < n; i++) sum += us[i * n + l] * qtb[i];
			this.#dutr[l] = sum;
		}
	}

	/** a - a0 for a given λ, [whiten2014] eq. (8). */
	step(lambda: number): Float64Array {
		const { n, d, v } = this;
		const step = new Float64Array(n);
		for (let l = 0; l < n; l++) {
			const denominator = d[l] * d[l] + lambda * lambda;
			if (!(denominator > 0)) continue;
			const share = this.#dutr[l] / denominator;
			for (let j = 0; j < n; j++) step[j] += v[j * n + l] * share;
		}
		return step;
	}
}
