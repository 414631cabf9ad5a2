/**
 * The set of all states at one instant: { P(ζ) + C·r : ζ in [-1, 1]^d, |r_j| <= R_j }, where ζ are the unknowns, scaled
 * to their box. Constant parameters are affine in ζ, without remainder; only states carry one.
 */
export interface FlowSet {
	/** The instant. */
	t: number;
	/** Polynomial of state i at i·M. */
	P: Float64Array;
	/** Basis of the remainder, row-major. */
	C: Float64Array;
	R: Float64Array;
	/** Unknown v is centre[v] + scale[v]·ζ_v. */
	centre: Float64Array;
	scale: Float64Array;
	/** Step size that is likely to do. */
	h: number;
}

/** Bounds of the remainder of each state: |C|·R. */
export function remainderOf({ C, R }: FlowSet): Float64Array {
	const n = R.length;
	const out = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		let sum = 0;
		for (let j = 0; j < n; j++) sum += Math.abs(C[i * n + j]) * R[j];
		out[i] = sum === 0 ? 0 : sum * (1 + 2 ** -40) + 1e-300;
	}
	return out;
}
