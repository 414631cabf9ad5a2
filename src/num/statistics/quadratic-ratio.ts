/**
 * How often Σ λᵢ zᵢ² / Σ zᵢ² of independent normal z exceeds c: Lugannani and Rice's saddlepoint approximation, within a
 * few parts in a hundred at any size, out to the tails.
 *
 * Reference: Lieberman, "Saddlepoint approximation for the distribution of a ratio of quadratic forms in normal
 * variables", J. Amer. Statist. Assoc. 89, 1994.
 */

import { log } from "../elementary/number.ts";
import { squared } from "../whole-power.ts";
import { normalTail } from "./incomplete-gamma.ts";

/** Weights λ, each counted so many times (not a whole number where many alike are taken together). */
export interface Spectrum {
	readonly weight: Float64Array;
	readonly times: Float64Array;
}

export function ratioTail({ weight, times }: Spectrum, c: number): number {
	let mean = 0;
	let total = 0;
	let most = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < weight.length; i++) {
		mean += times[i] * weight[i];
		total += times[i];
		most = Math.max(most, weight[i]);
	}
	// Below the mean nobody asks how rare it is.
	if (!(total > 0) || !(c > mean / total)) return 1;
	if (!(c < most)) return 0;
	// The saddlepoint: Σ μ/(1 - 2sμ) = 0 with μ = λ - c rises in s and has its root below 1/(2 max μ).
	let [lo, hi] = [0, 1 / (2 * (most - c))];
	for (let k = 0; k < 60; k++) {
		const s = (lo + hi) / 2;
		let slope = 0;
		for (let i = 0; i < weight.length; i++) {
			const mu = weight[i] - c;
			slope += (times[i] * mu) / (1 - 2 * s * mu);
		}
		if (slope < 0) lo = s;
		else hi = s;
	}
	const s = lo;
	let cumulant = 0;
	let curvature = 0;
	for (let i = 0; i < weight.length; i++) {
		const mu = weight[i] - c;
		const rest = 1 - 2 * s * mu;
		cumulant -= 0.5 * times[i] * log(rest);
		curvature += 2 * times[i] * squared(mu / rest);
	}
	const w = Math.sqrt(-2 * cumulant);
	const v = s * Math.sqrt(curvature);
	// So near to the mean the correction is 0/0.
	if (!(w > 1e-4)) return 0.5;
	return Math.min(1, normalTail(w + log(v / w) / w));
}
