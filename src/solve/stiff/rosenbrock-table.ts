/**
 * A stiffly accurate Rosenbrock method as data: see rodas5p.ts and rodas6p.ts. With W = I / (h gamma) - J the stages are
 *
 *     W u_i = f(t + c_i h, x + sum_j a_ij u_j) + sum_j C_ij u_j / h + h d_i df/dt,
 *
 * the end point is x + sum_i m_i u_i, and the last u is the error estimate (E. Hairer, G. Wanner, Solving Ordinary
 * Differential Equations II, 2nd ed. 1996, IV.7).
 */
export interface RosenbrockTable {
	readonly name: "rodas5p" | "rodas6p";
	readonly order: number;
	/** Order of the interpolant: its error over one step is O(h^(denseOrder + 1)). */
	readonly denseOrder: number;
	/** The error estimate is O(h^errorExponent). */
	readonly errorExponent: number;
	readonly gamma: number;
	/** Nodes, also of further stages that only the interpolant needs; as in d, a and C. */
	readonly c: readonly number[];
	readonly d: readonly number[];
	/** Row i holds a[i][0], ..., a[i][i - 1]; so does C. */
	readonly a: readonly (readonly number[])[];
	readonly C: readonly (readonly number[])[];
	/** One weight for each stage of the step itself. */
	readonly m: readonly number[];
	/** Weights of the vectors F1, F2, ... of dense-output.ts over all stages. */
	readonly dense: readonly (readonly number[])[];
	/** Weight of the previous error in the step control. */
	readonly beta: number;
}

/**
 * Weights of F1, F2, ... from those of an interpolant published as
 * x(s) = (1 - s) x0 + s (x1 + (1 - s) (H_1 + s (H_2 + s (H_3 + s H_4)))).
 */
export function nestedFromHorner(H: readonly (readonly number[])[]): number[][] {
	const combine = (...weights: number[]) =>
		H[0].map((_, i) => weights.reduce((sum, w, k) => sum + (H[k] ? w * H[k][i] : 0), 0));
	// H_2 + s (H_3 + s H_4) = F2 + (1 - s) (F3 + s F4), by comparing powers of s.
	return [combine(1), combine(0, 1, 1, 1), combine(0, 0, -1, -1), combine(0, 0, 0, -1)].slice(0, H.length);
}
