/** Gains of the observer: how quickly it forgets where it started, in units of the period. */
import type { Grid } from "./grid.ts";
import type { Gains } from "./observer.ts";

/** κ·T, and Γ relative to what makes regressors of mean square 1 adapt as fast as that. */
const kappaPeriods = 15;
const adaptation = 0.1;

/**
 * Γ = 0.1 κ² (mean φφᵀ)⁻¹: regressors of any size, and nearly collinear ones, are learned at one rate. The paper has
 * Γ = I, which is stiff for large regressors and makes λ hard to tell from noise.
 */
export function gainsFor(grid: Grid, n: number, r: number): (psi: Float64Array) => Gains {
	return (psi) => {
		const kappa = kappaPeriods / grid.period;
		return { kappa, gamma: scaledInverse(meanSquare(psi, n, r), r, adaptation * kappa * kappa) };
	};
}

/** Mean of ψψᵀ over nodes and chain. */
function meanSquare(psi: Float64Array, n: number, r: number): Float64Array {
	const square = new Float64Array(r * r);
	const rows = psi.length / Math.max(r, 1);
	for (let row = 0; row < rows; row++)
		for (let i = 0; i < r; i++)
			for (let j = 0; j < r; j++) square[i * r + j] += psi[row * r + i] * psi[row * r + j];
	return square.map((value) => (value * n) / rows);
}

/** factor · A⁻¹ by Gauss–Jordan; a direction that is not there gets its diagonal. */
function scaledInverse(a: Float64Array, r: number, factor: number): Float64Array {
	const work = a.slice();
	const inverse = new Float64Array(r * r);
	for (let i = 0; i < r; i++) {
		work[i * (r + 1)] *= 1 + 1e-6;
		inverse[i * (r + 1)] = factor;
	}
	for (let k = 0; k < r; k++) {
		const pivot = work[k * (r + 1)] || 1;
		for (let j = 0; j < r; j++) {
			work[k * r + j] /= pivot;
			inverse[k * r + j] /= pivot;
		}
		for (let i = 0; i < r; i++) {
			if (i === k) continue;
			const share = work[i * r + k];
			for (let j = 0; j < r; j++) {
				work[i * r + j] -= share * work[k * r + j];
				inverse[i * r + j] -= share * inverse[k * r + j];
			}
		}
	}
	return inverse;
}
