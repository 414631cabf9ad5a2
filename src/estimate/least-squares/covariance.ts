/**
 * What the data determine near the optimum: covariance of the estimates, directions that the data leave open, and how
 * much wider the errors are when residuals are not independent.
 */
import { svdSmall, triangulate } from "../../num/least-squares.ts";
import { squared } from "../../num/whole-power.ts";

export interface Covariance {
	/** (JᵀJ)⁺ in search coordinates (n × n), for residuals of unit variance; open directions left out. */
	readonly matrix: Float64Array;
	/** Standard deviations: roots of its diagonal. */
	readonly sd: Float64Array;
	/** Directions along which nothing changes to first order. */
	readonly open: readonly OpenDirection[];
	/** Singular values of the Jacobian with columns scaled to unit length, falling. */
	readonly singularValues: Float64Array;
}

export interface OpenDirection {
	/** Share of each unknown, scaled by how strongly it acts on the residuals; of unit length. */
	readonly share: Float64Array;
	/** The same in search coordinates. */
	readonly step: Float64Array;
}

/** An unknown has part in open directions from this share on. */
export const openShare = 1e-3;

/** Whether the data leave an unknown open to first order. */
export function isOpen({ open }: Covariance, unknown: number): boolean {
	return open.reduce((sum, { share }) => sum + squared(share[unknown]), 0) > squared(openShare);
}

/** A direction is open when moving along it changes the residuals 1e-7 times less than along the stiffest one. */
const openBelow = 1e-7;

export function covarianceOf(jacobian: Float64Array, n: number): Covariance {
	const m = jacobian.length / n;
	const norms = columnNorms(jacobian, m, n);
	const scaled = jacobian.map((value, i) => value / (norms[i % n] || 1));
	const { r } = triangulate(scaled, new Float64Array(m), m, n);
	const { s, v } = svdSmall(r, n);
	const matrix = new Float64Array(n * n);
	const open: OpenDirection[] = [];
	for (let l = 0; l < n; l++) {
		if (!(s[l] > openBelow * s[0])) {
			const share = Float64Array.from({ length: n }, (_, i) => v[i * n + l]);
			open.push({ share, step: share.map((value, i) => value / (norms[i] || 1)) });
			continue;
		}
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++)
				matrix[i * n + j] +=
					(v[i * n + l] * v[j * n + l]) / (s[l] * s[l] * (norms[i] || 1) * (norms[j] || 1));
	}
	const sd = Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i]));
	return { matrix, sd, open, singularValues: s };
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
	const middle = new Float64Array(n * n);
	for (const { from, to } of groups) {
		const count = to - from;
		const lags = Math.min(count - 1, Math.ceil(1.3 * Math.sqrt(count)));
		for (let lag = 0; lag <= lags; lag++) {
			const weight = (lag === 0 ? 0.5 : 1) * (1 - lag / (lags + 1));
			for (let i = from; i + lag < to; i++) {
				const product = weight * residual[i] * residual[i + lag];
				for (let a = 0; a < n; a++) {
					const left = product * jacobian[i * n + a];
					for (let b = 0; b < n; b++) middle[a * n + b] += left * jacobian[(i + lag) * n + b];
				}
			}
		}
	}
	const sd = new Float64Array(n);
	for (let j = 0; j < n; j++) {
		let variance = 0;
		for (let a = 0; a < n; a++)
			for (let b = 0; b < n; b++)
				variance += covariance[j * n + a] * (middle[a * n + b] + middle[b * n + a]) * covariance[b * n + j];
		sd[j] = Math.sqrt(Math.max(variance, 0));
	}
	return sd;
}

function columnNorms(jacobian: Float64Array, m: number, n: number): Float64Array {
	const norms = new Float64Array(n);
	for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) norms[j] += squared(jacobian[i * n + j]);
	return norms.map(Math.sqrt);
}
