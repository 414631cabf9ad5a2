/**
 * What the data determine near the optimum: covariance of the estimates, directions that the data leave open, and how
 * much wider the errors are when residuals are not independent.
 */
import { nullSpace, sensitivityError } from "./null-space.ts";

export interface Covariance {
	/** (JᵀJ)⁺ in search coordinates (n × n), for residuals of unit variance; open directions left out. */
	readonly matrix: Float64Array;
	/** Standard deviations: roots of its diagonal. */
	readonly sd: Float64Array;
	/** Directions along which nothing changes to first order: shares of the unknowns, scaled by how strongly each acts. */
	readonly open: readonly Float64Array[];
	/** What the shares are divided by for a step in search coordinates. */
	readonly norms: Float64Array;
}

/** `error`: the share to which the Jacobian is known. */
export function covarianceOf(jacobian: Float64Array, n: number, error = sensitivityError): Covariance {
	const { norms, s, v, rank, open } = nullSpace(jacobian, n, { error });
	const matrix = new Float64Array(n * n);
	for (let l = 0; l < rank; l++)
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++)
				matrix[i * n + j] += (v[i * n + l] * v[j * n + l]) / (s[l] * s[l] * norms[i] * norms[j]);
	const sd = Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i]));
	return { matrix, sd, open, norms };
}

/**
 * The covariance from a triangle R of the Jacobian (column by column), without singular values; undefined where some direction
 * may be open. The least singular value is at least one over the size of the inverse.
 */
export function covarianceOfTriangle(
	triangle: Float64Array,
	n: number,
	error = sensitivityError,
): Float64Array | undefined {
	const norms = new Float64Array(n);
	for (let j = 0; j < n; j++) {
		let sum = 0;
		for (let i = 0; i <= j; i++) sum += triangle[j * n + i] * triangle[j * n + i];
		norms[j] = Math.sqrt(sum);
	}
	// Columns of R⁻¹ with columns of R of unit length.
	const inverse = new Float64Array(n * n);
	let size = 0;
	for (let j = 0; j < n; j++)
		for (let i = j; i >= 0; i--) {
			let sum = i === j ? 1 : 0;
			for (let k = i + 1; k <= j; k++) sum -= (triangle[k * n + i] / norms[k]) * inverse[j * n + k];
			const value = (sum * norms[i]) / triangle[i * n + i];
			inverse[j * n + i] = value;
			size += value * value;
		}
	if (!(error * Math.sqrt(n) * Math.sqrt(size) < 1)) return undefined;
	const matrix = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j <= i; j++) {
			let sum = 0;
			for (let k = i; k < n; k++) sum += inverse[k * n + i] * inverse[k * n + j];
			matrix[i * n + j] = matrix[j * n + i] = sum / (norms[i] * norms[j]);
		}
	return matrix;
}

/**
 * Standard deviations that hold for correlated residuals too: C Σ_k w_k Γ_k C with Bartlett weights.
 *
 * Reference: Newey, West, "A simple, positive semi-definite, heteroskedasticity and autocorrelation consistent
 * covariance matrix", Econometrica 55, 1987.
 */
export function robustSd(
	residual: Float64Array,
	jacobian: Float64Array,
	groups: readonly { readonly from: number; readonly to: number }[],
	covariance: Float64Array,
	n: number,
): Float64Array {
	const variance = new Float64Array(n);
	for (const { from, to } of groups) {
		const count = to - from;
		const lags = Math.min(count - 1, Math.ceil(1.3 * Math.sqrt(count)));
		// What each sample moves each estimate by: C Jᵢᵀ rᵢ.
		const pulls = new Float64Array(count * n);
		for (let i = 0; i < count; i++)
			for (let a = 0; a < n; a++) {
				const score = jacobian[(from + i) * n + a] * residual[from + i];
				if (score !== 0) for (let j = 0; j < n; j++) pulls[i * n + j] += covariance[a * n + j] * score;
			}
		for (let lag = 0; lag <= lags; lag++) {
			const weight = (lag === 0 ? 1 : 2) * (1 - lag / (lags + 1));
			for (let i = 0; i + lag < count; i++)
				for (let j = 0; j < n; j++) variance[j] += weight * pulls[i * n + j] * pulls[(i + lag) * n + j];
		}
	}
	return variance.map((value) => Math.sqrt(Math.max(value, 0)));
}
