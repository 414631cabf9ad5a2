/**
 * Draws that only shorter steps would have in the posterior: steps that are too long for part of a ridge cut it off, and what is
 * left looks as if it were all.
 */
import { exp, log } from "../../../num/elementary/number.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { logPosterior } from "../likelihood/log-posterior.ts";
import type { Particles } from "../smc/pooled.ts";
import { withSteps } from "./step-effect.ts";

/** Draws of the posterior, and behind them the hidden ones. `odds`: of what these stand for, beside the rest. */
export async function withHidden(
	likelihood: Likelihood,
	{ z, n }: Particles,
): Promise<Particles & { readonly nHidden: number; readonly odds: number }> {
	const d = likelihood.unknowns.length;
	const beyond = stretched(z, n, d);
	const finer = withSteps(likelihood, { substeps: 2 * likelihood.settings.substeps });
	const [inside, coarse, fine] = [
		await logPosterior(likelihood, z, n),
		await logPosterior(likelihood, beyond, n),
		await logPosterior(finer, beyond, n),
	];
	const least = Math.min(...inside.filter(Number.isFinite));
	const hidden = Array.from(fine.keys()).filter((b) => fine[b] >= least && !(coarse[b] >= least));
	const all = new Float64Array(d * (n + hidden.length));
	for (let i = 0; i < d; i++) {
		all.set(z.subarray(i * n, (i + 1) * n), i * (n + hidden.length));
		hidden.forEach((b, k) => {
			all[i * (n + hidden.length) + n + k] = beyond[i * n + b];
		});
	}
	// A stretched draw is one of a density that is 2 to the power of d lower: its weight beside that of a draw, 1.
	const odds = hidden.reduce((sum, b) => sum + exp(fine[b] - inside[b] + d * log(2)) / n, 0);
	return { z: all, n: n + hidden.length, nHidden: hidden.length, odds };
}

/** Points twice as far from their mean. */
function stretched(z: Float64Array, n: number, d: number): Float64Array {
	const out = new Float64Array(z.length);
	for (let i = 0; i < d; i++) {
		let mean = 0;
		for (let b = 0; b < n; b++) mean += z[i * n + b] / n;
		for (let b = 0; b < n; b++) out[i * n + b] = 2 * z[i * n + b] - mean;
	}
	return out;
}
